package room

import (
	"sync"

	"github.com/ringtrue/ringtrue/internal/call"
)

const (
	// inboxPackets and inboxBytes are how much may wait: five seconds of an agent that sends what it says as
	// soon as it has it. More than that is a flood.
	inboxPackets, inboxBytes = 256, 64 << 10
	// inboxTurn is how many packets, or frames in them, are taken in with one frame, so that others need not wait for one call.
	inboxTurn = 64
	maxPacket = 1500
	// maxNotes and maxKeys bound what one frame may be told beside packets.
	maxNotes = 64
	maxKeys  = 32
)

// inbox is where others leave what a stream is to look at before its next
// frame: the packets of the far end, and orders. Filling it takes a lock for
// as long as a packet is copied, emptying it for less.
type inbox struct {
	mu     sync.Mutex
	orders orders
	boxes  [2]box // one is filled while the other is emptied
	open   int    // the one that is filled
}

// box is where packets lie.
type box struct {
	n, used int
	packets [inboxPackets]arrival
	memory  [inboxBytes]byte
}

// arrival is a packet as it came.
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

// arrive leaves a packet. One that is too long, or that finds the box full, is dropped.
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

// order lets the caller write down what is to be done.
func (b *inbox) order(f func(*orders)) {
	b.mu.Lock()
	f(&b.orders)
	b.orders.some = true
	b.mu.Unlock()
}

// empty takes out what there is. The packets hold until the next call but one.
func (b *inbox) empty() []arrival {
	b.mu.Lock()
	defer b.mu.Unlock()
	full := &b.boxes[b.open]
	b.open = 1 - b.open
	b.boxes[b.open].n, b.boxes[b.open].used = 0, 0
	return full.packets[:full.n]
}

// ordered takes out the orders.
func (b *inbox) ordered() orders {
	b.mu.Lock()
	defer b.mu.Unlock()
	var o orders
	if b.orders.some {
		o, b.orders = b.orders, orders{}
	}
	return o
}
