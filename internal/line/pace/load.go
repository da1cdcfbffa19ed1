package pace

import (
	"sync"
	"time"
)

// Load is how the media loop fared during the last whole second.
type Load struct {
	// Second counts the seconds that were measured; it tells one measurement from the next.
	Second int64
	// Streams are the calls whose media were running.
	Streams int
	// Busy is the share (0 to 1) of its time that the busiest thread spent on
	// its streams, waiting for the processor included. A portable loop does not know it.
	Busy float64
	// Late is what 99 in 100 frames were late by at most.
	Late time.Duration
	// Behind is how late the ordinary goroutines of this process ran at worst, while there
	// were calls. The media threads go before them, and still need them now and then: who stops the
	// world for the garbage collector, or puts back a thread that the runtime took off, is one of them.
	// A portable loop does not know it.
	Behind time.Duration
}

// LatenessStep is the scale on which latenesses are counted, and lateSteps how long
// it is; the last step holds everything beyond.
const (
	LatenessStep = 500 * time.Microsecond

	lateStep  = int64(LatenessStep)
	lateSteps = 64
)

// Lateness counts the frames that have left since the media loop was made, up to the last
// whole second, by how late they were: the first of them by less than one LatenessStep,
// the next by less than two, and so on.
type Lateness [lateSteps]int64

// Add counts the frames of another media loop too.
func (l *Lateness) Add(more *Lateness) {
	for i, n := range more {
		l[i] += n
	}
}

const secondNS = int64(time.Second)

// Gauge measures the load of a thread, second by second. The thread waits for nobody who
// reads it: one that is preferred to all others would have to wait for whoever it has driven
// from the processor with the lock in its hand, and for the runtime to find it again.
type Gauge struct {
	// kept is what was noted while somebody was reading; the thread's own.
	kept account

	mu     sync.Mutex
	second int64
	fresh  account
	whole  account
	// past are the frames of all seconds that are over.
	past Lateness
}

// account is what happened in one second.
type account struct {
	busy   int64
	frames int
	most   int // streams at a time
	late   [lateSteps]int
}

// Note says that at engine time now a piece of work on so many frames was done,
// late after its schedule, which took busy, while there were so many streams. One
// thread at a time may call it.
func (g *Gauge) Note(now, late, busy int64, frames, streams int) {
	to := &g.kept
	if g.mu.TryLock() {
		defer g.mu.Unlock()
		g.turn(now)
		to = &g.fresh
		if g.kept.frames > 0 {
			to.add(&g.kept)
			g.kept = account{}
		}
	}
	to.busy += busy
	to.frames += frames
	to.most = max(to.most, streams)
	to.late[min(max(late, 0)/lateStep, lateSteps-1)] += frames
}

// add joins what was kept aside.
func (a *account) add(more *account) {
	a.busy += more.busy
	a.frames += more.frames
	a.most = max(a.most, more.most)
	for i, n := range more.late {
		a.late[i] += n
	}
}

// turn closes the account of a second that is over.
func (g *Gauge) turn(now int64) {
	second := now / secondNS
	if second <= g.second { // who notes and who reads look at the clock before they wait for each other
		return
	}
	for i, n := range g.fresh.late {
		g.past[i] += int64(n)
	}
	g.whole = account{}
	if second == g.second+1 {
		g.whole = g.fresh
	}
	g.second, g.fresh = second, account{}
}

// Read gives the last whole second as seen at engine time now.
func (g *Gauge) Read(now int64) Load {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.turn(now)
	return Load{
		Second: g.second, Streams: g.whole.most,
		Busy: min(float64(g.whole.busy)/float64(secondNS), 1), Late: g.whole.quantile(),
	}
}

// Lateness adds what was counted up to the last whole second before engine time now.
func (g *Gauge) Lateness(now int64, into *Lateness) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.turn(now)
	into.Add(&g.past)
}

func (a *account) quantile() time.Duration {
	const beyond = 100 // one frame in so many may be later
	rest := a.frames / beyond
	for step := lateSteps - 1; step >= 0; step-- {
		if rest -= a.late[step]; rest < 0 {
			return time.Duration(int64(step+1) * lateStep)
		}
	}
	return 0
}

// With joins the loads of two threads: their streams add up, for the rest the
// worse of them counts.
func (l Load) With(o Load) Load {
	return Load{
		Second: max(l.Second, o.Second), Streams: l.Streams + o.Streams, Busy: max(l.Busy, o.Busy), Late: max(l.Late, o.Late),
		Behind: max(l.Behind, o.Behind),
	}
}
