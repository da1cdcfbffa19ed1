package review

import (
	"strings"
	"sync"
)

// maxFailures bounds what is remembered; beyond it everything is forgotten, and
// the reviews in question get more tries than they should.
const maxFailures = 10_000

// ledger is what a service remembers: which reviews are at work here, and how
// often the review of each call failed in a row.
type ledger struct {
	mu     sync.Mutex
	atWork map[string]bool
	failed map[string]int
}

func newLedger() *ledger {
	return &ledger{atWork: map[string]bool{}, failed: map[string]int{}}
}

// begin takes the review of a call; false when it is at work already.
func (l *ledger) begin(callID string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.atWork[callID] {
		return false
	}
	l.atWork[callID] = true
	return true
}

// busy tells that a live review or the fetch of a recording is at work. A replay
// does one call at a time and asks between them, so what is at work is not its own.
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

// fail adds a failure and says how many there were.
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
