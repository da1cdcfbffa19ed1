package transport

import (
	"io"
	"net"
	"os"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringtrue/ringtrue/internal/line/sip/screen"
	"github.com/ringtrue/ringtrue/internal/line/sip/siptest"
)

// talker is a connection whose far end sends a request every second and reads no answers, like a
// system whose buffers are full.
type talker struct {
	net.Conn
	until  atomic.Int64 // when writing is over, in virtual time
	closed chan struct{}
	out    int // how much of each message is still taken
	sent   []byte
}

func (c *talker) RemoteAddr() net.Addr            { return net.TCPAddrFromAddrPort(siptest.Here()) }
func (c *talker) SetReadDeadline(time.Time) error { return nil }
func (c *talker) SetWriteDeadline(t time.Time) error {
	c.until.Store(t.UnixNano())
	return nil
}

func (c *talker) Close() error {
	select {
	case <-c.closed:
	default:
		close(c.closed)
	}
	return nil
}

func (c *talker) Read(b []byte) (int, error) {
	select {
	case <-c.closed:
		return 0, io.EOF
	case <-time.After(time.Second):
		return copy(b, siptest.Sound(siptest.With("OPTIONS"+siptest.Us, ""), "tcp")), nil
	}
}

func (c *talker) Write(b []byte) (int, error) {
	select {
	case <-c.closed:
		return 0, net.ErrClosed
	default:
	}
	c.sent = append(c.sent, b[:c.out]...)
	for {
		left := time.Until(time.Unix(0, c.until.Load()))
		if left <= 0 {
			return c.out, os.ErrDeadlineExceeded
		}
		select {
		case <-c.closed:
			return c.out, net.ErrClosed
		case <-time.After(left):
		}
	}
}

// TestWhoDoesNotReadIsHungUpOn checks that a far end that keeps sending requests without reading is
// disconnected, and that meanwhile nothing is read from it: every request would leave its answer
// waiting here.
func TestWhoDoesNotReadIsHungUpOn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := Options{Now: time.Now, Bounds: UsualBounds(), Known: func(screen.Wish) bool { return false }}
		far := &talker{closed: make(chan struct{})}
		v := newConversation(far, UsualPatience(), newPorter(&o), func() {})
		began, heard := time.Now(), 0
		for b := make([]byte, screen.MaxMessage); time.Since(began) < time.Hour; heard++ {
			if _, err := v.Read(b); err != nil {
				break
			}
			go func() { _, _ = v.Write([]byte("SIP/2.0 200 OK\r\n\r\n")) }() // as sipgo does
			synctest.Wait()
		}
		_ = v.Close()
		if took := time.Since(began); took > UsualPatience().Write+2*time.Second || heard != 1 {
			t.Errorf("it was listened to for %v, and %d of its questions were taken; want %v and 1", took, heard, UsualPatience().Write)
		}
	})
}

// TestAMessageInPartEndsTheConnection checks that a message written only in part ends the
// connection: what came after it would be read as the rest of it.
func TestAMessageInPartEndsTheConnection(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := Options{Now: time.Now, Bounds: UsualBounds(), Known: func(screen.Wish) bool { return false }}
		far := &talker{closed: make(chan struct{}), out: 5}
		v := newConversation(far, UsualPatience(), newPorter(&o), func() {})
		for range 2 {
			if _, err := v.Write([]byte("SIP/2.0 200 OK\r\n\r\n")); err == nil {
				t.Error("nobody has read it, and it counts as written")
			}
		}
		if string(far.sent) != "SIP/2" {
			t.Errorf("what was sent is %q, want the first 5 bytes once", far.sent)
		}
	})
}
