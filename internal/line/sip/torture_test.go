package sip

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"net"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/line/sip/siptest"
)

// sender is a stranger with a socket.
type sender struct {
	t    testing.TB
	conn net.Conn
	in   *bufio.Reader
	to   string
	id   string
}

func newSender(t testing.TB, transport, to, id string) *sender {
	t.Helper()
	conn, err := net.Dial(transport+"4", to)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return &sender{t: t, conn: conn, in: bufio.NewReaderSize(conn, 1<<16), to: to, id: id}
}

// fill replaces the placeholders in a text with the sender's values.
func (s *sender) fill(text, id string) string {
	here := s.conn.LocalAddr()
	return siptest.Fill(text, here.Network(), here.String(), id)
}

func (s *sender) send(text string) {
	s.t.Helper()
	if _, err := s.conn.Write([]byte(text)); err != nil {
		s.t.Errorf("sending: %v", err)
	}
}

var contentLength = regexp.MustCompile(`(?i)\r\ncontent-length: *(\d+)`)

// answer waits for the final response to a request with the given id; code is 0 if none comes in
// time.
func (s *sender) answer(id string, wait time.Duration) (code int, text string) {
	s.t.Helper()
	_ = s.conn.SetReadDeadline(time.Now().Add(wait))
	for {
		text, err := s.message()
		if err != nil {
			return 0, err.Error()
		}
		if !strings.HasPrefix(text, "SIP/2.0 ") || len(text) < 12 || !strings.Contains(text, id) {
			continue
		}
		if code, _ = strconv.Atoi(text[8:11]); code >= 200 {
			return code, text
		}
	}
}

func (s *sender) message() (string, error) {
	if s.conn.LocalAddr().Network() == "udp" {
		b := make([]byte, 1<<16)
		n, err := s.conn.Read(b)
		return string(b[:n]), err
	}
	var head strings.Builder
	for !strings.HasSuffix(head.String(), "\r\n\r\n") {
		c, err := s.in.ReadByte()
		if err != nil {
			return head.String(), err
		}
		head.WriteByte(c)
		if head.String() == "\r\n" {
			head.Reset()
		}
	}
	m := contentLength.FindStringSubmatch(head.String())
	if m == nil {
		return head.String(), nil
	}
	n, _ := strconv.Atoi(m[1])
	body := make([]byte, n)
	_, err := io.ReadFull(s.in, body)
	return head.String() + string(body), err
}

// hangUp acknowledges a 200 to an INVITE and ends the call.
func (s *sender) hangUp(ok string) {
	s.t.Helper()
	header := func(name string) string {
		_, rest, _ := strings.Cut(ok, "\r\n"+name+": ")
		value, _, _ := strings.Cut(rest, "\r\n")
		return value
	}
	number, _, _ := strings.Cut(header("CSeq"), " ")
	n, _ := strconv.Atoi(number)
	contact := strings.Trim(header("Contact"), "<>")
	for i, method := range []string{"ACK", "BYE"} {
		s.send(fmt.Sprintf("%s %s SIP/2.0\r\nVia: SIP/2.0/%s %s;branch=z9hG4bKend%s%d\r\nFrom: %s\r\nTo: %s\r\nCall-ID: %s\r\nCSeq: %d %s\r\nMax-Forwards: 70\r\nContent-Length: 0\r\n\r\n",
			method, contact, strings.ToUpper(s.conn.LocalAddr().Network()), s.conn.LocalAddr(), s.id, i, header("From"), header("To"), header("Call-ID"), n+i, method))
	}
	if code, text := s.answer("BYE", patient); code != 200 {
		s.t.Errorf("BYE was answered with %d %s", code, text)
	}
}

// works fails the test unless an ordinary call succeeds.
func works(t testing.TB, transport, to, id string) {
	t.Helper()
	s := newSender(t, transport, to, id+"n")
	s.send(s.fill(siptest.With("INVITE"+siptest.Us, siptest.Offered), s.id))
	code, text := s.answer(s.id, patient)
	if code != 200 {
		t.Fatalf("an ordinary call was answered with %d %s", code, text)
	}
	s.hangUp(text)
}

func TestOrdealsOfTheServer(t *testing.T) {
	t.Parallel()
	s := server(t, func(o *ServerOptions) { o.times.t1 = 500 * time.Millisecond })
	n, all := 0, siptest.Ordeals()
	maps.Copy(all, siptest.OfIPv6())
	for name, o := range all {
		for _, transport := range []string{"udp", "tcp"} {
			wants := o.Wants
			if transport == "tcp" && o.Stream != nil {
				wants = o.Stream
			}
			if wants[0] == -1 {
				continue
			}
			n++
			id := fmt.Sprintf("ordeal%dx", n)
			t.Run(name+"/"+transport, func(t *testing.T) {
				t.Parallel()
				p := newSender(t, transport, s.Addr().String(), id)
				p.send(p.fill(o.Text, id))
				wait := patient
				if wants[0] == 0 {
					wait = 100 * time.Millisecond
				}
				code, text := p.answer(id, wait)
				fits := false
				for _, w := range wants {
					fits = fits || w == code
				}
				if !fits {
					t.Errorf("answered with %d, want one of %v\n%s", code, wants, text)
				}
				if code == 200 && strings.Contains(text, "INVITE\r\n") {
					p.hangUp(text)
				}
				works(t, transport, s.Addr().String(), id)
			})
		}
	}
	t.Cleanup(func() { gone(t, s.e) })
}

// gone fails the test unless all calls end.
func gone(t testing.TB, e *endpoint) {
	t.Helper()
	for range 3000 {
		if e.alive() == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d calls are left", e.alive())
}
