package sip

import (
	"context"
	"strings"
	"testing"
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
)

func TestFinalResponsesHaveTheirReasons(t *testing.T) {
	t.Parallel()
	for code, want := range map[int]call.EndCode{
		486: call.EndBusy, 600: call.EndBusy, 603: call.EndDeclined, 480: call.EndNoAnswer, 408: call.EndNoAnswer,
		404: call.EndUnreachable, 484: call.EndUnreachable, 410: call.EndUnreachable, 302: call.EndUnreachable,
		500: call.EndUnreachable, 503: call.EndUnreachable, 488: call.EndCodecMismatch,
	} {
		t.Run(msg.NewResponse(code, "x").StartLine(), func(t *testing.T) {
			t.Parallel()
			p := newPeer(t)
			c := placed(t, lineTo(t, p, nil), to(patient), &mute{})
			p.reply(p.next(msg.INVITE), code, "Own Word", "")
			a := result(t, c)
			if a.EndReason.Code != want || !strings.Contains(a.EndReason.Detail, "Own Word") {
				t.Errorf("end reason %+v, want %s", a.EndReason, want)
			}
			p.next(msg.ACK)
		})
	}
}

func TestSilentTrunkIsUnreachableSoon(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	begin := time.Now()
	l := lineTo(t, p, func(o *Options) { o.times.noReply = 600 * time.Millisecond })
	ends(t, placed(t, l, to(patient), &mute{}), call.EndUnreachable, "no reply")
	if d := time.Since(begin); d > patient/2 {
		t.Errorf("it took %v", d)
	}
}

func TestManyProvisionalResponsesAndEarlyMedia(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	c := placed(t, lineTo(t, p, nil), to(patient), &mute{after: 100 * time.Millisecond})
	invite := p.next(msg.INVITE)
	for range 20 {
		p.reply(invite, 183, "Session Progress", p.sdp("0 101", "sendrecv"))
		time.Sleep(5 * time.Millisecond) // sipgo does not keep the order of simultaneous responses
	}
	p.reply(invite, 200, "OK", p.sdp("0 101", "sendrecv"))
	p.next(msg.ACK)
	p.reply(p.next(msg.BYE), 200, "OK", "")
	a := result(t, c)
	if a.AnsweredAt.IsZero() || a.EndReason.Code != "" {
		t.Fatalf("the call was not answered: %+v", a.EndReason)
	}
	if !has(a, call.KindEarlyMedia) || !has(a, call.KindRinging) {
		t.Errorf("the timeline lacks early media or ringing: %+v", a.Timeline)
	}
}

func has(a call.Attempt, kind call.Kind) bool {
	for _, e := range a.Timeline {
		if e.Kind == kind {
			return true
		}
	}
	return false
}

func TestCancelThatCrossesTheAnswerLeavesNoLiveCall(t *testing.T) {
	t.Parallel()
	for name, late := range map[string]time.Duration{"at once": 0, "after we stopped waiting": 900 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPeer(t)
			c := placed(t, lineTo(t, p, nil), to(3*time.Second), &mute{})
			invite := p.next(msg.INVITE)
			p.reply(invite, 180, "Ringing", "")
			cancel := p.next(msg.CANCEL)
			time.Sleep(late)
			p.reply(invite, 200, "OK", p.sdp("0", "sendrecv"))
			p.reply(cancel, 200, "OK", "")
			p.next(msg.ACK)
			p.next(msg.BYE) // else the answered call is left alive
			ends(t, c, call.EndNoAnswer)
		})
	}
}

func TestAnswerWithoutOurCodecIsHungUp(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"other codec": "v=0\r\nc=IN IP4 127.0.0.1\r\nm=audio 4000 RTP/AVP 18\r\n",
		"no audio":    "v=0\r\nc=IN IP4 127.0.0.1\r\nm=image 4000 udptl t38\r\n",
		"rubbish":     "nothing of the kind",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPeer(t)
			c := placed(t, lineTo(t, p, nil), to(patient), &mute{})
			p.reply(p.next(msg.INVITE), 200, "OK", body)
			p.next(msg.ACK)
			p.reply(p.next(msg.BYE), 200, "OK", "")
			if a := result(t, c); a.EndReason.Code != call.EndCodecMismatch || !a.AnsweredAt.IsZero() {
				t.Errorf("end reason %+v, answered %v, want %s and no answer", a.EndReason, a.AnsweredAt, call.EndCodecMismatch)
			}
		})
	}
}

