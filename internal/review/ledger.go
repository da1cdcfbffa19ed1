package review

import (
	"strings"
	"sync"
)

// maxFailures bounds what is remembered. Beyond it everything is forgotten, and some reviews get
// more tries than they should.
const maxFailures = 10_000

// ledger remembers which reviews this service is working on, and how often in a row the review of
// each call has failed.
type ledger struct {
	mu     sync.Mutex
	atWork map[string]bool
	failed map[string]int
}

func newLedger() *ledger {
	return &ledger{atWork: map[string]bool{}, failed: map[string]int{}}
}

// begin starts the review of a call; it returns false when that is under way already.
func (l *ledger) begin(callID string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.atWork[callID] {
		return false
	}
	l.atWork[callID] = true
	return true
}

// busy reports whether a live review or a fetch is at work. A replay reviews one call at a time and
// asks in between, so that it never sees its own.
func (l *ledger) busy() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id := range l.atWork {
		if !strings.HasPrefix(id, JobReplay+" ") {
			return true
		}
	}
	return false
}

func (l *ledger) end(callID string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.atWork, callID)
}

// fail counts a failure and returns the number so far.
func (l *ledger) fail(callID string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.failed) >= maxFailures {
		clear(l.failed)
	}
	l.failed[callID]++
	return l.failed[callID]
}

func (l *ledger) forget(callID string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.failed, callID)
}
