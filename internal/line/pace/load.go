package pace

import (
	"sync"
	"time"
)

// Load describes how the media loop performed during the last full second.
type Load struct {
	// Second numbers the seconds measured, to distinguish measurements.
	Second int64
	// Streams is the number of calls with running media.
	Streams int
	// Busy is the share (0 to 1) of its time that the busiest thread spent on its streams,
	// including waiting for the processor. It is 0 for a portable loop, which does not measure it.
	Busy float64
	// Late is the 99th percentile of the lateness of frames.
	Late time.Duration
	// Behind is the largest delay of ordinary goroutines, while there were calls. Media threads have
	// priority over them, but sometimes depend on them: goroutines stop the world for the garbage
	// collector, and resume a thread that the runtime has stopped. It is 0 for a portable loop.
	Behind time.Duration
}

// LatenessStep is the resolution of the lateness histogram, lateSteps its number of steps. The
// last step holds everything beyond.
const (
	LatenessStep = 500 * time.Microsecond

	lateStep  = int64(LatenessStep)
	lateSteps = 64
)

// Lateness is a histogram of the frames sent from the creation of the media loop to the end of
// the last full second, by lateness: element 0 counts frames less than one LatenessStep late,
// element 1 those less than two, and so on.
type Lateness [lateSteps]int64

// Add adds the frames of another media loop.
func (l *Lateness) Add(more *Lateness) {
	for i, n := range more {
		l[i] += n
	}
}

const secondNS = int64(time.Second)

// Gauge measures the load of a thread, second by second. The thread never waits for a reader:
// with its high priority it could be waiting for a reader that it preempted while that held the
// lock, and for the runtime to run that again.
type Gauge struct {
	// kept is what was recorded while a reader held the lock. Only the thread uses it.
	kept account

	mu     sync.Mutex
	second int64
	fresh  account
	whole  account
	// past are the frames of all completed seconds.
	past Lateness
}

// account is what happened in one second.
type account struct {
	busy   int64
	frames int
	most   int // maximum of simultaneous streams
	late   [lateSteps]int
}

// Note records work done at engine time now: the number of frames, how late after schedule it was,
// how long it took (busy) and the number of streams. It must be called from one thread at a time.
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

// add merges what was kept aside.
func (a *account) add(more *account) {
	a.busy += more.busy
	a.frames += more.frames
	a.most = max(a.most, more.most)
	for i, n := range more.late {
		a.late[i] += n
	}
}

// turn closes the account of a completed second.
func (g *Gauge) turn(now int64) {
	second := now / secondNS
	if second <= g.second { // writer and reader read the clock before they take the lock
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

// Read returns the load of the last full second before engine time now.
func (g *Gauge) Read(now int64) Load {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.turn(now)
	return Load{
		Second: g.second, Streams: g.whole.most,
		Busy: min(float64(g.whole.busy)/float64(secondNS), 1), Late: g.whole.quantile(),
	}
}

// Lateness adds the histogram up to the last full second before engine time now to into.
func (g *Gauge) Lateness(now int64, into *Lateness) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.turn(now)
	into.Add(&g.past)
}

func (a *account) quantile() time.Duration {
	const beyond = 100 // one frame in this many may be later
	rest := a.frames / beyond
	for step := lateSteps - 1; step >= 0; step-- {
		if rest -= a.late[step]; rest < 0 {
			return time.Duration(int64(step+1) * lateStep)
		}
	}
	return 0
}

// With combines the loads of two threads: streams are added, otherwise the worse value counts.
func (l Load) With(o Load) Load {
	return Load{
		Second: max(l.Second, o.Second), Streams: l.Streams + o.Streams, Busy: max(l.Busy, o.Busy), Late: max(l.Late, o.Late),
		Behind: max(l.Behind, o.Behind),
	}
}
