package transport

import (
	"bytes"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/line/sip/screen"
	"github.com/ringtrue/ringtrue/internal/line/sip/siptest"
)

// pieces is a connection that delivers bytes in pieces.
type pieces struct {
	net.Conn
	rest []byte
	size int
	out  bytes.Buffer
	over func() // called at the end
}

// The parts of net.Conn that a conversation uses.
func (p *pieces) RemoteAddr() net.Addr             { return net.TCPAddrFromAddrPort(siptest.Here()) }
func (p *pieces) SetReadDeadline(time.Time) error  { return nil }
func (p *pieces) SetWriteDeadline(time.Time) error { return nil }
func (p *pieces) Close() error                     { return nil }
func (p *pieces) Write(b []byte) (int, error)      { return p.out.Write(b) }
func (p *pieces) Read(b []byte) (int, error) {
	if len(p.rest) == 0 {
		p.over()
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), p.size)], p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

// FuzzConversation checks that where a stream is cut makes no difference to what is read from it
// and written back.
func FuzzConversation(f *testing.F) {
	for _, o := range siptest.Ordeals() {
		f.Add([]byte(siptest.Sound(o.Text, "tcp")), 7)
	}
	two := siptest.Sound(siptest.With("OPTIONS"+siptest.Us, ""), "tcp") + "\r\n" + siptest.Sound(siptest.With("INVITE"+siptest.Us, siptest.Offered), "tcp")
	f.Add([]byte("\r\n\r\n"+two), 1)
	o := Options{Now: time.Now, Bounds: UsualBounds(), Known: func(screen.Wish) bool { return false }}
	read := func(b []byte, size int) (in, out string) {
		p := &pieces{rest: b, size: size}
		v := newConversation(p, UsualPatience(), newPorter(&o), func() {})
		p.over = func() { _ = v.Close() } // once closed, the end must not be held back
		got, err := io.ReadAll(v)
		if err != nil && !errors.Is(err, errStream) {
			return string(got) + err.Error(), p.out.String()
		}
		return string(got), p.out.String()
	}
	f.Fuzz(func(t *testing.T, b []byte, size int) {
		if size < 1 {
			size = 1 - size%1000
		}
		if size < 1 {
			return
		}
		in, out := read(b, size)
		wholeIn, wholeOut := read(b, 1<<20)
		// A ping that comes in two pieces is no longer one.
		pong := strings.NewReplacer("\r\n", "")
		if in != wholeIn || pong.Replace(out) != pong.Replace(wholeOut) {
			t.Fatalf("in pieces of %d:\n%q\n%q\nwhole:\n%q\n%q", size, in, out, wholeIn, wholeOut)
		}
	})
}

// TestAMessageThatComesByteByByte checks that the time is linear in the length of the message: if
// all its headers were examined for each byte, this would never end.
func TestAMessageThatComesByteByByte(t *testing.T) {
	t.Parallel()
	text := siptest.Sound(siptest.With("OPTIONS"+siptest.Us, strings.Repeat("x", 30000)), "tcp")
	text = strings.Replace(text, "\r\n", "\r\nSubject: "+strings.Repeat("a\r\n b", 5000)+"\r\n", 1)
	o := Options{Now: time.Now, Bounds: UsualBounds(), Known: func(screen.Wish) bool { return false }}
	p := &pieces{rest: []byte(text + text), size: 1}
	v := newConversation(p, UsualPatience(), newPorter(&o), func() {})
	p.over = func() { _ = v.Close() }
	got, err := io.ReadAll(v)
	if n := bytes.Count(got, []byte("OPTIONS sip:")); n != 2 || err != nil {
		t.Errorf("%d messages were read, want 2, %v", n, err)
	}
}
