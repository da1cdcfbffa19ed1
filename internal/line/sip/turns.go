package sip

import (
	"slices"
	"sync"
	"time"
)

// How long a request waits for those before it that may be on their way to be handled
// too: each comes on a goroutine of its own, and so not in the order in which it came.
const (
	// comingPatience is for one that came behind another whose turn is not over. It is bounded
	// since not every one of these has a turn: one may want what is not spoken here.
	comingPatience = 250 * time.Millisecond
	// firstPatience is for the first one in a dialog, of which nobody knows whether it is: a BYE too,
	// or whoever passes us on and hangs up behind it would only have hung up.
	firstPatience = 5 * time.Millisecond
	// gapPatience is for one whose number does not follow the last one.
	gapPatience = 50 * time.Millisecond
)

// turns has the far end's requests in a dialog handled one at a time, in the order of
// their numbers (RFC 3261 section 12.2.2). The zero value knows of none.
type turns struct {
	mu      sync.Mutex
	last    uint32 // the newest number that was handled, 0 before the first
	busy    bool
	waiting []uint32
	onWay   []uint32      // those that have come and do not wait yet
	over    chan struct{} // is closed when the present turn is over
}

// mostOnWay bounds the requests that are known to be on their way.
const mostOnWay = 64

// coming notes that a request has come, in the order in which they do.
func (t *turns) coming(seq uint32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if seq > t.last && len(t.onWay) < mostOnWay && !slices.Contains(t.onWay, seq) && !slices.Contains(t.waiting, seq) {
		t.onWay = append(t.onWay, seq)
	}
}

// patience is how long a request waits for others.
func (t *turns) patience(seq uint32) time.Duration {
	switch {
	case slices.ContainsFunc(t.onWay, func(n uint32) bool { return n < seq }):
		return comingPatience
	case t.last == 0:
		return firstPatience
	}
	return gapPatience
}

// begin waits for the turn of a request, which end ends; false when its number is over.
func (t *turns) begin(seq uint32) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waiting = append(t.waiting, seq)
	t.onWay = slices.DeleteFunc(t.onWay, func(n uint32) bool { return n == seq })
	defer func() {
		at := slices.Index(t.waiting, seq)
		t.waiting = slices.Delete(t.waiting, at, at+1)
	}()
	if t.over == nil {
		t.over = make(chan struct{})
	}
	timer := time.NewTimer(t.patience(seq))
	defer timer.Stop()
	patient := true
	for {
		follows := t.last != 0 && seq <= t.last+1 || !patient && seq == slices.Min(t.waiting)
		switch {
		case seq < t.last:
			return false
		case follows && !t.busy:
			t.busy = true
			return true
		}
		over := t.over
		t.mu.Unlock()
		select {
		case <-over:
		case <-timer.C:
			patient = false
		}
		t.mu.Lock()
	}
}

// end ends the turn of a request.
func (t *turns) end(seq uint32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last, t.busy = max(t.last, seq), false
	t.onWay = slices.DeleteFunc(t.onWay, func(n uint32) bool { return n <= t.last })
	close(t.over)
	t.over = make(chan struct{})
}