func TestRepeatedAnswerIsAcknowledgedAgain(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	party := &mute{}
	c := placed(t, lineTo(t, p, nil), to(patient), party)
	invite := p.next(msg.INVITE)
	for range 3 {
		p.reply(invite, 200, "OK", p.sdp("0", "sendrecv"))
		p.next(msg.ACK)
		time.Sleep(50 * time.Millisecond) // nobody repeats an answer immediately
	}
	// Another phone was picked up, too: it must be hung up, and our call go on.
	p.tag = "second-phone"
	p.reply(invite, 200, "OK", p.sdp("0", "sendrecv"))
	bye := p.next(msg.BYE)
	if tag, _ := bye.To().Params.Get("tag"); tag != "second-phone" {
		t.Errorf("BYE went to %q", tag)
	}
	p.reply(bye, 200, "OK", "")
	party.hangUp()
	last := p.next(msg.BYE)
	for last != nil { // skip repetitions of the previous one
		if tag, _ := last.To().Params.Get("tag"); tag == "peer-tag" {
			break
		}
		last = p.next(msg.BYE)
	}
	p.reply(last, 200, "OK", "")
	if a := result(t, c); a.AnsweredAt.IsZero() || a.EndReason.Code != "" {
		t.Errorf("our call ended by itself: %+v", a.EndReason)
	}
}

func TestRequestsWithinTheCallAreAnswered(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	party, c, invite := answered(t, p, "0 101")

	p.send(invite, "OPTIONS", 1, "")
	p.gets(1, 200)
	p.send(invite, "UPDATE", 2, "", "Session-Expires: 1800", "Supported: timer")
	if r := p.gets(2, 200); !strings.HasPrefix(value(r, "Session-Expires"), "1800") {
		t.Errorf("UPDATE: %d, Session-Expires %q", r.StatusCode, value(r, "Session-Expires"))
	}
	p.send(invite, "INFO", 3, "Signal=5\r\nDuration=160\r\n", "Content-Type: application/dtmf-relay")
	p.gets(3, 200)
	p.send(invite, "INVITE", 4, p.sdp("0 101", "sendonly"), "Content-Type: application/sdp")
	r := p.responseTo(4)
	if r.StatusCode != 200 || !strings.Contains(string(r.Body()), "a=recvonly") {
		t.Errorf("hold: %d %s", r.StatusCode, r.Body())
	}
	p.send(invite, "ACK", 4, "")
	party.pass(t)
	p.send(invite, "INVITE", 5, p.sdp("0 101", "sendrecv"), "Content-Type: application/sdp")
	if r := p.gets(5, 200); !strings.Contains(string(r.Body()), "a=sendrecv") {
		t.Errorf("resume: %d %s", r.StatusCode, r.Body())
	}
	p.send(invite, "ACK", 5, "")
	party.pass(t)
	p.send(invite, "INVITE", 6, "")
	if r := p.gets(6, 200); len(r.Body()) == 0 {
		t.Errorf("re-INVITE without an offer: %d %q", r.StatusCode, r.Body())
	}
	p.send(invite, "ACK", 6, p.sdp("0 101", "sendrecv"), "Content-Type: application/sdp")
	p.send(invite, "REFER", 7, "", "Refer-To: <sip:x@127.0.0.1>", "Refer-To: <sip:y@127.0.0.1>")
	p.gets(7, 400)
	p.send(invite, "BYE", 8, "", `Reason: Q.850;cause=16;text="Normal call clearing"`)
	p.gets(8, 200)
	a := ends(t, c, call.EndAgentHungUp, "cause=16")
	for _, kind := range []call.Kind{call.KindHeld, call.KindResumed, call.KindReinvited} {
		if !has(a, kind) {
			t.Errorf("the timeline lacks %s", kind)
		}
	}
	if party.keys != "5" {
		t.Errorf("the key of the INFO arrived as %q", party.keys)
	}
}

