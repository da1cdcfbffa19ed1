package sip

import (
	"context"
	"net/netip"
	"strings"
	"testing"
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/line/sip/screen"
)

// TestRefusalsBeforeTheAgent checks that the agent is not blamed if its trunk, a carrier or the
// network has refused the call.
func TestRefusalsBeforeTheAgent(t *testing.T) {
	t.Parallel()
	for name, one := range map[string]struct {
		status  int
		reason  string
		headers []string
		code    call.EndCode
		blame   call.Blame
		detail  string
	}{
		"who is called declines":      {603, "Decline", nil, call.EndDeclined, call.BlameAgent, "603 Decline"},
		"who is called does not want": {607, "Unwanted", nil, call.EndDeclined, call.BlameAgent, "607 Unwanted"},
		"the trunk forbids":           {403, "Forbidden", nil, call.EndDeclined, call.BlameLine, "403 Forbidden"},
		"a gateway's word for a rejection": {
			403, "Forbidden", []string{`Q.850 ;cause=21 ;text="call rejected"`}, call.EndDeclined, call.BlameAgent, "cause=21",
		},
		"a filter of nuisance calls": {608, "Rejected", nil, call.EndDeclined, call.BlameLine, "608 Rejected"},
		"a carrier's filter":         {603, "Network Blocked", []string{`SIP;cause=603;text="v=analytics1"`}, call.EndDeclined, call.BlameLine, "analytics1"},
		"no circuit":                 {480, "Temporarily Unavailable", []string{"Q.850;cause=34"}, call.EndUnreachable, call.BlameLine, "cause=34"},
		"nobody there in time":       {480, "Temporarily Unavailable", []string{"SIP;cause=408"}, call.EndNoAnswer, call.BlameAgent, "SIP;cause=408"},
		"nobody there":               {480, "Temporarily Unavailable", []string{"Q.850;cause=18"}, call.EndNoAnswer, call.BlameAgent, "cause=18"},
		"reasons of both worlds": {
			486, "Busy Here", []string{`SIP;cause=486;text="a, b;cause=34"`, "q.850;cause=17"}, call.EndBusy, call.BlameAgent, `a, b;cause=34", q.850;cause=17`,
		},
		"both in one": {600, "Busy", []string{`SIP;cause=600, Q.850;cause=42`}, call.EndUnreachable, call.BlameLine, "cause=42"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			res := msg.NewResponse(one.status, one.reason)
			for _, h := range one.headers {
				res.AppendHeader(msg.NewHeader("Reason", h))
			}
			got := refusedWith(res)
			if got.Code != one.code || got.Blame != one.blame || !strings.Contains(got.Detail, one.detail) {
				t.Errorf("%+v, want %s, %s and %q", got, one.code, one.blame, one.detail)
			}
		})
	}
}

// TestHowLongToWaitIsNotMadeUp checks that a Retry-After is not guessed from part of a number or
// from a date.
func TestHowLongToWaitIsNotMadeUp(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"18000;duration=3600": "18000", " 7 (away)": "7", "(away)": "", "Fri, 13 Nov 2026 10:00:00 GMT": "",
		"999999999": "999999999", "99999999999999999999": "",
	} {
		if got := leadingDigits(value); got != want {
			t.Errorf("%q: %q, want %q", value, got, want)
		}
	}
}

