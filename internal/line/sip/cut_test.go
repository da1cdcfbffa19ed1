package sip

import (
	"bufio"
	"io"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/call"
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

// wired is one connection of it.
type wired struct {
	net.Conn
	t  *testing.T
	in *bufio.Reader
}

// next waits for a request of that method.
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
	res := msg.NewResponseFromRequest(req, 200, "OK", []byte(body))
	res.To().Params.Remove("tag")
	res.To().Params.Add("tag", "board")
	if contact != "" {
		res.AppendHeader(msg.NewHeader("Contact", contact))
	}
	if _, err := w.Write([]byte(res.String())); err != nil {
		w.t.Error(err)
	}
}

// TestAConnectionThatDiesInACall is opened again for our BYE, wherever the far end says it is.
func TestAConnectionThatDiesInACall(t *testing.T) {
	t.Parallel()
	for name, contact := range map[string]string{
		"and its far end is where it was":            "<sip:board@HERE;transport=tcp>",
		"and its far end does not say how":           "<sip:board@HERE>",
		"and its far end says it is where nobody is": "<sip:board@127.0.0.1:9;transport=tcp>",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSwitchboard(t)
			o := Options{Trunks: []Trunk{{Name: "board", Host: s.l.Addr().String(), Transport: TCP}}, Now: time.Now, times: quick()}
			l, err := New(o)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(l.Close)
			party := &mute{}
			c := placed(t, l, to(patient), party)
			w := s.accept()
			invite := w.next(msg.INVITE)
			body := (&peer{rtp: s.rtp}).sdp("0", "sendrecv")
			w.reply(invite, body, strings.ReplaceAll(contact, "HERE", s.l.Addr().String()))
			if !strings.Contains(contact, ":9;") {
				w.next(msg.ACK)
			}
			party.pass(t)
			w.Close()
			party.hangUp()
			again := s.accept()
			again.reply(again.next(msg.BYE), "", "")
			if a := result(t, c); a.EndReason != (call.EndReason{}) {
				t.Errorf("end %+v", a.EndReason)
			}
		})
	}
}
