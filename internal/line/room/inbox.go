package room

import (
	"sync"

	"github.com/ringtrue/ringtrue/internal/call"
)

const (
	// inboxSize is how many packets may wait for the next frame; more than that is a flood.
	inboxSize = 64
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
	boxes  [2][inboxSize]arrival // one is filled while the other is emptied
	open   int                   // the one that is filled
	filled int
}

// arrival is a packet as it came.
type arrival struct {
	n      int
	source uint32
	ns     int64
	b      [maxPacket]byte
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
	if b.filled < inboxSize {
		a := &b.boxes[b.open][b.filled]
		a.n, a.source, a.ns = copy(a.b[:], packet), source, ns
		b.filled++
	}
	b.mu.Unlock()
}

// order lets the caller write down what is to be done.
func (b *inbox) order(f func(*orders)) {
	b.mu.Lock()
	f(&b.orders)
	b.orders.some = true
	b.mu.Unlock()
}

// empty takes out what there is. The packets hold until the next call but one.
func (b *inbox) empty() ([]arrival, orders) {
	b.mu.Lock()
	defer b.mu.Unlock()
	came := b.boxes[b.open][:b.filled]
	b.open, b.filled = 1-b.open, 0
	var o orders
	if b.orders.some {
		o, b.orders = b.orders, orders{}
	}
	return came, o
}
