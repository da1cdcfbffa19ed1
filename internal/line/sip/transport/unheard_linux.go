package transport

import (
	"net"
	"time"

	"golang.org/x/sys/unix"
)

// boundUnheard ends a connection whose far end has acknowledged nothing of what we sent for so
// long. By default the system retries for a quarter of an hour, and every call placed meanwhile
// would fail: a firewall that has forgotten a connection drops its packets silently.
func boundUnheard(conn *net.TCPConn, after time.Duration) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) {
		_ = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(after/time.Millisecond))
	})
}
