package sip

import (
	"strings"
	"testing"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/call"
)

// TestProvisionalAnswersAreAcknowledged checks that provisional responses are acknowledged if the
// far end requires it, each once, and that the BYE continues the numbering.
func TestProvisionalAnswersAreAcknowledged(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	party := &mute{}
	c := placed(t, lineTo(t, p, nil), to(patient), party)
	invite := p.next(msg.INVITE)
	p.reply(invite, 180, "Ringing", "", "RSeq: 4") // this one requires nothing
	for i, one := range []struct {
		rseq, rack string
		number     uint32
	}{{"5", "5 1 INVITE", 2}, {"6", "6 1 INVITE", 4}} {
		for range 2 {
			p.reply(invite, 183, "Session Progress", p.sdp("0", "sendrecv"), "Require: 100rel", "RSeq: "+one.rseq)
		}
		prack := p.next(msg.PRACK)
		if got := prack.GetHeader("RAck"); got == nil || got.Value() != one.rack || prack.CSeq().SeqNo != one.number {
			t.Errorf("acknowledged by %s", prack)
		}
		if tag, _ := prack.To().Params.Get("tag"); tag != p.tag {
			t.Errorf("it goes to %q", tag)
		}
		if i == 0 { // a proxy sends a challenge
			p.reply(prack, 407, "Proxy Authentication Required", "", `Proxy-Authenticate: Digest realm="a", nonce="b"`)
			if prack = p.later(msg.PRACK, prack); prack.GetHeader("Proxy-Authorization") == nil {
				t.Fatalf("second acknowledgement %v", prack)
			}
		}
		p.reply(prack, 200, "OK", "")
	}
	p.reply(invite, 200, "OK", "")
	if ack := p.next(msg.ACK); ack.CSeq().SeqNo != 1 {
		t.Errorf("the ACK is %v, want number 1", ack)
	}
	party.hangUp()
	bye := p.next(msg.BYE)
	p.reply(bye, 200, "OK", "")
	if bye.CSeq().SeqNo != 5 {
		t.Errorf("the BYE is %v, want number 5", bye)
	}
	if a := ends(t, c, ""); a.AnsweredAt.IsZero() {
		t.Error("the call was not answered")
	}
	if got := strings.Count(strings.Join(p.methods(), " "), "PRACK"); got != 3 {
		t.Errorf("%d acknowledgements, want 3: %v", got, p.methods())
	}
}

// TestWhoInsistsOnAcknowledgements checks that 100rel is offered, once, to a far end that requires
// it.
func TestWhoInsistsOnAcknowledgements(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	c := placed(t, lineTo(t, p, nil), to(patient), &mute{})
	invite := p.next(msg.INVITE)
	if invite.GetHeader("Supported") != nil {
		t.Error("offered unasked")
	}
	p.reply(invite, 421, "Extension Required", "", "Require: 100rel")
	invite = p.later(msg.INVITE, invite)
	if h := invite.GetHeader("Supported"); h == nil || h.Value() != "100rel" {
		t.Errorf("%s", invite)
	}
	p.reply(invite, 421, "Extension Required", "", "Require: 100rel")
	ends(t, c, call.EndUnreachable, "421 Extension Required (Require: 100rel)")
}

// TestProvisionalAnswersOutOfOrder checks that provisional responses out of order are acknowledged,
// too: otherwise their sender would repeat them until it gave up the call.
func TestProvisionalAnswersOutOfOrder(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	party := &mute{}
	c := placed(t, lineTo(t, p, nil), to(patient), party)
	invite := p.next(msg.INVITE)
	for _, number := range []string{"1", "3", "2"} {
		p.reply(invite, 180, "Ringing", "", "Require: 100rel", "RSeq: "+number)
		prack := p.next(msg.PRACK)
		if prack.GetHeader("RAck").Value() != number+" 1 INVITE" {
			t.Fatalf("%s was acknowledged by %v, want its number", number, prack)
		}
		p.reply(prack, 200, "OK", "")
	}
	p.reply(invite, 200, "OK", p.sdp("0", "sendrecv"))
	p.next(msg.ACK)
	p.endedBy(party)
	if a := ends(t, c, ""); a.AnsweredAt.IsZero() {
		t.Error("the call was not answered")
	}
}

// TestANumberOfItsOwn checks that the BYE has a new sequence number although a PRACK was challenged
// after the answer and sent again: a far end refuses numbers it has seen.
func TestANumberOfItsOwn(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	party := &mute{}
	c := placed(t, lineTo(t, p, nil), to(patient), party)
	invite := p.next(msg.INVITE)
	p.reply(invite, 180, "Ringing", "", "Require: 100rel", "RSeq: 1")
	prack := p.next(msg.PRACK)
	p.reply(invite, 200, "OK", p.sdp("0", "sendrecv"))
	p.next(msg.ACK)
	party.pass(t)
	p.reply(prack, 407, "Proxy Authentication Required", "", `Proxy-Authenticate: Digest realm="a", nonce="b"`)
	again := p.later(msg.PRACK, prack)
	p.reply(again, 200, "OK", "")
	party.hangUp()
	bye := p.next(msg.BYE)
	p.reply(bye, 200, "OK", "")
	if bye.CSeq().SeqNo <= again.CSeq().SeqNo {
		t.Errorf("acknowledged by %v, hung up by %v, want a higher number at the end", again, bye)
	}
	result(t, c)
}