// TestACallThatTheNetworkEnds checks that the line is blamed if the network ends the call, the
// agent if it hangs up with any other cause, and nobody if the agent has transferred the call
// before.
func TestACallThatTheNetworkEnds(t *testing.T) {
	t.Parallel()
	for name, one := range map[string]struct {
		reasons []string
		passed  bool
		code    call.EndCode
		blame   call.Blame
		detail  string
	}{
		"network out of order": {[]string{`Q.850;cause=38;text="Network out of order"`}, false, call.EndMediaLost, call.BlameLine, "network ended the call: Q.850;cause=38"},
		"the second of two":    {[]string{"SIP;cause=503", "Q.850;cause=41"}, false, call.EndMediaLost, call.BlameLine, "SIP;cause=503, Q.850;cause=41"},
		"a timer ran out":      {[]string{`Q.850;cause=102;text="RECOVERY_ON_TIMER_EXPIRE"`}, false, call.EndMediaLost, call.BlameLine, "network ended the call: Q.850;cause=102"},
		"no ACK":               {[]string{`SIP;cause=408;text="ACK Timeout"`}, false, call.EndMediaLost, call.BlameLine, "network ended the call: SIP;cause=408"},
		"no refresh":           {[]string{`sip ; cause=408 ; text="Session timeout"`}, false, call.EndMediaLost, call.BlameLine, "Session timeout"},
		"a gateway's timer":    {[]string{"SIP;cause=504"}, false, call.EndMediaLost, call.BlameLine, "SIP;cause=504"},
		"another status":       {[]string{`SIP;cause=600;text="408"`}, false, call.EndAgentHungUp, call.BlameAgent, "SIP;cause=600"},
		"normal clearing":      {[]string{"SIP;cause=200", "Q.850;cause=16"}, false, call.EndAgentHungUp, call.BlameAgent, "SIP;cause=200, Q.850;cause=16"},
		"passed on":            {[]string{"Q.850;cause=38"}, true, call.EndTransferred, call.BlameNobody, "to <sip:b@c>"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPeer(t)
			c := placed(t, lineTo(t, p, func(o *Options) { o.times.passed = patient }), to(patient), &mute{})
			invite := p.next(msg.INVITE)
			p.reply(invite, 200, "OK", p.sdp("0", "sendrecv"))
			p.next(msg.ACK)
			if one.passed {
				p.send(invite, "REFER", 1, "", "Refer-To: <sip:b@c>", "Refer-Sub: false")
				p.responseTo(1)
			}
			var headers []string
			for _, r := range one.reasons {
				headers = append(headers, "Reason: "+r)
			}
			p.send(invite, "BYE", 2, "", headers...)
			p.gets(2, 200)
			if a := result(t, c); a.EndReason.Code != one.code || a.EndReason.Blame != one.blame || !strings.Contains(a.EndReason.Detail, one.detail) {
				t.Errorf("%+v, want %s, %s and %q", a.EndReason, one.code, one.blame, one.detail)
			}
			for _, method := range p.methods() {
				if method == "BYE" {
					t.Error("who has hung up is hung up")
				}
			}
		})
	}
}

// TestACallIsOverBeforeItsByeIsAnswered checks that whoever placed a call learns that it is over before the BYE is
// answered, and does not learn it of a call that was broken off.
func TestACallIsOverBeforeItsByeIsAnswered(t *testing.T) {
	t.Parallel()
	for name, brokenOff := range map[string]bool{"hung up": false, "broken off": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, breakOff := context.WithCancel(t.Context())
			defer breakOff()
			p, party, d, over := newPeer(t), &mute{}, to(patient), make(chan struct{}, 1)
			d.OnOver = func() { over <- struct{}{} }
			c := placedIn(ctx, lineTo(t, p, nil), d, party)
			p.reply(p.next(msg.INVITE), 200, "OK", p.sdp("0", "sendrecv"))
			p.next(msg.ACK)
			if brokenOff {
				breakOff()
			} else {
				party.hangUp()
			}
			bye := p.next(msg.BYE)
			if told := len(over) == 1; told == brokenOff {
				t.Errorf("told that it is over: %t", told)
			}
			breakOff()
			p.reply(bye, 200, "OK", "")
			want := call.EndCode("")
			if brokenOff {
				want = call.EndInterrupted
			}
			ends(t, c, want)
		})
	}
}

