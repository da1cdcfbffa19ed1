package foreign

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/icholy/digest"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/sip"
)

func calledCases() map[string]*calledCase {
	all := refusals()
	maps.Copy(all, answers())
	maps.Copy(all, cancellations())
	maps.Copy(all, dialogs())
	maps.Copy(all, challenges())
	return all
}

// refused is a call that ends with a final response from sipp.
func refused(status string, code call.EndCode, blame call.Blame, words []string, headers ...string) *calledCase {
	return &calledCase{
		steps: steps(invited(), toInvite(status, "", headers...), recv("ACK")),
		code:  code, blame: blame, words: words,
		check: func(t *testing.T, a call.Attempt, p *sipp, _ *leg.Tape) {
			if !a.AnsweredAt.IsZero() || p.count("BYE") != 0 {
				t.Errorf("answered %v, and sipp saw %q", a.AnsweredAt, p.got())
			}
		},
	}
}

func refusals() map[string]*calledCase {
	return map[string]*calledCase{
		"302":              refused("302 Moved Temporarily", call.EndUnreachable, call.BlameLine, []string{"302", "redirects are not followed"}),
		"404":              refused("404 Not Found", call.EndUnreachable, call.BlameLine, []string{"404 Not Found"}),
		"480":              refused("480 Temporarily Unavailable", call.EndNoAnswer, call.BlameAgent, []string{"480"}),
		"486":              refused("486 Busy Here", call.EndBusy, call.BlameAgent, []string{"486"}),
		"488":              refused("488 Not Acceptable Here", call.EndCodecMismatch, call.BlameLine, []string{"488"}, `Warning: 304 far "no codec"`),
		"503":              refused("503 Service Unavailable", call.EndUnreachable, call.BlameLine, []string{"503", "try again after 7 s"}, "Retry-After: 7 (busy)"),
		"603":              refused("603 Decline", call.EndDeclined, call.BlameAgent, []string{"603", "cause=21"}, "Reason: Q.850;cause=21"),
		"403":              refused("403 Forbidden", call.EndDeclined, call.BlameLine, []string{"403 Forbidden"}),
		"480, no circuit":  refused("480 Temporarily Unavailable", call.EndUnreachable, call.BlameLine, []string{"SIP;cause=480, Q.850;cause=34"}, "Reason: SIP;cause=480", "Reason: Q.850;cause=34"),
		"odd":              refused("499 Something of our own", call.EndUnreachable, call.BlameLine, []string{"499 Something of our own"}),
		"no reason phrase": refused("486 ", call.EndBusy, call.BlameAgent, []string{"486"}),
	}
}

func wasAnswered(t *testing.T, a call.Attempt, _ *sipp, _ *leg.Tape) {
	t.Helper()
	if a.AnsweredAt.IsZero() || a.EndReason.Code != "" {
		t.Errorf("answered %v, end %+v", a.AnsweredAt, a.EndReason)
	}
}

// holds requires the bursts on the agent's channel of the recording.
func holds(said ...burst) func(*testing.T, *leg.Tape) {
	return func(t *testing.T, tape *leg.Tape) {
		t.Helper()
		hears(t, "the agent's channel", tape.Channel(leg.AgentChannel), said...)
	}
}

