package pace

import (
	"sync"
	"sync/atomic"
	"time"
)

// Seldom is the interval (ns) for a Lag that only measures how starved the process is.
const Seldom = int64(20 * time.Millisecond)

const (
	// often is the interval (ns) for a Lag that decides which arrival times to trust.
	often = int64(5 * time.Millisecond)
	// lagMemory is the number of beats remembered. They cover more than a frame, so that a
	// reader that looks once per frame misses none.
	lagMemory = 8
)

// Lag measures how late ordinary goroutines of this process run, with one that does nothing but
// wake up at intervals. Such goroutines read what a library receives from the network, unlike
// the media threads, which have priority over everything else: on a starved machine a call
// sends on time and yet sees everything arrive late.
type Lag struct {
	clock func() int64
	every int64
	// errand, if not nil, runs after every beat. It is for small tasks that would otherwise need a timer.
	errand func()

	beatAt atomic.Int64 // time of the last beat (ns)
	recent atomic.Int64 // largest delay of the last beats (ns)
	beats  atomic.Bool

	calls atomic.Int64
	mu    sync.Mutex // guards starting and stopping
	stop  chan struct{}
	peak  peak
}

// peak is the maximum per second.
type peak struct {
	mu           sync.Mutex
	second       int64
	fresh, whole int64
}

// note records a value measured at time now (ns).
func (p *peak) note(now, value int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.turn(now)
	p.fresh = max(p.fresh, value)
}

// read returns the maximum of the last full second.
func (p *peak) read(now int64) int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.turn(now)
	return p.whole
}

// turn starts a new second.
func (p *peak) turn(now int64) {
	second := now / secondNS
	if second <= p.second { // writer and reader read the clock before they take the lock
		return
	}
	p.whole = 0
	if second == p.second+1 {
		p.whole = p.fresh
	}
	p.second, p.fresh = second, 0
}

// NewLag returns a Lag that beats every so many ns of a clock (ns). errand, if not nil, runs
// after every beat.
func NewLag(clock func() int64, every int64, errand func()) *Lag {
	return &Lag{clock: clock, every: every, errand: errand}
}

// Enter announces the start of a call. The Lag beats while there are calls.
func (l *Lag) Enter() {
	if l.calls.Add(1) == 1 {
		l.settle()
	}
}

// Leave announces the end of a call. It may be called from a media thread: it waits for others
// only if the call was the last one.
func (l *Lag) Leave() {
	if l.calls.Add(-1) == 0 {
		l.settle()
	}
}

// settle starts or stops beating, depending on whether there are calls.
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

// Behind returns the largest recent delay (ns), including the time since the last beat was due.
func (l *Lag) Behind(now int64) int64 {
	return max(l.recent.Load(), now-l.beatAt.Load()-l.every)
}

// Load returns the largest delay (ns) of the last full second, or the current one if larger; 0
// without calls.
func (l *Lag) Load(now int64) int64 {
	if !l.beats.Load() {
		return 0
	}
	return max(l.peak.read(now), now-l.beatAt.Load()-l.every)
}
