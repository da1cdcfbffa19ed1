package room

import "sync"

// losses is how many of our packets were lost by whoever counts them. A connection that is made anew, or an agent that comes
// again, counts from nothing, and what was lost before stays lost.
type losses[By comparable] struct {
	mu          sync.Mutex
	told        bool
	by          By // whose count is the newest
	before, now int64
}

// hear takes the newest count.
func (l *losses[By]) hear(by By, lost int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.told && l.by != by {
		l.before += l.now
	}
	l.told, l.by, l.now = true, by, lost
}

// all is what was lost in all, -1 when nobody says.
func (l *losses[By]) all() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.told {
		return -1
	}
	return l.before + l.now
}
