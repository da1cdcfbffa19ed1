package pace

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringtrue/ringtrue/internal/leg"
)

// paceSlots is the number of 1 ms slots in a frame's time.
const (
	paceSlots  = 20
	paceSlotNS = int64(leg.FrameTime) / paceSlots
)

// Paced is the media of a call whose packets are carried by something else. A Pacer's threads
// call its methods, one at a time. Times are Pacer times in ns.
type Paced interface {
	// Begin sets the time of media time 0.
	Begin(zero int64)
	// Tick does what is due by now. It returns true when the call is over.
	Tick(now int64) (over bool)
	// Halt requests the end of the call at the next Tick, because the Pacer is closing.
	Halt()
	// Finish is called once, after the last Tick.
	Finish()
}

// Pacer drives the media of many calls by an absolute schedule, with a few threads in all. It
// is for lines that do not own their sockets; those that do use package line/telephone.
type Pacer struct {
	now    func() time.Time
	base   time.Time
	rest   rest
	shards []*paceShard
	lag    *Lag
	turn   atomic.Uint64
	wg     sync.WaitGroup
	over   sync.Once
}

// NewPacer starts the given number of threads, 0 for one per processor. They sleep while there
// are no calls. now is the wall clock with its monotonic reading.
func NewPacer(now func() time.Time, threads int) *Pacer {
	if threads <= 0 {
		threads = runtime.NumCPU()
	}
	base := now()
	p := &Pacer{now: now, base: base, rest: newRest(now, base)}
	p.lag = NewLag(p.Clock, often, nil)
	MakeRoom(threads)
	for range threads {
		s := &paceShard{pacer: p, wake: make(chan struct{}, 1)}
		p.shards = append(p.shards, s)
		p.wg.Go(s.run)
	}
	return p
}

// Clock returns the time in ns since the Pacer was created.
func (p *Pacer) Clock() int64 { return int64(p.now().Sub(p.base)) }

// Wall converts a Pacer time to wall time.
func (p *Pacer) Wall(ns int64) time.Time { return p.base.Add(time.Duration(ns)) }

// Add schedules the media of a call until it is over.
func (p *Pacer) Add(s Paced) { p.shards[p.turn.Add(1)%uint64(len(p.shards))].hand(s) }

// Behind returns the largest recent delay of ordinary goroutines of this process. Data that is
// not read by the Pacer's own threads was taken in that much later than it arrived, so its
// arrival time says nothing about the sender. It is measured only while there are calls.
func (p *Pacer) Behind(now int64) time.Duration { return time.Duration(p.lag.Behind(now)) }

// Load returns the load of the last full second.
func (p *Pacer) Load() Load {
	var all Load
	now := p.Clock()
	for _, s := range p.shards {
		all = all.With(s.gauge.Read(now))
	}
	all.Behind = time.Duration(p.lag.Load(now))
	return all
}

// Lateness returns the lateness of all frames since the Pacer was created.
func (p *Pacer) Lateness() (all Lateness) {
	now := p.Clock()
	for _, s := range p.shards {
		s.gauge.Lateness(now, &all)
	}
	return all
}

// Close halts every call and stops the threads.
func (p *Pacer) Close() {
	for _, s := range p.shards {
		s.mu.Lock()
		s.closed = true
		s.mu.Unlock()
		s.nudge()
	}
	p.wg.Wait()
	p.over.Do(func() { MakeRoom(-len(p.shards)) })
}

// paceShard is one thread with its calls, each assigned to one of the slots of a frame's time.
type paceShard struct {
	pacer *Pacer
	wake  chan struct{}
	gauge Gauge

	mu     sync.Mutex
	inbox  []Paced
	closed bool

	lanes [paceSlots][]Paced
	count int
}

func (h *paceShard) hand(s Paced) {
	h.mu.Lock()
	closed := h.closed
	if !closed {
		h.inbox = append(h.inbox, s)
	}
	h.mu.Unlock()
	h.nudge() // the thread may have skipped what we had locked
	if closed {
		now := h.pacer.Clock()
		s.Begin(now)
		s.Halt()
		s.Tick(now)
		s.Finish()
	}
}

func (h *paceShard) nudge() {
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

// run is the shard's thread, with high priority where the system permits. Without calls it
// waits on a channel, otherwise it sleeps from slot to slot by absolute times.
func (h *paceShard) run() {
	prefer()
	slot := h.pacer.Clock() / paceSlotNS
	for {
		if h.count == 0 {
			<-h.wake
			slot = h.pacer.Clock() / paceSlotNS
		}
		if h.takeIn(slot) {
			return
		}
		if h.count == 0 {
			continue
		}
		slot = h.following(slot)
		for wait := slot*paceSlotNS - h.pacer.Clock(); wait > 0; wait = slot*paceSlotNS - h.pacer.Clock() {
			h.pacer.rest.until(slot*paceSlotNS, wait)
		}
		if behind := h.pacer.Clock()/paceSlotNS - slot; behind > paceSlots {
			slot += behind - behind%paceSlots // every lane is due; the calls record what they missed
		}
		h.work(slot)
	}
}

// following returns the next slot with calls in it.
func (h *paceShard) following(slot int64) int64 {
	for next := slot + 1; next < slot+paceSlots; next++ {
		if len(h.lanes[next%paceSlots]) > 0 {
			return next
		}
	}
	return slot + paceSlots
}

// takeIn assigns slots to new calls. It returns true if the shard is to stop. It never waits for the
// lock, since its holder may have been preempted by this thread; the holder calls nudge afterwards.
func (h *paceShard) takeIn(slot int64) (over bool) {
	if !h.mu.TryLock() {
		return false
	}
	fresh, closed := h.inbox, h.closed
	h.inbox = nil
	h.mu.Unlock()
	for _, s := range fresh {
		best := slot + 1
		for i := slot + 2; i <= slot+paceSlots/2; i++ {
			if len(h.lanes[i%paceSlots]) < len(h.lanes[best%paceSlots]) {
				best = i
			}
		}
		h.lanes[best%paceSlots] = append(h.lanes[best%paceSlots], s)
		h.count++
		h.pacer.lag.Enter()
		s.Begin(best * paceSlotNS)
	}
	if !closed {
		return false
	}
	for lane := range h.lanes {
		for _, s := range h.lanes[lane] {
			s.Halt()
		}
		h.pass(lane)
	}
	return true
}

func (h *paceShard) work(slot int64) {
	lane := int(slot % paceSlots)
	n := len(h.lanes[lane])
	if n == 0 {
		return
	}
	begun, streams := h.pacer.Clock(), h.count
	h.pass(lane)
	over := h.pacer.Clock()
	h.gauge.Note(over, begun-slot*paceSlotNS, over-begun, n, streams)
}

// pass ticks the calls of a lane.
func (h *paceShard) pass(lane int) {
	list := h.lanes[lane]
	for i := 0; i < len(list); {
		if !list[i].Tick(h.pacer.Clock()) {
			i++
			continue
		}
		list[i].Finish()
		h.pacer.lag.Leave()
		last := len(list) - 1
		list[i], list[last] = list[last], nil
		list = list[:last]
		h.count--
	}
	h.lanes[lane] = list
}
