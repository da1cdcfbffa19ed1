package sip

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/line/sip/screen"
	"github.com/ringtrue/ringtrue/internal/line/sip/transport"
)

// switchboard is a far end over TCP whose connections the test cuts.
type switchboard struct {
	t   *testing.T
	l   net.Listener
	rtp *net.UDPConn
}

func newSwitchboard(t *testing.T) *switchboard {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return &switchboard{t: t, l: l, rtp: udp(t)}
}

// accept waits for the next connection.
func (s *switchboard) accept() *wired {
	s.t.Helper()
	_ = s.l.(*net.TCPListener).SetDeadline(time.Now().Add(patient))
	c, err := s.l.Accept()
	if err != nil {
		s.t.Fatalf("no connection came: %v", err)
	}
	s.t.Cleanup(func() { c.Close() })
	return &wired{t: s.t, Conn: c, in: bufio.NewReader(c)}
}

// wired is one of its connections.
type wired struct {
	net.Conn
	t  *testing.T
	in *bufio.Reader
}

// next waits for a request with this method.
func (w *wired) next(method msg.RequestMethod) *msg.Request {
	w.t.Helper()
	for {
		_ = w.SetReadDeadline(time.Now().Add(patient))
		var text strings.Builder
		size := 0
		for {
			one, err := w.in.ReadString('\n')
			if err != nil {
				w.t.Fatalf("no %s came: %v", method, err)
			}
			text.WriteString(one)
			if value, ok := strings.CutPrefix(one, "Content-Length: "); ok {
				size, _ = strconv.Atoi(strings.TrimSpace(value))
			}
			if one == "\r\n" && text.Len() > 2 {
				break
			}
		}
		body := make([]byte, size)
		_, _ = io.ReadFull(w.in, body)
		m, err := msg.ParseMessage([]byte(text.String() + string(body)))
		if err != nil {
			w.t.Fatal(err)
		}
		if r, ok := m.(*msg.Request); ok && r.Method == method {
			return r
		}
	}
}

func (w *wired) reply(req *msg.Request, body, contact string) {
	w.t.Helper()
	if _, err := w.Write([]byte(answerOf(req, body, contact))); err != nil {
		w.t.Error(err)
	}
}

// refuse refuses a request with this code.
func (w *wired) refuse(req *msg.Request, code int) {
	w.t.Helper()
	res := msg.NewResponseFromRequest(req, code, "Refused", nil)
	res.To().Params.Add("tag", "board")
	if _, err := w.Write([]byte(res.String())); err != nil {
		w.t.Error(err)
	}
}

// answerOf returns the switchboard's 200 to a request.
func answerOf(req *msg.Request, body, contact string) string {
	res := msg.NewResponseFromRequest(req, 200, "OK", []byte(body))
	res.To().Params.Remove("tag")
	res.To().Params.Add("tag", "board")
	if contact != "" {
		res.AppendHeader(msg.NewHeader("Contact", contact))
	}
	return res.String()
}

// line returns a line whose only trunk is the switchboard.
func (s *switchboard) line(change func(*Options)) *Line {
	s.t.Helper()
	o := Options{Trunks: []Trunk{{Name: "board", Host: s.l.Addr().String(), Transport: TCP}}, Now: time.Now, times: quick()}
	if change != nil {
		change(&o)
	}
	l, err := New(o)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(l.Close)
	return l
}

// TestAConnectionLastsAsLongAsItsCall checks that the connection stays open during a call without
// signalling: behind address translation the far end has no other way to hang up.
func TestAConnectionLastsAsLongAsItsCall(t *testing.T) {
	t.Parallel()
	s := newSwitchboard(t)
	party := &mute{}
	c := placed(t, s.line(func(o *Options) { o.times.patience.Idle = 50 * time.Millisecond }), to(patient), party)
	w := s.accept()
	invite := w.next(msg.INVITE)
	w.reply(invite, (&peer{rtp: s.rtp}).sdp("0", "sendrecv"), "<sip:board@"+s.l.Addr().String()+">")
	w.next(msg.ACK)
	for range 10 {
		party.pass(t)
	}
	tag, _ := invite.From().Params.Get("tag")
	if _, err := fmt.Fprintf(w, "BYE %s SIP/2.0\r\nVia: SIP/2.0/TCP %s;branch=z9hG4bKend\r\nFrom: <%s>;tag=board\r\nTo: <%s>;tag=%s\r\nCall-ID: %s\r\nCSeq: 1 BYE\r\nContent-Length: 0\r\n\r\n",
		invite.Contact().Address.String(), s.l.Addr(), invite.To().Address.String(), invite.From().Address.String(), tag, invite.CallID().Value()); err != nil {
		t.Error(err)
	}
	ends(t, c, call.EndAgentHungUp)
}

// TestAConnectionThatDiesInACall checks that the connection is opened again for our BYE, whatever
// address the far end gave, and whether the connection dies before or while the BYE is in transit.
func TestAConnectionThatDiesInACall(t *testing.T) {
	t.Parallel()
	for name, contact := range map[string]string{
		"and its far end is where it was":            "<sip:board@HERE;transport=tcp>",
		"and its far end does not say how":           "<sip:board@HERE>",
		"and its far end says it is where nobody is": "<sip:board@127.0.0.1:9;transport=tcp>",
	} {
		t.Run(name, func(t *testing.T) { t.Parallel(); diesInACall(t, contact, false) })
		t.Run(name+", under the BYE", func(t *testing.T) { t.Parallel(); diesInACall(t, contact, true) })
	}
}