func value(r *msg.Response, name string) string {
	if h := r.GetHeader(name); h != nil {
		return h.Value()
	}
	return ""
}

func TestNoAudioEndsTheCall(t *testing.T) {
	t.Parallel()
	for name, packets := range map[string]int{"never any": 0, "it stops": 10} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPeer(t)
			l := lineTo(t, p, func(o *Options) { o.MediaTimeout = 2 * time.Second })
			c := placed(t, l, to(patient), &mute{})
			invite := p.next(msg.INVITE)
			p.reply(invite, 200, "OK", p.sdp("0", "sendrecv"))
			p.next(msg.ACK)
			p.speak(invite, packets)
			p.reply(p.next(msg.BYE), 200, "OK", "")
			a := ends(t, c, call.EndMediaLost)
			if a.Stats.Received != int64(packets) {
				t.Errorf("received %d packets, %d were sent", a.Stats.Received, packets)
			}
		})
	}
}

func TestChallengesAreAnswered(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	c := placed(t, lineTo(t, p, nil), to(patient), &mute{after: 100 * time.Millisecond})
	first := p.next(msg.INVITE)
	p.reply(first, 407, "Proxy Authentication Required", "", `Proxy-Authenticate: Digest realm="r", nonce="n", algorithm=MD5, qop="auth"`)
	second := p.later(msg.INVITE, first)
	h := second.GetHeader("Proxy-Authorization")
	if h == nil || !strings.Contains(h.Value(), `username="me"`) || strings.Contains(h.Value(), "secret") {
		t.Fatalf("credentials: %v", h)
	}
	if second.CSeq().SeqNo != first.CSeq().SeqNo+1 || second.CallID().Value() != first.CallID().Value() {
		t.Error("the second INVITE is not the same call with the next number")
	}
	p.reply(second, 200, "OK", p.sdp("0", "sendrecv"))
	ack := p.next(msg.ACK)
	for ack.CSeq().SeqNo != second.CSeq().SeqNo {
		ack = p.next(msg.ACK)
	}
	plain := p.next(msg.BYE)
	p.reply(plain, 401, "Unauthorized", "", `WWW-Authenticate: Digest realm="r", nonce="m", algorithm=MD5, qop="auth"`)
	bye := p.later(msg.BYE, plain)
	if bye.GetHeader("Authorization") == nil {
		t.Error("the challenged BYE was not sent again with credentials")
	}
	p.reply(bye, 200, "OK", "")
	result(t, c)
}

func TestWrongPasswordIsSaid(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	c := placed(t, lineTo(t, p, nil), to(patient), &mute{})
	var last *msg.Request
	for range 2 { // rejected credentials are not offered again
		last = p.later(msg.INVITE, last)
		p.reply(last, 401, "Unauthorized", "", `WWW-Authenticate: Digest realm="r", nonce="n", algorithm=MD5`)
	}
	if a := ends(t, c, call.EndUnreachable, "password"); strings.Contains(a.EndReason.Detail, "secret") {
		t.Errorf("the password is in the reason: %q", a.EndReason.Detail)
	}
}

func TestCloseHangsUp(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	l := lineTo(t, p, nil)
	c := placedIn(context.Background(), l, to(patient), &mute{})
	invite := p.next(msg.INVITE)
	p.reply(invite, 200, "OK", p.sdp("0", "sendrecv"))
	p.next(msg.ACK)
	go l.Close()
	p.reply(p.next(msg.BYE), 200, "OK", "")
	ends(t, c, call.EndInterrupted)
}

