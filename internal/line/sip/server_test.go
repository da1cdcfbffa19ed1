package sip

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	msg "github.com/emiago/sipgo/sip"
	"github.com/icholy/digest"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/sip/siptest"
	"github.com/ringtrue/ringtrue/internal/problem"
)

func server(t testing.TB, change func(*ServerOptions)) *Server {
	t.Helper()
	o := ServerOptions{Now: time.Now, times: quick(), Answerer: func(context.Context, leg.Incoming) leg.Answer {
		return leg.Answer{Party: &mute{}}
	}}
	if change != nil {
		change(&o)
	}
	s, err := Listen(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close(context.Background()) })
	return s
}

// call sends a bare INVITE to the server.
func (p *peer) call(s *Server, body string) { p.callAs(s, p.conn.LocalAddr().String(), body) }

// callAs is call with this address in the Contact.
func (p *peer) callAs(s *Server, contact, body string) {
	p.t.Helper()
	text := "INVITE sip:+1555@" + s.Addr().String() + " SIP/2.0\r\nVia: SIP/2.0/UDP " + p.conn.LocalAddr().String() +
		";branch=z9hG4bKcall\r\nFrom: <sip:peer@127.0.0.1>;tag=peer-tag\r\nTo: <sip:+1555@127.0.0.1>\r\nCall-ID: bare\r\nCSeq: 1 INVITE\r\nContact: <sip:peer@" +
		contact + ">\r\nMax-Forwards: 70\r\nContent-Type: application/sdp\r\n"
	p.write(text+"Content-Length: "+itoa(len(body))+"\r\n\r\n"+body, s.Addr().String())
}

// asks sends the server a bare request of the call that callAs began, within the dialog with this
// tag; "" means none yet.
func (p *peer) asks(s *Server, method string, seq int, tag, body string) {
	p.t.Helper()
	if tag != "" {
		tag = ";tag=" + tag
	}
	p.write(fmt.Sprintf("%s sip:+1555@%s SIP/2.0\r\nVia: SIP/2.0/UDP %s;branch=z9hG4bK%s%d\r\nFrom: <sip:peer@127.0.0.1>;tag=peer-tag\r\nTo: <sip:+1555@127.0.0.1>%s\r\n"+
		"Call-ID: bare\r\nCSeq: %d %s\r\nContact: <sip:peer@%s>\r\nMax-Forwards: 70\r\nContent-Type: application/sdp\r\nContent-Length: %d\r\n\r\n%s",
		method, s.Addr(), p.conn.LocalAddr(), method, seq, tag, seq, method, p.conn.LocalAddr(), len(body), body), s.Addr().String())
}

// TestACallerGivesUpByABye checks that a caller may also give up with a BYE before there is an
// answer; nobody may then talk to it.
func TestACallerGivesUpByABye(t *testing.T) {
	t.Parallel()
	over := make(chan struct{})
	s := server(t, func(o *ServerOptions) {
		o.Answerer = func(context.Context, leg.Incoming) leg.Answer {
			return leg.Answer{Party: &mute{}, RingFor: patient, Done: func() { close(over) }}
		}
	})
	p := newPeer(t)
	p.asks(s, "INVITE", 1, "", p.sdp("0", "sendrecv"))
	ringing := <-p.res
	for ringing.StatusCode != 180 {
		ringing = <-p.res
	}
	p.asks(s, "CANCEL", 2, farTag(ringing), "") // there is nothing it could cancel
	p.gets(2, 481)
	p.asks(s, "BYE", 3, farTag(ringing), "")
	codes := map[uint32]int{}
	for len(codes) < 2 {
		res := p.response()
		codes[res.CSeq().SeqNo] = res.StatusCode
	}
	if codes[3] != 200 || codes[1] != 487 {
		t.Errorf("answers by the numbers of the requests: %v, want 487 to 1 and 200 to 3", codes)
	}
	select {
	case <-over:
	case <-time.After(patient / 2):
		t.Error("it goes on ringing")
	}
}

// TestASecondTryIsNoLoop checks that a second attempt is not taken for a loop although the refusal
// of the first has not been acknowledged yet.
func TestASecondTryIsNoLoop(t *testing.T) {
	t.Parallel()
	s := server(t, func(o *ServerOptions) { o.times.refused = patient })
	p := newPeer(t)
	p.asks(s, "INVITE", 1, "", p.sdp("18", "sendrecv"))
	p.gets(1, 488)
	p.asks(s, "INVITE", 2, "", p.sdp("0", "sendrecv"))
	res := p.responseTo(2)
	if res.StatusCode != 200 {
		t.Fatalf("the answer is %v, want 200", res)
	}
	p.asks(s, "ACK", 2, farTag(res), "")
	p.asks(s, "BYE", 3, farTag(res), "")
	p.gets(3, 200)
	p.asks(s, "ACK", 1, "", "")
}

