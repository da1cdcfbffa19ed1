package pace

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringtrue/ringtrue/internal/leg"
)

// paceSlots is how many moments a frame's time is divided into; each is 1 ms.
const (
	paceSlots  = 20
	paceSlotNS = int64(leg.FrameTime) / paceSlots
)

// Paced is the media of a call whose packets something else carries. A Pacer's
// threads call it, one at a time; times are the Pacer's, in ns.
type Paced interface {
	// Begin tells when media time 0 is.
	Begin(zero int64)
	// Tick passes what is due by now; true says that the call is over.
	Tick(now int64) (over bool)
	// Halt asks for an end at the next Tick, because the Pacer closes.
	Halt()
	// Finish is called once, after the last Tick.
	Finish()
}

// Pacer steps the media of many calls by an absolute schedule, on a few threads and
// without one for each call. It is for lines that do not own their sockets; what
// owns them runs in package line/telephone.
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

// NewPacer starts the threads, as many as there are processors when threads is 0.
// They sleep while there is no call. now is the wall clock with its monotonic reading.
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

// Clock is the time in ns since the Pacer was made.
func (p *Pacer) Clock() int64 { return int64(p.now().Sub(p.base)) }

// Wall is the wall time of a time of the Pacer's.
func (p *Pacer) Wall(ns int64) time.Time { return p.base.Add(time.Duration(ns)) }

// Add takes over the media of a call until it is over.
func (p *Pacer) Add(s Paced) { p.shards[p.turn.Add(1)%uint64(len(p.shards))].hand(s) }

// Behind is how late the ordinary goroutines of this process were at worst during the
// last moments before now. What is not read by the Pacer's own threads was taken in
// that much later than it came, and its time of arrival says nothing about who sent it.
// It is measured while there are calls.
func (p *Pacer) Behind(now int64) time.Duration { return time.Duration(p.lag.Behind(now)) }

// Load is how the last second went.
func (p *Pacer) Load() Load {
	var all Load
	now := p.Clock()
	for _, s := range p.shards {
		all = all.With(s.gauge.Read(now))
	}
	all.Behind = time.Duration(p.lag.Load(now))
	return all
}

// Lateness is how late the frames were that have left since the Pacer was made.
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

// paceShard is one thread with its calls, each in one of the slots that a frame's
// time is divided into.
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
	h.nudge() // if only to look again what we kept from the thread
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

// run is the shard's thread, which is preferred to whatever else runs here where
// the system allows it. Without calls it waits on a channel; with calls it sleeps
// from slot to slot by absolute times.
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
			slot += behind - behind%paceSlots // every lane is due; the calls say what they missed
		}
		h.work(slot)
	}
}

// following is the next slot that has something in it.
func (h *paceShard) following(slot int64) int64 {
	for next := slot + 1; next < slot+paceSlots; next++ {
		if len(h.lanes[next%paceSlots]) > 0 {
			return next
		}
	}
	return slot + paceSlots
}

// takeIn gives new calls their lanes; true when the shard is to end. It waits for nobody:
// whoever hands in a call, and nudges afterwards, may have been driven from the processor
// by this very thread.
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

// pass lets the calls of a lane pass what is due.
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
