package transport

import (
	"net"
	"time"

	"golang.org/x/sys/unix"
)

// boundUnheard ends a connection whose far end has acknowledged nothing of what we sent it for
// so long. By itself the system tries for a quarter of an hour, and every call that is placed
// meanwhile fails by it: a firewall that has forgotten a connection says nothing.
func boundUnheard(conn *net.TCPConn, after time.Duration) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) {
		_ = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(after/time.Millisecond))
	})
}
