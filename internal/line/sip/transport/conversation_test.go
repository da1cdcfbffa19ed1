package transport

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// pieces is a connection that gives bytes in pieces.
type pieces struct {
	net.Conn
	rest []byte
	size int
	out  bytes.Buffer
}

// The parts of net.Conn that a conversation uses.
func (p *pieces) RemoteAddr() net.Addr             { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 5999} }
func (p *pieces) SetReadDeadline(time.Time) error  { return nil }
func (p *pieces) SetWriteDeadline(time.Time) error { return nil }
func (p *pieces) Write(b []byte) (int, error)      { return p.out.Write(b) }
func (p *pieces) Read(b []byte) (int, error) {
	if len(p.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), p.size)], p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

// streams are what may come over a connection, with the line ends of Go.
func streams() []string {
	const head = "Via: SIP/2.0/TCP 127.0.0.1:5999;branch=z9hG4bK1\nFrom: <sip:a@example.org>;tag=1\nTo: <sip:us@example.org>\nCall-ID: 1@x\nCSeq: 7 "
	const body = "v=0\no=- 1 1 IN IP4 127.0.0.1\ns=-\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio 4000 RTP/AVP 0\n"
	options := "OPTIONS sip:us@example.org SIP/2.0\n" + head + "OPTIONS\nContent-Length: 0\n\n"
	invite := "INVITE sip:us@example.org SIP/2.0\n" + head + "INVITE\nContact: <sip:a@127.0.0.1>\nContent-Type: application/sdp\n"
	length := fmt.Sprintf("Content-Length: %d\n\n", len(strings.ReplaceAll(body, "\n", "\r\n")))
	ok := "SIP/2.0 200 OK\n" + head + "INVITE\nContent-Length: 0\n\n"
	return []string{
		"\n\n" + options + "\n" + invite + length + body, // a ping, and what stands between messages
		ok + ok, options + "\n\n\n\n\n" + options, "\n", "",
		invite + "l: 5\n\n" + body, invite + "Content-Length: 9999\n\n" + body, invite + "\n" + body, // what follows could be anything
		invite + "Content-Length: -1\n\n" + body, invite + "Content-Length: 70000\n\n", invite + "Content-Length: 0\nContent-Length: 5\n\n" + body,
		strings.Replace(options, "Content-Length: 0", "Content-Length:\n 0", 1), // a folded line
		"GET / HTTP/1.1\nHost: example.org\n\n" + options, options[:40], strings.TrimSuffix(options, "\n"),
		strings.Replace(options, "SIP/2.0", "SIP/7.0", 1) + options, "OPTIONS sip:us@example.org SIP/2.0\nX: " + strings.Repeat("a", 70000) + "\n\n",
	}
}

// FuzzConversation: where a stream is cut makes no difference to what is read
// from it and written back.
func FuzzConversation(f *testing.F) {
	for _, text := range streams() {
		f.Add([]byte(strings.ReplaceAll(text, "\n", "\r\n")), 7)
	}
	o := Options{Now: time.Now, Bounds: UsualBounds(), Known: func(string, string) bool { return false }}
	read := func(b []byte, size int) (in, out string) {
		p := &pieces{rest: b, size: size}
		v := newConversation(p, UsualPatience(), newPorter(&o), func() {})
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
		// A ping that comes in two pieces is not one any more.
		pong := strings.NewReplacer("\r\n", "")
		if in != wholeIn || pong.Replace(out) != pong.Replace(wholeOut) {
			t.Fatalf("in pieces of %d:\n%q\n%q\nwhole:\n%q\n%q", size, in, out, wholeIn, wholeOut)
		}
	})
}
