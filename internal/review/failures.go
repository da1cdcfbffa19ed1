package review

import "sync"

// maxFailures bounds what is remembered; beyond it all of it is
// dropped and those reviews get more tries than they should.
const maxFailures = 10_000

// failures counts how often the review of each call failed in a row.
type failures struct {
	mu sync.Mutex
	n  map[string]int
}

// count adds a failure and says how many there were.
func (f *failures) count(callID string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.n) >= maxFailures {
		clear(f.n)
	}
	f.n[callID]++
	return f.n[callID]
}

func (f *failures) forget(callID string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.n, callID)
}