func answers() map[string]*calledCase {
	tone := muLaw(sing(samples(600*time.Millisecond), burst{Hz: 1000, To: 600 * time.Millisecond}))
	early := muLaw(sing(samples(400*time.Millisecond), burst{Hz: 620, To: 400 * time.Millisecond}))
	sounds := map[string][]byte{"tone.ul": tone, "early.ul": early}
	said := burst{Hz: 1000, To: 600 * time.Millisecond}
	talks := talker{hangUpAt: 1500 * time.Millisecond}
	var many []step
	for range 12 {
		many = append(many, toInvite("180 Ringing", ""), wait(20*time.Millisecond))
	}
	mismatch := func(body string, words ...string) *calledCase {
		return &calledCase{
			steps: steps(invited(), toInvite("200 OK", body), recv("ACK"), recv("BYE", expect("cause=488")), ok()),
			code:  call.EndCodecMismatch, blame: call.BlameLine, words: words,
			check: func(t *testing.T, a call.Attempt, _ *sipp, _ *leg.Tape) {
				if !a.AnsweredAt.IsZero() {
					t.Error("a call without media counts as answered")
				}
			},
		}
	}
	return map[string]*calledCase{
		"180 then 200": {
			steps: steps(invited(), toInvite("180 Ringing", ""), wait(100*time.Millisecond), toInvite("200 OK", echoing()), recv("ACK"), hangsUp()),
			party: brief(),
			check: func(t *testing.T, a call.Attempt, _ *sipp, _ *leg.Tape) {
				if a.RingingAt.IsZero() || a.AnsweredAt.IsZero() || a.Codec != "PCMU" {
					t.Errorf("ringing %v, answered %v, codec %q", a.RingingAt, a.AnsweredAt, a.Codec)
				}
			},
		},
		"183 with media then 200": {
			sounds: sounds, party: talks,
			steps: steps(invited(), toInvite("183 Session Progress", playing()), play("early.ul"), wait(700*time.Millisecond),
				toInvite("200 OK", playing()), recv("ACK"), wait(200*time.Millisecond), play("tone.ul"), hangsUp()),
			check: func(t *testing.T, a call.Attempt, _ *sipp, _ *leg.Tape) {
				if !has(a, call.KindEarlyMedia) || a.Stats.Lost != 0 {
					t.Errorf("lost %d, timeline %+v", a.Stats.Lost, a.Timeline)
				}
			},
			sound: func(t *testing.T, tape *leg.Tape) {
				holds(said)(t, tape)
				if got := found(tape.Channel(leg.AgentChannel), 620); len(got) != 0 {
					t.Errorf("what came before the answer is on the recording: %v", got)
				}
			},
		},
		"183 with media then 200 without": {
			sounds: sounds, party: talks,
			steps: steps(invited(), toInvite("183 Session Progress", playing()), wait(100*time.Millisecond), toInvite("200 OK", ""),
				recv("ACK"), wait(100*time.Millisecond), play("tone.ul"), hangsUp()),
			check: wasAnswered, sound: holds(said),
		},
		"12 provisional answers": {
			steps: steps(invited(), many, toInvite("200 OK", echoing()), recv("ACK"), hangsUp()),
			party: brief(), check: wasAnswered,
		},
		"200 repeated": {
			// sipp absorbs the repeated ACK itself; over TCP nothing else shows that the 200 was
			// received.
			steps: steps(invited(), toInvite("200 OK", echoing()), recv("ACK"), wait(300*time.Millisecond), toInvite("200 OK", echoing()),
				maybe("ACK"), recv("BYE"), ok(), wait(100*time.Millisecond)),
			party: talker{hangUpAt: 1500 * time.Millisecond},
			check: func(t *testing.T, a call.Attempt, p *sipp, _ *leg.Tape) {
				wasAnswered(t, a, p, nil)
				if n := p.count("ACK"); n < 2 || n > 20 {
					t.Errorf("%d ACKs came for an answer that was repeated once", n)
				}
			},
		},
		"forked": {
			steps: steps(invited(), toInvite("180 Ringing", ""), taggedReply("180 Ringing", "other", ""), wait(50*time.Millisecond),
				toInvite("200 OK", echoing()), recv("ACK", expect("far-")), taggedReply("200 OK", "other", echoing()), recv("ACK", expect("tag=other")),
				recv("BYE", expect("tag=other")), ok(), recv("BYE", expect("tag=far-")), ok(), wait(100*time.Millisecond)),
			party: talker{hangUpAt: 1500 * time.Millisecond}, check: wasAnswered,
		},
		"record-route": {
			steps: steps(invited(), toInvite("200 OK", echoing(),
				"Record-Route: <sip:[local_ip]:[local_port];lr;transport=[transport];n=2>, <sip:[local_ip]:[local_port];lr;transport=[transport];n=1>"),
				recv("ACK", expect("Route: .*n=1.*Route: .*n=2")), recv("BYE", expect("Route: .*n=1.*Route: .*n=2")), ok(), wait(100*time.Millisecond)),
			party: brief(), check: wasAnswered,
		},
		"another number in the answer's CSeq": {
			steps: steps(invited(), step("<nop><action><assignstr assign_to=\"cseq\" value=\" 77 INVITE\"/></action></nop>\n"),
				toInvite("200 OK", echoing()), recv("ACK", expect("CSeq: 1 ACK")), hangsUp()),
			party: brief(), check: wasAnswered,
		},
		"no Contact": {
			steps: steps(invited(), raw([]string{"SIP/2.0 200 OK", "Via:[$via]", "From:[$from]", "To:[$to];tag=far-1", "[last_Call-ID:]", "CSeq:[$cseq]"}, echoing()),
				recv("ACK"), hangsUp()),
			party: brief(), check: wasAnswered,
		},
		"a-law": {
			steps: steps(invited(), toInvite("200 OK", sdp("[media_port]", "8 101")), recv("ACK"), hangsUp()),
			echo:  true, party: talker{says: []burst{{Hz: 500, From: 200 * time.Millisecond, To: 700 * time.Millisecond}}, hangUpAt: time.Second},
			check: func(t *testing.T, a call.Attempt, _ *sipp, _ *leg.Tape) {
				if a.Codec != "PCMA" {
					t.Errorf("codec %q", a.Codec)
				}
			},
			sound: holds(burst{Hz: 500, From: 200 * time.Millisecond, To: 700 * time.Millisecond}),
		},
		"echo": {
			steps: steps(invited(), toInvite("200 OK", echoing()), recv("ACK"), hangsUp()),
			echo:  true, party: talker{says: []burst{{Hz: 440, From: 200 * time.Millisecond, To: 500 * time.Millisecond},
				{Hz: 1300, From: 700 * time.Millisecond, To: 1200 * time.Millisecond}}, hangUpAt: 1500 * time.Millisecond},
			sound: func(t *testing.T, tape *leg.Tape) {
				back := tape.Channel(leg.AgentChannel)
				at := hears(t, "the echo", back, burst{Hz: 440, From: 200 * time.Millisecond, To: 500 * time.Millisecond},
					burst{Hz: 1300, From: 700 * time.Millisecond, To: 1200 * time.Millisecond})
				if at < 195*time.Millisecond || at > 300*time.Millisecond {
					t.Errorf("the echo of what was said at 200 ms is laid at %v", at)
				}
				own := tape.Channel(leg.CallerChannel)[samples(200*time.Millisecond):samples(500*time.Millisecond)]
				_, begins := likeness(back, own, samples(150*time.Millisecond), samples(300*time.Millisecond))
				if like := frameByFrame(back, own, begins); slices.Min(like) < 0.98 {
					t.Errorf("the echo correlates with what was said, frame by frame, by %.3f", like)
				}
			},
		},
		"media from another port": {
			sounds: sounds, party: talks,
			steps: steps(invited(), toInvite("200 OK", sdp("9", "0 101")), step(""), recv("ACK"), play("tone.ul"), hangsUp()),
			check: func(t *testing.T, a call.Attempt, _ *sipp, _ *leg.Tape) {
				if !has(a, call.KindSourceChanged) {
					t.Errorf("timeline %+v", a.Timeline)
				}
			},
			sound: holds(said),
		},
		"no media": {
			steps: steps(invited(), toInvite("200 OK", echoing()), recv("ACK"), hangsUp()), silence: time.Second,
			code: call.EndMediaLost, blame: call.BlameLine, words: []string{"no audio ever arrived"},
		},
		"media stops": {
			sounds: sounds, silence: 2 * time.Second, // on a busy machine sipp takes a while before it plays
			steps: steps(invited(), toInvite("200 OK", playing()), recv("ACK"), play("tone.ul"), hangsUp()),
			code:  call.EndMediaLost, blame: call.BlameLine, words: []string{"stopped"},
		},
		"garbage description": mismatch("this is\nno session=description\n"),
		"no description":      mismatch("", "no session description"),
		"address of no kind":  mismatch("v=0\no=- 1 1 IN IP4 x\ns=-\nc=IN IP4 not-an-address\nt=0 0\nm=audio 4000 RTP/AVP 0\n", "not-an-address"),
		"another codec":       mismatch(sdp("[media_port]", "18"), "none of the codecs offered"),
		"port 0":              mismatch(sdp("0", "0"), "port 0"),
		"no audio, only fax":  mismatch("v=0\no=- 1 1 IN IP4 127.0.0.1\ns=-\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio 0 RTP/AVP 0\nm=image 4000 udptl t38\n"),
	}
}