// TestAByeInPlaceOfTheAnswerToOurOffer checks that a BYE instead of the answer to our offer ends
// the call, without a BYE of ours.
func TestAByeInPlaceOfTheAnswerToOurOffer(t *testing.T) {
	t.Parallel()
	over := make(chan struct{})
	s := server(t, func(o *ServerOptions) {
		o.Answerer = func(context.Context, leg.Incoming) leg.Answer {
			return leg.Answer{Party: &mute{}, Done: func() { close(over) }}
		}
	})
	p := newPeer(t)
	p.asks(s, "INVITE", 1, "", "")
	res := p.responseTo(1)
	p.asks(s, "BYE", 2, farTag(res), "")
	p.gets(2, 200)
	<-over
	if got := p.methods(); len(got) > 0 {
		t.Errorf("it was sent %v", got)
	}
}

func itoa(n int) string { return strconv.Itoa(n) }

func TestServerWithoutAckGivesUpAndSaysBye(t *testing.T) {
	t.Parallel()
	over := make(chan struct{})
	s := server(t, func(o *ServerOptions) {
		o.Answerer = func(context.Context, leg.Incoming) leg.Answer {
			return leg.Answer{Party: &mute{}, Done: func() { close(over) }}
		}
		o.times.t1 = 15 * time.Millisecond // 64*T1 is a second
	})
	p := newPeer(t)
	p.call(s, p.sdp("0", "sendrecv"))
	if r := p.response(); r.StatusCode != 200 {
		t.Fatalf("the answer is %v, want 200", r)
	}
	if r := p.response(); r.StatusCode != 200 {
		t.Error("the 200 was not repeated")
	}
	p.reply(p.next(msg.BYE), 200, "OK", "")
	select {
	case <-over:
	case <-time.After(patient):
		t.Error("the call never ended")
	}
}

func TestServerRefusesWhatItCannotHear(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ media, why string }{
		"codec":     {"m=audio 4000 RTP/AVP 18\r\n", "no supported codec"},
		"encrypted": {"m=audio 4000 RTP/SAVP 0\r\n", "only over 'RTP/SAVP', which is not supported"},
		"no audio":  {"m=audio 0 RTP/AVP 0\r\n", "no audio over RTP/AVP"},
		"rubbish":   {"x", "no audio over RTP/AVP"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, p := server(t, nil), newPeer(t)
			p.call(s, "v=0\r\nc=IN IP4 127.0.0.1\r\n"+c.media)
			if r := p.response(); r.StatusCode != 488 || !strings.Contains(value(r, "Warning"), c.why) {
				t.Errorf("the answer is %v, want 488", r)
			}
		})
	}
}

func TestServerAsksForCredentials(t *testing.T) {
	t.Parallel()
	s := server(t, func(o *ServerOptions) { o.User, o.Password = "me", "right" })
	for password, want := range map[string]call.EndCode{"right": "", "wrong": call.EndUnreachable} {
		for _, transport := range []Transport{UDP, TCP} {
			l, err := New(Options{Now: time.Now, Trunks: []Trunk{
				{Name: "main", Host: s.Addr().String(), Transport: transport, User: "me", Password: password},
			}})
			if err != nil {
				t.Fatal(err)
			}
			a := l.Place(t.Context(), to(patient), &mute{after: 40 * time.Millisecond}, nil)
			l.Close()
			if a.EndReason.Code != want {
				t.Errorf("%s over %s: %+v, want %q", password, transport, a.EndReason, want)
			}
		}
	}
}

// challenged calls without credentials, and returns what is asked for.
func challenged(t *testing.T, p *sender) *digest.Challenge {
	t.Helper()
	p.send(p.fill(siptest.With("INVITE"+siptest.Us, siptest.Offered), p.id))
	_, text := p.answer(p.id, patient)
	_, header, _ := strings.Cut(text, "WWW-Authenticate: ")
	header, _, _ = strings.Cut(header, "\r\n")
	asked, err := digest.ParseChallenge(header)
	if err != nil {
		t.Fatalf("%v of %q", err, text)
	}
	return asked
}

// TestOldClientsHaveCredentialsToo checks clients that do not know qop.
func TestOldClientsHaveCredentialsToo(t *testing.T) {
	t.Parallel()
	s := server(t, func(o *ServerOptions) { o.User, o.Password = "me", "right" })
	for password, want := range map[string]int{"right": 200, "wrong": 401} {
		p := newSender(t, "udp", s.Addr().String(), "old"+password)
		asked := challenged(t, p)
		asked.QOP = nil
		given, err := digest.Digest(asked, digest.Options{Method: "INVITE", URI: "sip:us@example.org", Username: "me", Password: password})
		if err != nil {
			t.Fatal(err)
		}
		id := p.id + "again"
		p.send(p.fill(siptest.With("INVITE"+siptest.Us, siptest.Offered, "+Authorization: "+given.String()), id))
		code, text := p.answer(id, patient)
		if code != want {
			t.Errorf("%s: %d", password, code)
		}
		if code == 200 {
			p.hangUp(text)
		}
	}
}

