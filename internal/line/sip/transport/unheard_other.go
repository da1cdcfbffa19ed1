//go:build !linux

package transport

import (
	"net"
	"time"
)

// boundUnheard does nothing: the system decides when to give up a connection.
func boundUnheard(*net.TCPConn, time.Duration) {}