func cancellations() map[string]*calledCase {
	return map[string]*calledCase{
		"no answer": {
			steps: steps(invited(), toInvite("180 Ringing", ""), recv("CANCEL"), ok(), toInvite("487 Request Terminated", ""), recv("ACK")),
			ring:  2 * time.Second, code: call.EndNoAnswer, blame: call.BlameAgent,
		},
		"100 only": {
			steps: steps(invited(), toInvite("100 Trying", ""), recv("CANCEL"), ok(), toInvite("487 Request Terminated", ""), recv("ACK")),
			ring:  2 * time.Second, code: call.EndNoAnswer, blame: call.BlameAgent, words: []string{"no sign that it rang"},
			check: func(t *testing.T, a call.Attempt, _ *sipp, _ *leg.Tape) {
				if !a.RingingAt.IsZero() {
					t.Error("100 Trying counts as ringing")
				}
			},
		},
		"late 200 after CANCEL": {
			steps: steps(invited(), toInvite("180 Ringing", ""), recv("CANCEL"), ok(), wait(300*time.Millisecond), toInvite("200 OK", echoing()),
				recv("ACK"), recv("BYE"), ok(), wait(100*time.Millisecond)),
			ring: 2 * time.Second, code: call.EndNoAnswer, blame: call.BlameAgent,
		},
		"200 that crosses the CANCEL": {
			steps: steps(invited(), toInvite("180 Ringing", ""), recv("CANCEL"), toInvite("200 OK", echoing()), recv("ACK"), recv("BYE"), ok(), wait(100*time.Millisecond)),
			ring:  2 * time.Second, code: call.EndNoAnswer, blame: call.BlameAgent,
		},
		"200 long after we stopped waiting": {
			steps: steps(invited(), toInvite("180 Ringing", ""), recv("CANCEL"), ok(), wait(6*time.Second), toInvite("200 OK", echoing()),
				recv("ACK"), recv("BYE"), ok(), wait(100*time.Millisecond)),
			ring: 2 * time.Second, code: call.EndNoAnswer, blame: call.BlameAgent,
		},
		"CANCEL is refused": {
			steps: steps(invited(), toInvite("180 Ringing", ""), recv("CANCEL"), toLast("481 Call Does Not Exist", ""), toInvite("480 Gone", ""), recv("ACK")),
			ring:  2 * time.Second, code: call.EndNoAnswer, blame: call.BlameAgent,
		},
	}
}

