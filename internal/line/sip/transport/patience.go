package transport

import "time"

// Patience holds the time limits of TCP connections.
type Patience struct {
	Connect time.Duration // to connect
	Whole   time.Duration // for a message, from its first byte to its last
	Idle    time.Duration // without any data
	Own     time.Duration // the same for connections that we have opened
	Write   time.Duration // for a write to be accepted
	Unheard time.Duration // for sent data to be acknowledged, on our connections where the system supports it
}

// UsualPatience returns the limits for use with the telephone network.
func UsualPatience() Patience {
	return Patience{
		Connect: 8 * time.Second, Whole: 10 * time.Second, Idle: 10 * time.Minute, Own: 2 * time.Hour,
		Write: 5 * time.Second, Unheard: 32 * time.Second,
	}
}

// ours returns the limits for a connection that we have opened: the far end of a call hangs up
// through it, however long the call is, and behind NAT there is no other way.
func (p Patience) ours() Patience {
	p.Idle = p.Own
	return p
}
