package room

import (
	"sync"

	"github.com/ringtrue/ringtrue/internal/call"
)

const (
	// inboxPackets and inboxBytes limit what can be waiting: five seconds of an agent that sends everything
	// as soon as it has it. More is a flood.
	inboxPackets, inboxBytes = 256, 64 << 10
	// inboxTurn is the maximum of packets, or frames in them, taken in per frame, so that one call does not delay others.
	inboxTurn = 64
	maxPacket = 1500
	// maxNotes and maxKeys limit the other input per frame.
	maxNotes = 64
	maxKeys  = 32
)

// inbox holds what a stream handles before its next frame: packets of the far end, and orders.
// Adding holds a lock while a packet is copied, emptying it for less.
type inbox struct {
	mu     sync.Mutex
	orders orders
	boxes  [2]box // one is filled while the other is emptied
	open   int    // the one being filled
}

// box stores packets.
type box struct {
	n, used int
	packets [inboxPackets]arrival
	memory  [inboxBytes]byte
}

// arrival is a packet with its source and time of arrival.
type arrival struct {
	source uint32
	ns     int64
	b      []byte
}

// orders are carried out before the next frame.
type orders struct {
	some  bool
	stop  *ending
	notes []call.Event
	keys  string
	mute  int // 1 muted, -1 heard again
	away  int // 1 the far end left, -1 it is back
}

// arrive adds a packet. It drops one that is too long or for which there is no room.
func (b *inbox) arrive(packet []byte, source uint32, ns int64) {
	if len(packet) > maxPacket {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	to := &b.boxes[b.open]
	if to.n == inboxPackets || len(packet) > inboxBytes-to.used {
		return
	}
	at := to.used
	to.used += copy(to.memory[at:], packet)
	to.packets[to.n] = arrival{source: source, ns: ns, b: to.memory[at:to.used]}
	to.n++
}

// order calls f to record an order.
func (b *inbox) order(f func(*orders)) {
	b.mu.Lock()
	f(&b.orders)
	b.orders.some = true
	b.mu.Unlock()
}

// empty returns the packets so far. They are valid until the next call but one.
func (b *inbox) empty() []arrival {
	b.mu.Lock()
	defer b.mu.Unlock()
	full := &b.boxes[b.open]
	b.open = 1 - b.open
	b.boxes[b.open].n, b.boxes[b.open].used = 0, 0
	return full.packets[:full.n]
}

// ordered returns the orders so far.
func (b *inbox) ordered() orders {
	b.mu.Lock()
	defer b.mu.Unlock()
	var o orders
	if b.orders.some {
		o, b.orders = b.orders, orders{}
	}
	return o
}