func dialogs() map[string]*calledCase {
	stays := talker{}
	return map[string]*calledCase{
		"BYE with Reason": {
			steps: steps(invited(), toInvite("200 OK", echoing()), recv("ACK"), wait(300*time.Millisecond),
				within("BYE", 1, "", `Reason: Q.850;cause=31;text="ours"`), status(200)),
			party: stays, code: call.EndAgentHungUp, blame: call.BlameAgent, words: []string{"cause=31"},
		},
		"BYE of the network": {
			steps: steps(invited(), toInvite("200 OK", echoing()), recv("ACK"), wait(300*time.Millisecond),
				within("BYE", 1, "", `Reason: SIP;cause=503`, `Reason: Q.850;cause=38;text="Network out of order"`), status(200)),
			party: stays, code: call.EndMediaLost, blame: call.BlameLine, words: []string{"the telephone network ended the call", "cause=38"},
		},
		"hold and resume": {
			steps: steps(invited(), toInvite("200 OK", echoing()), recv("ACK"), wait(300*time.Millisecond),
				within("INVITE", 1, echoing("a=sendonly")), perhaps(100), status(200, expect("a=recvonly")), within("ACK", 1, ""), wait(500*time.Millisecond),
				within("INVITE", 2, echoing("a=sendrecv")), perhaps(100), status(200, expect("a=sendrecv")), within("ACK", 2, ""), wait(300*time.Millisecond),
				within("INVITE", 3, echoing("a=inactive")), perhaps(100), status(200, expect("a=inactive")), within("ACK", 3, ""), wait(200*time.Millisecond),
				within("BYE", 4, ""), status(200)),
			party: stays, echo: true, code: call.EndAgentHungUp, blame: call.BlameAgent,
			check: func(t *testing.T, a call.Attempt, _ *sipp, _ *leg.Tape) {
				if !has(a, call.KindHeld) || !has(a, call.KindResumed) {
					t.Errorf("timeline %+v", a.Timeline)
				}
			},
		},
		"session refresh": {
			steps: steps(invited(), toInvite("200 OK", echoing(), "Session-Expires: 90;refresher=uas", "Require: timer"), recv("ACK"), wait(200*time.Millisecond),
				within("UPDATE", 1, "", "Supported: timer", "Session-Expires: 1800;refresher=uac"), status(200, expect("Session-Expires: 1800")),
				within("INVITE", 2, echoing(), "Supported: timer", "Session-Expires: 1800;refresher=uac"), perhaps(100), status(200, expect("Session-Expires: 1800")),
				within("ACK", 2, ""), wait(200*time.Millisecond),
				within("UPDATE", 3, echoing()), status(200, expect("m=audio")), within("INVITE", 4, ""), perhaps(100), status(200, expect("m=audio")),
				within("ACK", 4, echoing()), hangsUp()),
			party: talker{hangUpAt: 2 * time.Second}, check: wasAnswered,
		},
		"wrong sequence numbers": {
			steps: steps(invited(), toInvite("200 OK", echoing()), recv("ACK"), wait(100*time.Millisecond),
				within("OPTIONS", 10, ""), status(200), within("BYE", 4, ""), status(500), within("INFO", 9, ""), status(500),
				wait(300*time.Millisecond), within("BYE", 11, ""), status(200)),
			party: stays, code: call.EndAgentHungUp, blame: call.BlameAgent,
			check: func(t *testing.T, a call.Attempt, _ *sipp, _ *leg.Tape) {
				if d := a.EndedAt.Sub(a.AnsweredAt); d < 350*time.Millisecond {
					t.Errorf("a BYE with an old number ended the call after %v", d)
				}
			},
		},
		"requests of another call": {
			steps: steps(invited(), toInvite("200 OK", echoing()), recv("ACK"), wait(100*time.Millisecond),
				raw([]string{"BYE [$contact] SIP/2.0", "Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]", "From:[$to];tag=nobody", "To: <sip:a@b>;tag=none",
					"Call-ID: [call_id]", "CSeq: 5 BYE", "Max-Forwards: 70"}, ""), status(481), hangsUp()),
			party: talker{hangUpAt: time.Second}, check: wasAnswered,
		},
		"BYE is never answered": {
			steps: steps(invited(), toInvite("200 OK", echoing()), recv("ACK"), recv("BYE"), wait(5*time.Second)),
			party: brief(), check: wasAnswered,
		},
		"BYE is refused": {
			steps: steps(invited(), toInvite("200 OK", echoing()), recv("ACK"), recv("BYE"), toLast("481 Call Does Not Exist", ""), wait(100*time.Millisecond)),
			party: brief(), check: wasAnswered,
		},
		"both hang up at once": {
			steps: steps(invited(), toInvite("200 OK", echoing()), recv("ACK"), recv("BYE"), ok(), within("BYE", 1, ""), step("<recv response=\"200\" optional=\"true\" next=\"1\"></recv>\n<recv response=\"481\"></recv>\n<label id=\"1\"/>\n")),
			party: brief(), check: wasAnswered,
		},
	}
}

