package transport

import "time"

// Patience is how long a TCP connection may keep us waiting.
type Patience struct {
	Connect time.Duration // until it is there
	Whole   time.Duration // for a message, from its first byte to its last
	Idle    time.Duration // for anything at all
	Own     time.Duration // the same for one that we have opened
	Write   time.Duration // with our bytes unread
	Unheard time.Duration // with our bytes unacknowledged, where we have opened it and the system can bound that
}

// UsualPatience is that with the telephone network.
func UsualPatience() Patience {
	return Patience{
		Connect: 8 * time.Second, Whole: 10 * time.Second, Idle: 10 * time.Minute, Own: 2 * time.Hour,
		Write: 5 * time.Second, Unheard: 32 * time.Second,
	}
}

// ours is the patience with a connection that we have opened: the far end of a call hangs up
// by it, however long the call is, and behind address translation there is no other way.
func (p Patience) ours() Patience {
	p.Idle = p.Own
	return p
}