// TestCredentialsForOthersToo checks a caller that has been asked by another far end as well.
func TestCredentialsForOthersToo(t *testing.T) {
	t.Parallel()
	s := server(t, func(o *ServerOptions) { o.User, o.Password = "me", "right" })
	p := newSender(t, "udp", s.Addr().String(), "others")
	asked := challenged(t, p)
	var given []string
	for _, realm := range []string{"elsewhere", asked.Realm} {
		asked.Realm = realm
		one, err := digest.Digest(asked, digest.Options{Method: "INVITE", URI: "sip:us@example.org", Username: "me", Password: "right", Count: 1})
		if err != nil {
			t.Fatal(err)
		}
		given = append(given, "+Authorization: "+one.String())
	}
	id := p.id + "again"
	p.send(p.fill(siptest.With("INVITE"+siptest.Us, siptest.Offered, given...), id))
	code, text := p.answer(id, patient)
	if code != 200 {
		t.Fatalf("answered with %d, want 200", code)
	}
	p.hangUp(text)
}

// TestAnOldNonceIsNoWrongPassword checks that a caller with the right password and a nonce that is not known any more is
// told so, since it would otherwise give up, and that one with a wrong password is not.
func TestAnOldNonceIsNoWrongPassword(t *testing.T) {
	t.Parallel()
	s := server(t, func(o *ServerOptions) { o.User, o.Password = "me", "right" })
	for password, want := range map[string]bool{"right": true, "wrong": false} {
		given, err := digest.Digest(&digest.Challenge{Realm: realm, Nonce: "of yesterday", Algorithm: "MD5", QOP: []string{"auth"}},
			digest.Options{Method: "INVITE", URI: "sip:us@example.org", Username: "me", Password: password, Count: 2})
		if err != nil {
			t.Fatal(err)
		}
		p := newSender(t, "udp", s.Addr().String(), "stale"+password)
		p.send(p.fill(siptest.With("INVITE"+siptest.Us, siptest.Offered, "+Authorization: "+given.String()), p.id))
		code, text := p.answer(p.id, patient)
		if stale := strings.Contains(text, "stale=true"); code != 401 || stale != want {
			t.Errorf("%s: %d, stale %v, want 401 and %v", password, code, stale, want)
		}
	}
}

func TestProbe(t *testing.T) {
	t.Parallel()
	s := server(t, nil)
	silent := newPeer(t)
	l, err := New(Options{Now: time.Now, Trunks: []Trunk{
		{Name: "udp", Host: s.Addr().String(), Transport: UDP}, {Name: "tcp", Host: s.Addr().String(), Transport: TCP},
		{Name: "silent", Host: silent.conn.LocalAddr().String(), Transport: UDP},
		{Name: "closed", Host: "127.0.0.1:1", Transport: TCP},
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	for _, name := range []string{"", "udp", "tcp"} {
		if err := l.Probe(t.Context(), name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"silent", "closed"} {
		begin := time.Now()
		err := l.Probe(t.Context(), name)
		if !problem.Is(err, problem.Unavailable) || !strings.Contains(err.Error(), name) {
			t.Errorf("%q: %v", name, err)
		}
		if d := time.Since(begin); d > 10*time.Second {
			t.Errorf("%q took %v", name, d)
		}
	}
	if err := l.Probe(t.Context(), "none"); !problem.Is(err, problem.NotFound) {
		t.Errorf("unknown trunk: %v", err)
	}
}

// TestNothingIsLeftBehind is not parallel, because it counts the goroutines of the process.
func TestNothingIsLeftBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, portable := range []bool{false, true} {
		for _, transport := range []Transport{UDP, TCP} {
			s, err := Listen(ServerOptions{Now: time.Now, Portable: portable, Answerer: func(context.Context, leg.Incoming) leg.Answer {
				return leg.Answer{Party: &mute{}}
			}})
			if err != nil {
				t.Fatal(err)
			}
			l, err := New(Options{Now: time.Now, Portable: portable, Trunks: []Trunk{{Name: "a", Host: s.Addr().String(), Transport: transport}}})
			if err != nil {
				t.Fatal(err)
			}
			if a := l.Place(t.Context(), to(patient), &mute{after: 40 * time.Millisecond}, nil); a.AnsweredAt.IsZero() {
				t.Errorf("not answered: %+v", a.EndReason)
			}
			l.Close()
			if err := s.Close(t.Context()); err != nil {
				t.Error(err)
			}
		}
	}
	var left int
	for range 3000 {
		if left = runtime.NumGoroutine() - before; left <= 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	buf := make([]byte, 1<<16)
	t.Errorf("%d goroutines are left:\n%s", left, buf[:runtime.Stack(buf, true)])
}
