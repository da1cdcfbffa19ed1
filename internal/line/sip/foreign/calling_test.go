package foreign

import (
	"cmp"
	"context"
	"os"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/linetest"
	"github.com/ringtrue/ringtrue/internal/line/sip"
)

// callingCase is a call from sipp to a server of ours.
type callingCase struct {
	steps  []step
	answer leg.Answer
	party  talker
	server func(*sip.ServerOptions)
	sounds map[string][]byte
	echo   bool
	udp    bool // not for TCP
	long   bool // takes half a minute, so only make test-long runs it
	extra  []string
	// calls is how many calls must reach the Answerer.
	calls int
	// check examines what sipp saw, sound the caller's channel of a call for which the machine had
	// time.
	check func(*testing.T, *sipp)
	sound burst
}

// run takes the call, and repeats it if its audio matters and the machine was too busy.
func (c *callingCase) run(t *testing.T, transport sip.Transport) {
	t.Helper()
	if c.sound == (burst{}) {
		c.once(t, transport)
		return
	}
	var tape *leg.Tape
	if linetest.Fairly(t, func(m *linetest.Machine) string {
		var stalled string
		stalled, tape = c.once(t, transport)
		return cmp.Or(stalled, m.Stalled(longStall))
	}) {
		hears(t, "the caller's channel", tape.Channel(leg.CallerChannel), c.sound)
	}
}

// once runs the case and returns a description if the machine stalled meanwhile, otherwise "".
func (c *callingCase) once(t *testing.T, transport sip.Transport) (stalled string, tape *leg.Tape) {
	t.Helper()
	asked, over := make(chan struct{}, 100), make(chan struct{}, 100)
	party := c.party
	tape = leg.NewTape(time.Minute)
	s := serverFor(t, func(context.Context, leg.Incoming) leg.Answer {
		asked <- struct{}{}
		a := c.answer
		if a.Refuse == leg.RefuseNot {
			a.Party, a.Tape, a.Done = &party, tape, func() { over <- struct{}{} }
		}
		return a
	}, func(o *sip.ServerOptions) {
		if c.server != nil {
			c.server(o)
		}
	})
	p := start(t, setting{transport: transport, to: s.Addr(), sounds: c.sounds, echo: c.echo, extra: c.extra}, c.steps...)
	p.finish()
	empty(t, "server", s.Calls)
	if len(asked) != c.calls {
		t.Errorf("%d calls reached the Answerer, want %d", len(asked), c.calls)
	}
	if c.calls > 0 && c.answer.Refuse == leg.RefuseNot {
		select {
		case <-over:
		case <-time.After(30 * time.Second):
			t.Error("the Answerer was never told that the call is over")
		}
	}
	if c.check != nil {
		c.check(t, p)
	}
	return party.stalled(), tape
}

func TestCallsFromSIPp(t *testing.T) {
	t.Parallel()
	for name, c := range callingCases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.long && os.Getenv("RINGTRUE_LONG") == "" {
				t.Skip("make test-long runs it")
			}
			if c.udp {
				c.run(t, sip.UDP)
				return
			}
			transports(t, func(t *testing.T, transport sip.Transport) {
				t.Helper()
				c.run(t, transport)
			})
		})
	}
}

// rejected is an INVITE that gets this final response.
func rejected(code int, body string, headers ...string) *callingCase {
	return &callingCase{steps: steps(calling(body, headers...), perhaps(100), status(code), acknowledge(1))}
}

// acknowledge returns the ACK of a refusal, which belongs to the INVITE's transaction.
func acknowledge(seq int) step {
	return step("<send><![CDATA[\n" +
		"ACK sip:+15557654321@[remote_ip]:[remote_port] SIP/2.0\n[last_Via:]\n[last_From:]\n[last_To:]\n[last_Call-ID:]\nCSeq: " +
		string(rune('0'+seq)) + " ACK\nMax-Forwards: 70\nContent-Length: 0\n\n]]></send>\n")
}

// connects returns a call that is answered immediately.
func connects(body string, headers ...string) []step {
	return steps(calling(body, headers...), perhaps(100), perhaps(180), status(200), further("ACK", 1, ""))
}

func leaves(seq int) []step { return steps(further("BYE", seq, ""), status(200)) }

