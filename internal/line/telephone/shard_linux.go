package telephone

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/ringtrue/ringtrue/internal/line/pace"
	"github.com/ringtrue/ringtrue/internal/line/udp"
)

// slots is the number of slots of 4 ms in a frame's time. A thread that wakes up finds little
// of what it needs in the processor's cache, so more and shorter slots would cost more; with
// fewer and longer ones, the last streams of a slot would be late.
const slots = 5

const slotNS = frameNS / slots

// earlyRounds limits how much early media is discarded at the answer, in units of floodBound.
const earlyRounds = 16

// lastRounds limits what is taken in for a stream that is over, in units of floodBound.
const lastRounds = 4

// soon is the number of upcoming slots among which a new stream's slot is chosen.
const soon = 3

// together is the number of streams handled between two measurements.
const together = 8

// shard is one thread with its streams. In every slot, the streams assigned to it take in what
// has arrived for them and advance by a frame. It does not poll for readable sockets: a stream
// needs its packets only when its turn comes, and the kernel has recorded when each arrived.
type shard struct {
	time pace.KernelTime
	wake chan struct{}
	// left is called when a stream is over.
	left func()

	mu     sync.Mutex
	inbox  []*Stream
	closed bool
	some   atomic.Bool

	lanes [slots][]*Stream
	count int
	mail  udp.Mail
	// mono is the monotonic time (ns) of the last look at the clock; wall relates it to the wall clock.
	mono int64
	wall wall
	// memory is lent to the streams, one after the other.
	memory scratch
	gauge  pace.Gauge
	// sparing is true when there are so many streams that each is heard only every other frame.
	sparing bool
}

func newShard(t pace.KernelTime, left func()) *shard {
	s := &shard{time: t, wake: make(chan struct{}, 1), left: left}
	s.mail.Init()
	return s
}

func (h *shard) hand(s *Stream) {
	h.mu.Lock()
	closed := h.closed
	if !closed {
		h.inbox = append(h.inbox, s)
	}
	h.mu.Unlock()
	h.nudge() // the thread may have skipped what we had locked
	if closed {
		s.lend(&scratch{})
		s.begin(h.time.Mono())
		s.end(ByOrder)
		s.finish()
		h.left()
	}
}

func (h *shard) stop() {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	h.nudge()
}

func (h *shard) nudge() {
	h.some.Store(true)
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

// run is the shard's thread. Without streams it waits on a channel, otherwise it sleeps from
// slot to slot by absolute times, so that delays do not accumulate.
func (h *shard) run() {
	// Never unlocked: the thread, with its priority, ends with the shard.
	runtime.LockOSThread()
	pace.Favour()
	slot := int64(0)
	for {
		if h.count == 0 {
			<-h.wake
			slot = h.time.Mono() / slotNS
		}
		if h.some.Load() && h.takeIn(slot) {
			return
		}
		if h.count == 0 {
			continue
		}
		slot++
		for h.time.Mono() < slot*slotNS {
			pace.SleepUntil(slot * slotNS)
		}
		if behind := h.time.Mono()/slotNS - slot; behind > slots {
			// Starved for longer than a frame: every lane is due at once, and the streams
			// record what they missed.
			slot += behind - slots
		}
		h.work(slot)
	}
}

// takeIn assigns slots to new streams. It returns true if the shard is to stop. It never waits for
// the lock, whose holder may have been preempted by this thread and will call nudge when done.
func (h *shard) takeIn(slot int64) (over bool) {
	if !h.mu.TryLock() {
		return false
	}
	h.some.Store(false)
	fresh, closed := h.inbox, h.closed
	h.inbox = nil
	h.mu.Unlock()
	for _, s := range fresh {
		h.enrol(s, slot)
	}
	if !closed {
		return false
	}
	h.clear()
	return true
}

// clear gives every stream a last turn, which ends it. This does not use orders, whose lock may be held.
func (h *shard) clear() {
	for lane, list := range h.lanes {
		for _, s := range list {
			h.look()
			h.hear(s, s.sock.(*udp.Pair))
			if !s.tick(h.mono) {
				s.end(ByOrder)
			}
			h.drain(s)
		}
		h.lanes[lane] = nil
	}
	h.count = 0
}

// enrol starts a stream in the emptiest of the next few slots.
func (h *shard) enrol(s *Stream, slot int64) {
	best := slot + 1
	for i := slot + 2; i <= slot+soon; i++ {
		if len(h.lanes[i%slots]) < len(h.lanes[best%slots]) {
			best = i
		}
	}
	h.lanes[best%slots] = append(h.lanes[best%slots], s)
	h.count++
	s.lend(&h.memory)
	s.begin(best * slotNS)
	// What arrived while it rang fills the socket; only its last moment counts.
	raw := s.sock.(*udp.Pair)
	h.look()
	for range earlyRounds {
		if h.read(s, raw, raw.RTP) < floodBound {
			return
		}
	}
}

// work runs the streams of a slot and measures how long that takes.
func (h *shard) work(slot int64) {
	lane, begun := int(slot%slots), h.time.Mono()
	for at := 0; at < len(h.lanes[lane]); {
		frames, streams := min(together, len(h.lanes[lane])-at), h.count
		at = h.pass(lane, at, frames)
		over := h.time.Mono()
		h.gauge.Note(over, over-slot*slotNS, over-begun, frames, streams)
		begun = over
	}
}

// pass runs up to some streams of a lane from index at, and returns the index at which to continue.
func (h *shard) pass(lane, at, some int) (next int) {
	list := h.lanes[lane]
	some = min(some, len(list)-at)
	h.sparing = h.spares()
	for range some {
		warm(list, at)
		s := list[at]
		raw := s.sock.(*udp.Pair)
		h.look()
		h.hear(s, raw)
		if !s.tick(h.mono) {
			at++
			continue
		}
		h.drain(s)
		last := len(list) - 1
		list[at], list[last] = list[last], nil // its turn is next, or in the next pass
		list = list[:last]
		h.count--
	}
	h.lanes[lane] = list
	return at
}

// drain takes in the last packets of a stream that is over and ends it.
func (h *shard) drain(s *Stream) {
	raw := s.sock.(*udp.Pair)
	h.look()
	for range lastRounds {
		if h.read(s, raw, raw.RTP) == 0 {
			break
		}
	}
	h.read(s, raw, raw.Control)
	s.finish()
	h.left()
}
