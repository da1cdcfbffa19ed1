package sip

import (
	"fmt"
	"net"
	"testing"
	"time"

	msg "github.com/emiago/sipgo/sip"
	"golang.org/x/sys/unix"
)

// swallowing returns an address on this machine at which attempts to connect get no reaction.
func swallowing(t *testing.T) string {
	t.Helper()
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(fd) })
	if err := unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	if err := unix.Listen(fd, 0); err != nil {
		t.Fatal(err)
	}
	name, err := unix.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	addr := fmt.Sprintf("127.0.0.1:%d", name.(*unix.SockaddrInet4).Port)
	for range 8 { // nobody accepts, so the backlog is soon full
		conn, err := net.DialTimeout("tcp4", addr, 100*time.Millisecond)
		if err != nil {
			return addr
		}
		t.Cleanup(func() { conn.Close() })
	}
	t.Fatal("this machine takes every connection")
	return ""
}

// TestAnAddressThatSwallowsConnections checks that a Contact that cannot be connected to does not
// keep a call from beginning: it is acknowledged and hung up over the connection on which its
// answer came.
func TestAnAddressThatSwallowsConnections(t *testing.T) {
	t.Parallel()
	s, hole := newSwitchboard(t), swallowing(t)
	party := &mute{}
	c := placed(t, s.line(nil), to(patient), party)
	w := s.accept()
	begin := time.Now()
	w.reply(w.next(msg.INVITE), (&peer{rtp: s.rtp}).sdp("0", "sendrecv"), "<sip:board@"+hole+";transport=tcp>")
	w.next(msg.ACK)
	if d := time.Since(begin); d > patient/2 {
		t.Errorf("the answer was acknowledged after %v", d)
	}
	party.hangUp()
	w.reply(w.next(msg.BYE), "", "")
	ends(t, c, "")
}
