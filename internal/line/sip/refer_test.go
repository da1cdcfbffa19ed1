package sip

import (
	"slices"
	"testing"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/call"
)

// TestAnAgentPassesItsCallerOn transfers the caller with a REFER: the caller must report that it
// has arrived, and the call end as transferred, whoever hangs up.
func TestAnAgentPassesItsCallerOn(t *testing.T) {
	t.Parallel()
	for name, byFar := range map[string]bool{"and hangs up": true, "and leaves it to us": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPeer(t)
			party, c, invite := answered(t, p, "0")
			party.pass(t)
			p.send(invite, "REFER", 7, "", "Refer-To: <sip:desk@example.com>")
			if res := p.response(); res.StatusCode != 202 {
				t.Fatalf("the answer is %v, want 202", res)
			}
			notify := p.next(msg.NOTIFY)
			if notify == nil || notify.GetHeader("Event").Value() != "refer" || string(notify.Body()) != "SIP/2.0 200 OK\r\n" {
				t.Fatalf("the news is %v, want the event refer and a 200", notify)
			}
			p.reply(notify, 200, "OK", "")
			if byFar {
				p.send(invite, "BYE", 8, "")
			} else {
				p.reply(p.next(msg.BYE), 200, "OK", "")
			}
			want := call.EndOf(call.EndTransferred, "to <sip:desk@example.com>")
			if a := result(t, c); a.EndReason != want {
				t.Errorf("end %+v, want %+v", a.EndReason, want)
			}
		})
	}
}

// TestPassingOnToNobody checks that a REFER without a target is refused, and that the call goes on.
func TestPassingOnToNobody(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	party, c, invite := answered(t, p, "0")
	p.send(invite, "REFER", 7, "")
	if res := p.response(); res.StatusCode != 400 {
		t.Errorf("the answer is %v, want 400", res)
	}
	party.pass(t)
	p.endedBy(party)
	ends(t, c, "")
}

// TestPassingOnWithoutNews checks that no NOTIFY is sent if the REFER asks for none (RFC 4488).
func TestPassingOnWithoutNews(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"Supported: norefersub", "Require: norefersub"} {
		p := newPeer(t)
		_, c, invite := answered(t, p, "0")
		p.send(invite, "REFER", 7, "", "r: <sip:desk@example.com>", "Refer-Sub: false", how)
		if res := p.response(); res.StatusCode != 202 || value(res, "Refer-Sub") != "false" {
			t.Fatalf("the answer is %v, want 202", res)
		}
		p.reply(p.next(msg.BYE), 200, "OK", "")
		if slices.Contains(p.methods(), "NOTIFY") {
			t.Error("it was told all the same")
		}
		if a, want := result(t, c), call.EndOf(call.EndTransferred, "to <sip:desk@example.com>"); a.EndReason != want {
			t.Errorf("end %+v, want %+v", a.EndReason, want)
		}
	}
}

// TestTheNewsOfPassingOn checks that a NOTIFY is sent with credentials if challenged, and that it
// identifies its REFER if there were two.
func TestTheNewsOfPassingOn(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	_, c, invite := answered(t, p, "0")
	p.send(invite, "REFER", 7, "", "Refer-To: <sip:desk@example.com>")
	first := p.next(msg.NOTIFY)
	p.send(invite, "REFER", 8, "", "Refer-To: <sip:other@example.com>")
	second := p.later(msg.NOTIFY, first)
	p.reply(second, 407, "Proxy Authentication Required", "", `Proxy-Authenticate: Digest realm="r", nonce="n", qop="auth"`)
	again := p.later(msg.NOTIFY, second)
	if again == nil || again.GetHeader("Proxy-Authorization") == nil {
		t.Fatalf("told again by %v, want credentials in it", again)
	}
	p.reply(again, 200, "OK", "")
	p.reply(first, 200, "OK", "")
	if one, other := first.GetHeader("Event").Value(), again.GetHeader("Event").Value(); one != "refer" || other != "refer;id=8" {
		t.Errorf("told of %q and %q", one, other)
	}
	p.reply(p.next(msg.BYE), 200, "OK", "")
	ends(t, c, call.EndTransferred)
}

// TestPassingOnAndHangingUpAtOnce checks that a REFER directly followed by a BYE counts as a
// transfer.
func TestPassingOnAndHangingUpAtOnce(t *testing.T) {
	t.Parallel()
	for range 20 {
		p := newPeer(t)
		_, c, invite := answered(t, p, "0")
		p.send(invite, "REFER", 7, "", "Refer-To: <sip:desk@example.com>", "Refer-Sub: false")
		p.send(invite, "BYE", 8, "")
		ends(t, c, call.EndTransferred)
	}
}

// TestPassingOnTooLate checks that a REFER that crosses our BYE finds no call, and that the caller
// that has hung up does not count as transferred.
func TestPassingOnTooLate(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	party, c, invite := answered(t, p, "0")
	party.hangUp()
	bye := p.next(msg.BYE)
	p.send(invite, "REFER", 7, "", "Refer-To: <sip:desk@example.com>")
	p.send(invite, "INVITE", 8, p.sdp("0", "sendonly"))
	for _, seq := range []uint32{7, 8} {
		p.gets(seq, 481)
	}
	p.send(invite, "ACK", 8, "")
	p.send(invite, "BYE", 9, "")
	p.gets(9, 200)
	p.reply(bye, 200, "OK", "")
	ends(t, c, "")
	if slices.Contains(p.methods(), "NOTIFY") {
		t.Error("it was told of a call that is over")
	}
}
