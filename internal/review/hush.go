package review

import (
	"sync"
	"time"
)

const (
	// hushFor is how long the same kind of failure is logged only once. After an import, a host
	// that is away can fail thousands of recordings a minute.
	hushFor = 10 * time.Second
	// hushed limits how many kinds of failure are distinguished.
	hushed = 100
)

// hush keeps the log readable: it lets each kind of failure through once in a while.
type hush struct {
	mu   sync.Mutex
	told map[string]time.Time
	left map[string]int
}

func newHush() *hush { return &hush{told: map[string]time.Time{}, left: map[string]int{}} }

// speak reports whether to log a failure now, and how many were not logged since the last one.
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
