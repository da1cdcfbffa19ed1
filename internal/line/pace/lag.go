package pace

import (
	"sync"
	"sync/atomic"
	"time"
)

// Seldom is how often (ns) a Lag beats that only tells how starved the process is.
const Seldom = int64(20 * time.Millisecond)

const (
	// often is how often (ns) it beats where that tells what packets to believe.
	often = int64(5 * time.Millisecond)
	// lagMemory is how many of the last beats are remembered: for longer than a
	// frame's time, so that whoever looks once a frame misses none.
	lagMemory = 8
)

// Lag measures how late the ordinary goroutines of this process run, by one that has
// nothing to do but to beat. What a library reads from the network is taken in by such
// goroutines, and not by the threads of the schedule, which go before everything else: on
// a starved machine a call sends in time and still believes that everything came late.
type Lag struct {
	clock func() int64
	every int64
	// errand, if any, is run after every beat: small things that would otherwise wake somebody.
	errand func()

	beatAt atomic.Int64 // when it beat last (ns)
	recent atomic.Int64 // the latest of the last beats (ns)
	beats  atomic.Bool

	calls atomic.Int64
	mu    sync.Mutex // of beginning and ending to beat
	stop  chan struct{}
	peak  peak
}

// peak is the worst of each second.
type peak struct {
	mu           sync.Mutex
	second       int64
	fresh, whole int64
}

// note takes what was measured at a time (ns).
func (p *peak) note(now, value int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.turn(now)
	p.fresh = max(p.fresh, value)
}

// read gives the worst of the last whole second.
func (p *peak) read(now int64) int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.turn(now)
	return p.whole
}

// turn closes the books of a second that is over.
func (p *peak) turn(now int64) {
	second := now / secondNS
	if second <= p.second { // who notes and who reads look at the clock before they wait for each other
		return
	}
	p.whole = 0
	if second == p.second+1 {
		p.whole = p.fresh
	}
	p.second, p.fresh = second, 0
}

// NewLag makes one that beats every so many ns by a clock (ns). errand, if any, is run
// after every beat.
func NewLag(clock func() int64, every int64, errand func()) *Lag {
	return &Lag{clock: clock, every: every, errand: errand}
}

// Enter says that a call begins: it beats while there are calls.
func (l *Lag) Enter() {
	if l.calls.Add(1) == 1 {
		l.settle()
	}
}

// Leave says that a call is over. A media thread says so, and waits for nobody but where the
// call was the last one.
func (l *Lag) Leave() {
	if l.calls.Add(-1) == 0 {
		l.settle()
	}
}

// settle begins to beat, or ends it, as there are calls.
func (l *Lag) settle() {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch some := l.calls.Load() > 0; {
	case some == l.beats.Load():
	case some:
		l.beatAt.Store(l.clock())
		l.recent.Store(0)
		l.beats.Store(true)
		l.stop = make(chan struct{})
		go l.beat(l.stop)
	default:
		l.beats.Store(false)
		close(l.stop)
	}
}

func (l *Lag) beat(stop <-chan struct{}) {
	ticker := time.NewTicker(time.Duration(l.every))
	defer ticker.Stop()
	var last [lagMemory]int64
	for n := 0; ; n++ {
		select {
		case <-stop:
			l.run()
			return
		case <-ticker.C:
		}
		now := l.clock()
		last[n%lagMemory] = now - l.beatAt.Swap(now) - l.every
		l.peak.note(now, last[n%lagMemory])
		worst := int64(0)
		for _, late := range last {
			worst = max(worst, late)
		}
		l.recent.Store(worst)
		l.run()
	}
}

func (l *Lag) run() {
	if l.errand != nil {
		l.errand()
	}
}

// Behind is how late (ns) it was at worst during the last moments, those since the
// last beat included.
func (l *Lag) Behind(now int64) int64 {
	return max(l.recent.Load(), now-l.beatAt.Load()-l.every)
}

// Load is how late (ns) it was at worst in the last whole second, or is by now: 0 without calls.
func (l *Lag) Load(now int64) int64 {
	if !l.beats.Load() {
		return 0
	}
	return max(l.peak.read(now), now-l.beatAt.Load()-l.every)
}