func TestEarlyMediaIsNoLoss(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	party := &mute{}
	c := placed(t, lineTo(t, p, nil), to(patient), party)
	invite := p.next(msg.INVITE)
	p.reply(invite, 183, "Session Progress", p.sdp("0", "sendrecv"))
	p.speakFrom(invite, 0, 10)
	time.Sleep(150 * time.Millisecond)
	p.reply(invite, 200, "OK", p.sdp("0", "sendrecv"))
	p.next(msg.ACK)
	p.speakFrom(invite, 60, 10) // 50 packets of early media never arrived
	p.endedBy(party)
	if a := result(t, c); a.Stats.Lost != 0 || a.Stats.Received != 10 {
		t.Errorf("%+v, want 10 received and none lost", a.Stats)
	}
}

func TestMediaFromAnotherAddressIsTakenOnce(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	party, c, invite := answered(t, p, "0")
	p.rtp = udp(t) // address translation: from a port that the answer did not name
	p.speakFrom(invite, 0, 5)
	// What we send must follow it.
	_ = p.rtp.SetReadDeadline(time.Now().Add(patient))
	if _, _, err := p.rtp.ReadFrom(make([]byte, 2048)); err != nil {
		t.Errorf("nothing was sent to where the media comes from: %v", err)
	}
	p.rtp = udp(t) // and then from an unknown stranger
	p.speakFrom(invite, 5, 5)
	p.endedBy(party)
	a := result(t, c)
	if a.Stats.Received != 5 || !has(a, call.KindSourceChanged) {
		t.Errorf("%+v, want the 5 packets of the first source", a.Stats)
	}
}

// TestTheInviteWaitsForItsTurn makes the call wait for longer than it may ring, and challenges it:
// only its first INVITE waits.
func TestTheInviteWaitsForItsTurn(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	d := to(time.Second)
	turns, sent := 0, make(chan time.Time, 1)
	d.Turn = func(send func()) {
		turns++
		time.Sleep(1200 * time.Millisecond)
		sent <- time.Now()
		send()
	}
	c := placed(t, lineTo(t, p, nil), d, &mute{after: 40 * time.Millisecond})
	first := p.next(msg.INVITE)
	p.reply(first, 401, "Unauthorized", "", `WWW-Authenticate: Digest realm="r", nonce="n", algorithm=MD5`)
	if time.Now().Before(<-sent) {
		t.Error("the INVITE came before its turn")
	}
	p.reply(p.later(msg.INVITE, first), 200, "OK", p.sdp("0", "sendrecv"))
	p.reply(p.next(msg.BYE), 200, "OK", "")
	if a := result(t, c); a.AnsweredAt.IsZero() || turns != 1 {
		t.Errorf("answered %v after %d turns, want it after one: %+v", a.AnsweredAt, turns, a.EndReason)
	}
}

// TestAnAnswerInTimeCountsWhereWeLookTooLate stops the line when it rings, until the answer has
// arrived and the time for it has passed.
func TestAnAnswerInTimeCountsWhereWeLookTooLate(t *testing.T) {
	t.Parallel()
	for range 5 { // a random choice would sometimes be right
		p := newPeer(t)
		d, rings, goOn := to(400*time.Millisecond), make(chan struct{}), make(chan struct{})
		d.OnState = func(s leg.State) {
			if s == leg.Ringing {
				close(rings)
				<-goOn
			}
		}
		c := placed(t, lineTo(t, p, nil), d, &mute{after: 40 * time.Millisecond})
		invite := p.next(msg.INVITE)
		p.reply(invite, 180, "Ringing", "")
		select {
		case <-rings:
		case <-c:
			continue // this machine was too busy for the ringing itself
		}
		p.reply(invite, 200, "OK", p.sdp("0", "sendrecv"))
		time.Sleep(500 * time.Millisecond)
		close(goOn)
		p.reply(p.next(msg.BYE), 200, "OK", "")
		if a := result(t, c); a.AnsweredAt.IsZero() || a.EndReason.Code != "" {
			t.Fatalf("answered %v, end %+v, want an answer and no reason", a.AnsweredAt, a.EndReason)
		}
	}
}