func diesInACall(t *testing.T, contact string, underBye bool) {
	s := newSwitchboard(t)
	party := &mute{}
	c := placed(t, s.line(nil), to(patient), party)
	w := s.accept()
	invite := w.next(msg.INVITE)
	body := (&peer{rtp: s.rtp}).sdp("0", "sendrecv")
	w.reply(invite, body, strings.ReplaceAll(contact, "HERE", s.l.Addr().String()))
	if underBye || !strings.Contains(contact, ":9;") {
		w.next(msg.ACK)
	}
	party.pass(t)
	if underBye {
		party.hangUp()
		w.next(msg.BYE)
		w.Close()
	} else {
		w.Close()
		party.hangUp()
	}
	again := s.accept()
	again.reply(again.next(msg.BYE), "", "")
	ends(t, c, "")
}

// TestAnAnswerWithTheEndOfItsConnection checks that an answer counts even if its connection is
// closed right after it.
func TestAnAnswerWithTheEndOfItsConnection(t *testing.T) {
	t.Parallel()
	s := newSwitchboard(t)
	l := s.line(nil)
	for n := range 50 {
		told := make(chan error, 1)
		go func() { told <- l.Probe(t.Context(), "board") }()
		w := s.accept()
		w.reply(w.next(msg.OPTIONS), "", "")
		_ = w.Close()
		if err := <-told; err != nil {
			t.Fatalf("probe %d: %v", n, err)
		}
		if gone := l.e.sockets.Lost(s.l.Addr().String()); gone != nil {
			<-gone // the next probe needs another connection
		}
	}
}

// TestAByeWithTheEndOfItsConnection checks that a BYE counts even if its connection, that of the
// call or a new one, is closed right after it without waiting for our answer.
func TestAByeWithTheEndOfItsConnection(t *testing.T) {
	t.Parallel()
	for i := range 10 {
		s := newSwitchboard(t)
		l := s.line(nil)
		party := &mute{}
		c := placed(t, l, to(patient), party)
		w := s.accept()
		invite := w.next(msg.INVITE)
		w.reply(invite, (&peer{rtp: s.rtp}).sdp("0", "sendrecv"), "")
		w.next(msg.ACK)
		last := w.Conn
		if i%2 == 1 {
			var err error
			if last, err = net.Dial("tcp4", l.Addr().String()); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := last.Write([]byte(within(invite, "TCP", last.LocalAddr(), "board", "BYE", 1, ""))); err != nil {
			t.Fatal(err)
		}
		last.Close()
		if a := result(t, c); a.EndReason.Code != call.EndAgentHungUp {
			t.Fatalf("end %+v, want %s", a.EndReason, call.EndAgentHungUp)
		}
	}
}

// TestAConnectionThatIsGoneBeforeTheAnswer checks that the line is blamed and not the agent, unless
// the answer comes over another connection.
func TestAConnectionThatIsGoneBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	rings := func(invite *msg.Request) string {
		return strings.Replace(answerOf(invite, "", ""), "200 OK", "180 Ringing", 1)
	}
	for name, says := range map[string]func(*msg.Request) string{
		"at once":        func(*msg.Request) string { return "" },
		"while it rings": rings,
		"by our own doing": func(invite *msg.Request) string {
			return rings(invite) + strings.Replace(answerOf(invite, "", ""), "From:", "X: "+strings.Repeat("x", screen.MaxHead)+"\r\nFrom:", 1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSwitchboard(t)
			c := placed(t, s.line(func(o *Options) { o.times.noReply = time.Second }), to(1500*time.Millisecond), &mute{})
			w := s.accept()
			text := says(w.next(msg.INVITE))
			if _, err := w.Write([]byte(text)); err != nil {
				t.Error(err)
			}
			if name != "by our own doing" {
				w.Close()
			}
			if a, want := result(t, c), call.EndOf(call.EndUnreachable, transport.ErrLost.Error()); a.EndReason != want {
				t.Errorf("end %+v, want %+v", a.EndReason, want)
			}
		})
	}
	t.Run("and comes over another", func(t *testing.T) {
		t.Parallel()
		s := newSwitchboard(t)
		l := s.line(nil)
		c := placed(t, l, to(patient), &mute{after: 40 * time.Millisecond})
		w := s.accept()
		invite := w.next(msg.INVITE)
		gone := l.e.sockets.Lost(s.l.Addr().String())
		w.Close()
		until(t, gone)
		conn, err := net.Dial("tcp4", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		other := &wired{t: t, Conn: conn, in: bufio.NewReader(conn)}
		other.reply(invite, (&peer{rtp: s.rtp}).sdp("0", "sendrecv"), "<sip:board@"+s.l.Addr().String()+">")
		w = s.accept() // to the address in the answer
		w.next(msg.ACK)
		w.reply(w.next(msg.BYE), "", "")
		if a := ends(t, c, ""); a.AnsweredAt.IsZero() {
			t.Error("the call was not answered")
		}
	})
}