// TestNothingIsRepeatedOfACallThatIsOver checks that the answer to a re-INVITE that was never
// acknowledged is not repeated after the call: the far end has forgotten it.
func TestNothingIsRepeatedOfACallThatIsOver(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	party := &mute{}
	l := lineTo(t, p, func(o *Options) { o.times.t1 = time.Hour }) // nothing else ends it
	c := placed(t, l, to(patient), party)
	invite := p.next(msg.INVITE)
	p.reply(invite, 200, "OK", p.sdp("0", "sendrecv"))
	p.next(msg.ACK)
	tag, _ := invite.From().Params.Get("tag")
	d := l.e.dialog(invite.CallID().Value(), tag)
	p.endedBy(party)
	result(t, c)
	res := msg.NewResponse(200, "OK")
	res.AppendHeader(&msg.CSeqHeader{SeqNo: 1, MethodName: msg.INVITE})
	over := make(chan bool, 1)
	go func() { over <- d.deliver(&msg.ServerTx{}, res, make(chan struct{})) }()
	select {
	case forgiven := <-over:
		if !forgiven {
			t.Error("the far end is blamed for a call that we have ended")
		}
	case <-time.After(patient):
		t.Error("the answer is repeated after the end of the call")
	}
}

// TestKeysBySignalling checks that keys are accepted as characters and as event numbers.
func TestKeysBySignalling(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"5": "5", " # ": "#", "*": "*", "d": "D", "10": "*", "11": "#", "12": "A", "15": "D", "16": "", "1 0": "", "012": "", "+5": "", "": "",
	} {
		if got := oneKey(text); got != want {
			t.Errorf("%q is the key %q, want %q", text, got, want)
		}
	}
}

// TestALongReasonHidesNoOther checks that a long Reason does not hide a second one, which often
// contains the telephone network's cause.
func TestALongReasonHidesNoOther(t *testing.T) {
	t.Parallel()
	res := msg.NewResponse(480, "Temporarily Unavailable")
	res.AppendHeader(msg.NewHeader("Reason", `SIP;cause=480;text="`+strings.Repeat("a long story, ", 20)+`"`))
	res.AppendHeader(msg.NewHeader("Reason", "Q.850;cause=38"))
	if end := refusedWith(res); end.Code != call.EndUnreachable || !strings.Contains(end.Detail, "cause=38") {
		t.Errorf("end %+v, want %s and the second reason", end, call.EndUnreachable)
	}
}

// TestWhereARedirectionLeads checks that the contact with the highest preference is reported.
func TestWhereARedirectionLeads(t *testing.T) {
	t.Parallel()
	for contacts, want := range map[string]string{
		"<sip:first@a.example>":                                                  "sip:first@a.example",
		"<sip:low@a.example>;q=0.3, <sip:high@b.example>;q=0.9":                  "sip:high@b.example",
		"<sip:low@a.example>;q=0.3\r\nContact: <sip:high@b.example>;expires=9":   "sip:high@b.example",
		"<sip:one@a.example>;q=0.5, <sip:other@b.example>;q=0.5":                 "sip:one@a.example",
		"<sip:odd@a.example>;q=x\r\nm: \"a, b\" <sip:low@b.example>;q=0.1":       "sip:odd@a.example",
		"*\r\nContact: <sip:low@a.example>;q=0.1, <sip:lower@b.example>;q=0.001": "sip:low@a.example",
	} {
		text := "SIP/2.0 302 Moved Temporarily\r\nVia: SIP/2.0/UDP a;branch=z9hG4bKx\r\nFrom: <sip:a@a>;tag=a\r\nTo: <sip:b@b>;tag=b\r\nCall-ID: c\r\nCSeq: 1 INVITE\r\nContact: " +
			contacts + "\r\n\r\n"
		m, err := msg.ParseMessage(screen.Read([]byte(text), netip.AddrPort{}).Pass)
		if err != nil {
			t.Errorf("%q: %v", contacts, err)
			continue
		}
		if got := refusedWith(m.(*msg.Response)).Detail; !strings.Contains(got, " to "+want+" (") {
			t.Errorf("%q: %q", contacts, got)
		}
	}
}
