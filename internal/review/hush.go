package review

import (
	"sync"
	"time"
)

const (
	// hushFor is how long a failure that was told of is not told of again: a host that is
	// away fails thousands of recordings a minute after many calls were imported.
	hushFor = 10 * time.Second
	// hushed bounds how many kinds of failure are told apart.
	hushed = 100
)

// hush keeps a log readable: each kind of failure is told once in a while.
type hush struct {
	mu   sync.Mutex
	told map[string]time.Time
	left map[string]int
}

func newHush() *hush { return &hush{told: map[string]time.Time{}, left: map[string]int{}} }

// speak says whether to tell of a failure now, and of how many no line told since the last one.
func (h *hush) speak(what string, now time.Time) (left int, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if at, told := h.told[what]; told && now.Sub(at).Abs() < hushFor {
		h.left[what]++
		return 0, false
	}
	if len(h.told) >= hushed {
		clear(h.told)
		clear(h.left)
	}
	left = h.left[what]
	h.told[what], h.left[what] = now, 0
	return left, true
}
