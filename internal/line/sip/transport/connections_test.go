package transport

import (
	"io"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/line/sip/screen"
)

// patient is how long a test waits for an event that must happen.
const patient = 20 * time.Second

// readAll reads everything that comes over TCP, as sipgo would.
func readAll(t *testing.T, s *Sockets) {
	go s.tcp.listen()
	go func() {
		for {
			conn, err := s.tcp.Accept()
			if err != nil {
				return
			}
			go func() {
				_, _ = io.Copy(io.Discard, conn)
				_ = conn.Close()
			}()
		}
	}()
	t.Cleanup(s.Close)
}

// TestConnectionsAreBounded checks that one connection more than the limit is closed, and that
// there is room again once the others have gone.
func TestConnectionsAreBounded(t *testing.T) {
	t.Parallel()
	s, err := Listen(t.Context(), Options{
		Bind: netip.MustParseAddrPort("127.0.0.1:0"), Now: time.Now, Patience: UsualPatience(), Bounds: UsualBounds(),
		Known: func(screen.Wish) bool { return false },
	})
	if err != nil {
		t.Fatal(err)
	}
	readAll(t, s)
	dial := func() net.Conn {
		c, err := net.Dial("tcp4", s.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		_ = c.SetDeadline(time.Now().Add(patient))
		return c
	}
	var open []net.Conn
	for range maxConnections {
		open = append(open, dial())
	}
	if _, err := dial().Read(make([]byte, 1)); err == nil || strings.Contains(err.Error(), "timeout") {
		t.Errorf("one connection too many was taken: %v", err)
	}
	for _, c := range open {
		c.Close()
	}
	for end := time.Now().Add(patient); len(s.tcp.limit) > 0 && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	c := dial()
	if _, err := c.Write([]byte("\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	pong := make([]byte, 2)
	if _, err := io.ReadFull(c, pong); err != nil || string(pong) != "\r\n" {
		t.Errorf("when there is room again, a ping is answered with %q, %v", pong, err)
	}
}
