package sip

import (
	"strings"
	"testing"
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
)

// TestRequestsBeforeTheAnswer checks that requests before the answer belong to the call: a 481
// would tell the far end that there is none.
func TestRequestsBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	c, known := ringing(t, lineTo(t, p, nil), &mute{after: 40 * time.Millisecond})
	invite := p.next(msg.INVITE)
	p.reply(invite, 183, "Session Progress", p.sdp("0", "sendrecv"))
	until(t, known)
	for i, one := range []struct {
		method, body string
		code         int
	}{
		{"UPDATE", "", 200}, {"UPDATE", p.sdp("0", "sendrecv"), 491}, {"INVITE", p.sdp("0", "sendrecv"), 491},
		{"INFO", "", 200}, {"NOTIFY", "", 200}, {"OPTIONS", "", 200}, {"BYE", "", 481}, {"MESSAGE", "", 405},
	} {
		seq := 100 + i
		p.send(invite, one.method, seq, one.body)
		p.gets(uint32(seq), one.code)
		if one.method == "INVITE" {
			p.send(invite, "ACK", seq, "")
		}
	}
	p.reply(invite, 200, "OK", p.sdp("0", "sendrecv"))
	p.next(msg.ACK)
	p.reply(p.next(msg.BYE), 200, "OK", "")
	if a := ends(t, c, ""); a.AnsweredAt.IsZero() {
		t.Error("the call was not answered")
	}
}

// TestARefusedCallIsForgotten checks that nothing of a refused call is kept.
func TestARefusedCallIsForgotten(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	l := lineTo(t, p, nil)
	c, known := ringing(t, l, &mute{})
	invite := p.next(msg.INVITE)
	p.reply(invite, 180, "Ringing", "")
	until(t, known)
	p.reply(invite, 486, "Busy Here", "")
	ends(t, c, call.EndBusy)
	l.e.mu.Lock()
	defer l.e.mu.Unlock()
	if len(l.e.dialogs) != 0 {
		t.Errorf("%d dialogs are kept", len(l.e.dialogs))
	}
}

// TestAnAnswerAfterARefusal checks that an answer after a refusal, which a proxy forwards if a
// phone is picked up at that moment, is acknowledged and hung up.
func TestAnAnswerAfterARefusal(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	c := placed(t, lineTo(t, p, nil), to(patient), &mute{})
	invite := p.next(msg.INVITE)
	p.as("first", invite, 603, "")
	p.next(msg.ACK)
	ends(t, c, call.EndDeclined)
	p.as("second", invite, 200, p.sdp("0", "sendrecv"))
	p.next(msg.ACK)
	p.hungUp("second")
}

// ringing places a call and returns a channel that is closed once it rings; from then on its far
// end is known.
func ringing(t *testing.T, l *Line, party leg.Party) (c <-chan call.Attempt, known <-chan struct{}) {
	t.Helper()
	rings := make(chan struct{})
	d := to(patient)
	d.OnState = func(s leg.State) {
		if s == leg.Ringing {
			close(rings)
		}
	}
	return placed(t, l, d, party), rings
}

// until waits for an event that must happen.
func until(t *testing.T, what <-chan struct{}) {
	t.Helper()
	select {
	case <-what:
	case <-time.After(patient):
		t.Fatal("it never came")
	}
}

// TestAPhoneThatRingsTooLate checks that a call is cancelled if the trunk's first response comes
// after we gave up waiting for it.
func TestAPhoneThatRingsTooLate(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	l := lineTo(t, p, func(o *Options) { o.times = quick(); o.times.noReply = 300 * time.Millisecond })
	c := placed(t, l, to(patient), &mute{})
	invite := p.next(msg.INVITE)
	if a, want := result(t, c), call.EndOf(call.EndUnreachable, "no reply from the trunk"); a.EndReason != want {
		t.Fatalf("end %+v, want %+v", a.EndReason, want)
	}
	p.reply(invite, 100, "Trying", "")
	p.reply(invite, 180, "Ringing", "")
	cancel := p.next(msg.CANCEL)
	if got, want := branchOf(cancel.Via()), branchOf(invite.Via()); got != want {
		t.Errorf("the CANCEL is of %s, the INVITE of %s", got, want)
	}
	p.reply(cancel, 200, "OK", "")
	p.reply(invite, 487, "Request Terminated", "")
	ack := p.next(msg.ACK)
	if tag, _ := ack.To().Params.Get("tag"); branchOf(ack.Via()) != branchOf(invite.Via()) || tag != p.tag {
		t.Errorf("the refusal is acknowledged by %s", ack)
	}
}

// TestAnOfferBehindAReliableAnswer makes a far end redirect its audio with an UPDATE before it
// answers the call, to an announcement, say. Its 200 needs no description then, and if it has one,
// that is its first answer repeated.
func TestAnOfferBehindAReliableAnswer(t *testing.T) {
	t.Parallel()
	for _, repeats := range []bool{false, true} {
		p := newPeer(t)
		party := &mute{}
		c, known := ringing(t, lineTo(t, p, nil), party)
		invite := p.next(msg.INVITE)
		first := p.sdp("8", "sendrecv")
		p.reply(invite, 183, "Session Progress", first, "Require: 100rel", "RSeq: 1")
		until(t, known)
		p.reply(p.next(msg.PRACK), 200, "OK", "")
		p.send(invite, "UPDATE", 100, p.sdp("0", "sendrecv"))
		res := p.responseTo(100)
		if res.StatusCode != 200 || !strings.Contains(string(res.Body()), "RTP/AVP 0\r\n") {
			t.Fatalf("repeats %v: %v", repeats, res)
		}
		again := ""
		if repeats {
			again = first
		}
		p.reply(invite, 200, "OK", again)
		p.next(msg.ACK)
		p.endedBy(party)
		if a := result(t, c); a.Codec != "PCMU" || a.EndReason.Code != "" {
			t.Errorf("repeats %v: spoken by %q, want PCMU; end %+v", repeats, a.Codec, a.EndReason)
		}
	}
}

// TestAnUpdateRightBehindTheRinging checks that an UPDATE right after the ringing belongs to the
// call although it arrives before our dialog exists. Carriers send it to tell who is called.
func TestAnUpdateRightBehindTheRinging(t *testing.T) {
	t.Parallel()
	for range 20 {
		p := newPeer(t)
		c := placed(t, lineTo(t, p, nil), to(patient), &mute{})
		invite := p.next(msg.INVITE)
		p.reply(invite, 180, "Ringing", "")
		p.send(invite, "UPDATE", 1, "")
		p.gets(1, 200)
		p.reply(invite, 486, "Busy Here", "")
		result(t, c)
	}
}