func callingCases() map[string]*callingCase {
	tone := burst{Hz: 900, From: 0, To: 700 * time.Millisecond}
	sounds := map[string][]byte{"tone.ul": muLaw(sing(samples(tone.To), tone))}
	talks := talker{says: []burst{{Hz: 600, From: 300 * time.Millisecond, To: 900 * time.Millisecond}}}
	second := time.Second
	all := map[string]*callingCase{
		"a call with sound": {
			calls: 1, sounds: sounds, party: talks,
			steps: steps(connects(playing()), wait(200*time.Millisecond), play("tone.ul"), wait(1300*time.Millisecond), leaves(2)),
			sound: tone,
		},
		"a call with echo": {
			calls: 1, echo: true, party: talks,
			steps: steps(connects(echoing()), wait(1200*time.Millisecond), leaves(2)),
			sound: burst{Hz: 600, From: 300 * time.Millisecond, To: 900 * time.Millisecond},
		},
		"no offer": {
			calls: 1, echo: true, party: talks,
			steps: steps(calling(""), perhaps(100), perhaps(180), status(200, expect("m=audio [1-9].* RTP/AVP 0 8 101")), further("ACK", 1, echoing()),
				wait(1200*time.Millisecond), leaves(2)),
			sound: burst{Hz: 600, From: 300 * time.Millisecond, To: 900 * time.Millisecond},
		},
		"no offer and no answer": {
			calls: 1, steps: steps(calling(""), perhaps(100), status(200), further("ACK", 1, ""), recv("BYE", expect("cause=488")), ok(), wait(100*time.Millisecond)),
		},
		"no ACK": {
			// 64*T1, which is 32 s. Package sip tests the same with a shorter T1.
			long: true, calls: 1, steps: steps(calling(echoing()), perhaps(100), status(200), recv("BYE"), ok(), wait(100*time.Millisecond)),
			check: func(t *testing.T, p *sipp) {
				if n := p.count("SIP/2.0 200"); n < 5 || n > 15 {
					t.Errorf("the answer was sent %d times\n%s", n, p.read("messages.log"))
				}
			},
		},
		"CANCEL while it rings": {
			calls: 1, answer: leg.Answer{Refuse: leg.RefuseRing},
			steps: steps(calling(echoing()), perhaps(100), status(180), wait(200*time.Millisecond), cancel(), status(200, expect("CSeq: 1 CANCEL")),
				status(487, expect("CSeq: 1 INVITE")), acknowledge(1)),
		},
		"OPTIONS": {
			steps: steps(outside("OPTIONS", 1), status(200, expect("Allow: .*INVITE"), expect("Accept: application/sdp"))),
		},
		"hold and resume": {
			calls: 1, steps: steps(connects(echoing()), wait(200*time.Millisecond),
				further("INVITE", 2, echoing("a=sendonly")), perhaps(100), status(200, expect("a=recvonly")), further("ACK", 2, ""), wait(300*time.Millisecond),
				further("INVITE", 3, echoing("a=sendrecv")), perhaps(100), status(200, expect("a=sendrecv")), further("ACK", 3, ""), wait(200*time.Millisecond), leaves(4)),
		},
		"hold by address": {
			calls: 1, steps: steps(connects(echoing()), wait(100*time.Millisecond),
				further("INVITE", 2, "v=0\no=a 1 2 IN IP4 0.0.0.0\ns=-\nc=IN IP4 0.0.0.0\nt=0 0\nm=audio [media_port] RTP/AVP 0\n"), perhaps(100), status(200), further("ACK", 2, ""),
				wait(200*time.Millisecond), leaves(3)),
		},
		"session refresh": {
			calls: 1, steps: steps(connects(echoing(), "Supported: timer", "Session-Expires: 90"), wait(100*time.Millisecond),
				further("UPDATE", 2, "", "Supported: timer", "Session-Expires: 90;refresher=uac"), status(200, expect("Session-Expires: 90;refresher=uac")),
				further("INVITE", 3, echoing(), "Supported: timer", "Session-Expires: 90;refresher=uac"), perhaps(100), status(200, expect("Session-Expires: 90;refresher=uac")),
				further("ACK", 3, ""), leaves(4)),
		},
		"re-INVITE that cannot be": {
			calls: 1, steps: steps(connects(echoing()), further("INVITE", 2, sdp("[media_port]", "18")), perhaps(100), status(488), acknowledge(2),
				further("INVITE", 3, "rubbish"), perhaps(100), status(488), acknowledge(3), wait(200*time.Millisecond), leaves(4)),
		},
		"wrong sequence numbers": {
			calls: 1, steps: steps(connects(echoing()), further("OPTIONS", 20, ""), status(200), further("BYE", 5, ""), status(500), wait(200*time.Millisecond), leaves(21)),
		},
		"the server hangs up along the record-route": {
			calls: 1, party: talker{hangUpAt: 500 * time.Millisecond},
			steps: steps(connects(echoing(), "Record-Route: <sip:[local_ip]:[local_port];lr;transport=[transport];n=1>, <sip:[local_ip]:[local_port];lr;transport=[transport];n=2>"),
				recv("BYE", expect("Route: .*n=1.*Route: .*n=2")), ok(), wait(100*time.Millisecond)),
		},
		"BYE before the ACK": {
			calls: 1, steps: steps(calling(echoing()), perhaps(100), status(200), further("BYE", 2, ""), status(200, expect("CSeq: 2 BYE")), further("ACK", 1, ""), wait(200*time.Millisecond)), udp: true,
		},
		"a forked copy": {
			calls: 1, udp: true, steps: steps(calling(echoing()), perhaps(100), perhaps(180), status(200, keep("To:", "to")), further("ACK", 1, ""),
				step("<send><![CDATA[\nINVITE sip:+15557654321@[remote_ip]:[remote_port] SIP/2.0\nVia: SIP/2.0/UDP [local_ip]:[local_port];branch=z9hG4bK-copy-[call_number]\n"+
					"From: <sip:+15551112222@[local_ip]:[local_port]>;tag=near-[call_number]\nTo: <sip:+15557654321@[remote_ip]:[remote_port]>\nCall-ID: [call_id]\nCSeq: 1 INVITE\nMax-Forwards: 70\nContact: <sip:near@[local_ip]:[local_port]>\nContent-Length: 0\n\n]]></send>\n"),
				perhaps(100), status(482), acknowledge(1), wait(100*time.Millisecond),
				step("<send><![CDATA[\nBYE sip:[remote_ip]:[remote_port] SIP/2.0\nVia: SIP/2.0/UDP [local_ip]:[local_port];branch=[branch]\n"+
					"From: <sip:+15551112222@[local_ip]:[local_port]>;tag=near-[call_number]\nTo:[$to]\nCall-ID: [call_id]\nCSeq: 2 BYE\nMax-Forwards: 70\nContent-Length: 0\n\n]]></send>\n"),
				status(200)),
		},
		"busy":     {calls: 1, answer: leg.Answer{Refuse: leg.RefuseBusy}, steps: rejected(486, echoing()).steps},
		"declined": {calls: 1, answer: leg.Answer{Refuse: leg.RefuseDecline}, steps: rejected(603, echoing()).steps},
		"unknown":  {calls: 1, answer: leg.Answer{Refuse: leg.RefuseUnknown}, steps: rejected(404, echoing()).steps},
		"overload": {calls: 1, answer: leg.Answer{Refuse: leg.RefuseOverload}, steps: steps(calling(echoing()), perhaps(100), status(503, expect("Retry-After: [0-9]")), acknowledge(1))},
		"rings":    {calls: 1, answer: leg.Answer{RingFor: second}, steps: steps(calling(echoing()), perhaps(100), status(180), status(200), further("ACK", 1, ""), leaves(2))},

		"garbage description": rejected(488, "nothing of the kind\n"),
		"another codec":       {calls: 1, steps: rejected(488, sdp("[media_port]", "18")).steps},
		"port 0":              {calls: 1, steps: rejected(488, sdp("0", "0")).steps},
		"accepts no sdp":      rejected(406, echoing(), "Accept: text/nothing-known"),
		"credentials": {
			calls: 1, server: func(o *sip.ServerOptions) { o.User, o.Password = "me", "right" }, extra: []string{"-au", "me", "-ap", "right"},
			steps: steps(calling(echoing()), perhaps(100), step("<recv response=\"401\" auth=\"true\"></recv>\n"), acknowledge(1),
				step("<send retrans=\"500\"><![CDATA[\nINVITE sip:+15557654321@[remote_ip]:[remote_port] SIP/2.0\nVia: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]\n"+
					"From: <sip:+15551112222@[local_ip]:[local_port]>;tag=near-[call_number]\nTo: <sip:+15557654321@[remote_ip]:[remote_port]>\nCall-ID: [call_id]\nCSeq: 2 INVITE\n"+
					"Contact: <sip:near@[local_ip]:[local_port];transport=[transport]>\nMax-Forwards: 70\n[authentication]\nContent-Type: application/sdp\nContent-Length: [len]\n\n"+echoing()+"]]></send>\n"),
				perhaps(100), perhaps(180), status(200), further("ACK", 2, ""), leaves(3)),
		},
	}
	wrong := *all["credentials"]
	wrong.calls, wrong.extra = 0, []string{"-au", "me", "-ap", "wrong"}
	wrong.steps = append(append([]step{}, wrong.steps[:5]...), perhaps(100), status(401), acknowledge(2))
	all["wrong credentials"] = &wrong
	return all
}

// cancel returns the CANCEL of the INVITE that was sent.
func cancel() step {
	return step("<send><![CDATA[\nCANCEL sip:+15557654321@[remote_ip]:[remote_port] SIP/2.0\n[last_Via:]\n[last_From:]\n" +
		"To: <sip:+15557654321@[remote_ip]:[remote_port]>\n[last_Call-ID:]\nCSeq: 1 CANCEL\nMax-Forwards: 70\nContent-Length: 0\n\n]]></send>\n")
}

// outside returns a request that belongs to no call.
func outside(method string, seq int) step {
	return step("<send retrans=\"500\"><![CDATA[\n" + method + " sip:[remote_ip]:[remote_port] SIP/2.0\nVia: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]\n" +
		"From: <sip:near@[local_ip]:[local_port]>;tag=near-[call_number]\nTo: <sip:[remote_ip]:[remote_port]>\nCall-ID: [call_id]\nCSeq: " +
		string(rune('0'+seq)) + " " + method + "\nMax-Forwards: 70\nContent-Length: 0\n\n]]></send>\n")
}
