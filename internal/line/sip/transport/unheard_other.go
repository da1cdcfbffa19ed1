//go:build !linux

package transport

import (
	"net"
	"time"
)

// boundUnheard leaves it to the system when a connection is given up.
func boundUnheard(*net.TCPConn, time.Duration) {}
