package sip

import (
	"slices"
	"sync"
	"time"
)

// How long a request waits for earlier ones that may still be about to be handled: each is
// handled on its own goroutine, and thus not in order of arrival.
const (
	// comingPatience applies if an earlier request has arrived and its turn is not over. It is
	// bounded because not every request has a turn: some have unsupported methods.
	comingPatience = 250 * time.Millisecond
	// firstPatience applies to the first request in a dialog, which may not be the first that was sent. Even
	// a BYE waits, since after a transfer request it would otherwise end the call before the transfer.
	firstPatience = 5 * time.Millisecond
	// gapPatience applies to a request whose number does not follow the last one.
	gapPatience = 50 * time.Millisecond
)

// turns serialises the far end's requests in a dialog in order of their numbers (RFC 3261
// section 12.2.2). The zero value is ready to use.
type turns struct {
	mu      sync.Mutex
	last    uint32 // the highest number handled, 0 before the first
	busy    bool
	waiting []uint32
	onWay   []uint32      // arrived and not waiting yet
	over    chan struct{} // closed when the current turn is over
}

// mostOnWay bounds the number of requests known to be on their way.
const mostOnWay = 64

// coming records the arrival of a request. It must be called in order of arrival.
func (t *turns) coming(seq uint32) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if seq > t.last && len(t.onWay) < mostOnWay && !slices.Contains(t.onWay, seq) && !slices.Contains(t.waiting, seq) {
		t.onWay = append(t.onWay, seq)
	}
}

// patience returns how long a request waits for others.
func (t *turns) patience(seq uint32) time.Duration {
	switch {
	case slices.ContainsFunc(t.onWay, func(n uint32) bool { return n < seq }):
		return comingPatience
	case t.last == 0:
		return firstPatience
	}
	return gapPatience
}

// begin waits for the turn of a request, which end ends. It returns false if a higher number
// has been handled.
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