func challenges() map[string]*calledCase {
	const proxy, far = "407 Proxy Authentication Required", "401 Unauthorized"
	ask := func(status, nonce, more string) step {
		header := "WWW-Authenticate"
		if status == proxy {
			header = "Proxy-Authenticate"
		}
		return toInvite(status, "", header+`: Digest realm="far", nonce="`+nonce+`", algorithm=MD5, qop="auth"`+more)
	}
	login := func(password string) func(*sip.Trunk) {
		return func(t *sip.Trunk) { t.User, t.Password = "me", password }
	}
	again := func(actions ...string) step {
		return recv("INVITE", keep("Via:", "via"), keep("CSeq:", "cseq"), strings.Join(actions, ""))
	}
	// sipp itself verifies an Authorization; we verify a Proxy-Authorization.
	checked := again(`<verifyauth assign_to="seen" username="me" password="right"/>` + "\n")
	decide := steps(step("<nop next=\"9\" test=\"seen\"></nop>\n"), toInvite("403 Forbidden", ""), recv("ACK"),
		step("<nop next=\"10\"></nop>\n<label id=\"9\"/>\n"), toInvite("200 OK", echoing()), recv("ACK"), hangsUp(), step("<label id=\"10\"/>\n"))
	return map[string]*calledCase{
		"401, right password": {
			steps: steps(invited(), ask(far, "n1", ""), recv("ACK"), checked, decide),
			party: brief(), trunk: login("right"), check: wasAnswered,
		},
		"401, stale": {
			steps: steps(invited(), ask(far, "n1", ""), recv("ACK"), again(), ask(far, "n2", ", stale=true"), recv("ACK"), checked, decide),
			party: brief(), trunk: login("right"), check: wasAnswered,
		},
		"407, right password": {
			steps: steps(invited(), ask(proxy, "n1", ""), recv("ACK"), again(), toInvite("200 OK", echoing()), recv("ACK"), hangsUp()),
			party: brief(), trunk: login("right"),
			check: func(t *testing.T, a call.Attempt, p *sipp, _ *leg.Tape) {
				wasAnswered(t, a, p, nil)
				if !credentials(t, p, "right") || credentials(t, p, "wrong") {
					t.Error("the credentials are not those of the password")
				}
			},
		},
		"407 and then 401": {
			steps: steps(invited(), ask(proxy, "n1", ""), recv("ACK"), again(), ask(far, "n2", ""), recv("ACK"), checked, decide),
			party: brief(), trunk: login("right"),
			check: func(t *testing.T, a call.Attempt, p *sipp, _ *leg.Tape) {
				wasAnswered(t, a, p, nil)
				if n := strings.Count(p.read("messages.log"), "\nProxy-Authorization:"); n < 2 {
					t.Errorf("the proxy's credentials came %d times, want them again with the far end's", n)
				}
			},
		},
		"407, wrong password": {
			// The same credentials must not be offered again and again, because that locks
			// accounts.
			steps: steps(invited(), ask(proxy, "n1", ""), recv("ACK"), again(), ask(proxy, "n2", ""), recv("ACK"), wait(300*time.Millisecond)),
			trunk: login("wrong"), code: call.EndUnreachable, blame: call.BlameLine, words: []string{"407", "user and password"},
		},
		"407, no password": {
			steps: steps(invited(), ask(proxy, "n1", ""), recv("ACK"), wait(100*time.Millisecond)),
			code:  call.EndUnreachable, blame: call.BlameLine, words: []string{"407"},
		},
		"401 without a challenge": {
			steps: steps(invited(), toInvite(far, ""), recv("ACK"), wait(100*time.Millisecond)),
			trunk: login("right"), code: call.EndUnreachable, blame: call.BlameLine, words: []string{"without a digest challenge"},
		},
	}
}

// credentials reports whether the Proxy-Authorization that sipp saw is correct for the password.
func credentials(t *testing.T, p *sipp, password string) bool {
	t.Helper()
	_, text, ok := strings.Cut(p.read("messages.log"), "\nProxy-Authorization: ")
	text, _, _ = strings.Cut(text, "\r\n")
	if text, _, _ = strings.Cut(text, "\n"); !ok {
		t.Fatal("no credentials came")
	}
	got, err := digest.ParseCredentials(text)
	if err != nil {
		t.Fatal(err)
	}
	want, err := digest.Digest(&digest.Challenge{Realm: "far", Nonce: "n1", Algorithm: "MD5", QOP: []string{"auth"}},
		digest.Options{Method: "INVITE", URI: got.URI, Username: "me", Password: password, Cnonce: got.Cnonce, Count: got.Nc})
	if err != nil {
		t.Fatal(err)
	}
	return want.Response == got.Response
}
