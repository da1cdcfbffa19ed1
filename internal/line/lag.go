package line

import (
	"sync"
	"sync/atomic"
	"time"
)

const (
	lagEvery = int64(5 * time.Millisecond)
	// lagMemory is how many of the last beats are remembered: for longer than a
	// frame's time, so that whoever looks once a frame misses none.
	lagMemory = 8
)

// lag measures how late the ordinary goroutines of this process run, by one that has
// nothing to do but to beat. What a library reads from the network is taken in by such
// goroutines, and not by the threads of the schedule, which go before everything else: on
// a starved machine a call sends in time and still believes that everything came late.
type lag struct {
	clock func() int64

	beatAt atomic.Int64 // when it beat last (ns)
	recent atomic.Int64 // the latest of the last beats (ns)

	mu    sync.Mutex
	calls int
	stop  chan struct{}
}

// enter has it beat while there are calls.
func (l *lag) enter() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.calls++; l.calls > 1 {
		return
	}
	l.beatAt.Store(l.clock())
	l.recent.Store(0)
	l.stop = make(chan struct{})
	go l.beat(l.stop)
}

func (l *lag) leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.calls--; l.calls == 0 {
		close(l.stop)
	}
}

func (l *lag) beat(stop <-chan struct{}) {
	ticker := time.NewTicker(time.Duration(lagEvery))
	defer ticker.Stop()
	var last [lagMemory]int64
	for n := 0; ; n++ {
		select {
		case <-stop:
			return
		case <-ticker.C:
		}
		now := l.clock()
		last[n%lagMemory] = now - l.beatAt.Swap(now) - lagEvery
		worst := int64(0)
		for _, late := range last {
			worst = max(worst, late)
		}
		l.recent.Store(worst)
	}
}

// behind is how late (ns) it was at worst during the last moments, those since the
// last beat included.
func (l *lag) behind(now int64) int64 {
	return max(l.recent.Load(), now-l.beatAt.Load()-lagEvery)
}
