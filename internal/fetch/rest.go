package fetch

import (
	"sync"
	"time"
)

const (
	// longestRest is the longest a host is left alone.
	longestRest = time.Minute
	// maxResting is how many hosts are remembered before those whose rest is over are forgotten.
	maxResting = 1024
)

// resting remembers which hosts did not answer. Such a host is left alone for a while,
// longer each time, and then probed by one request at a time until it answers: requests that
// wait for it in vain would hold up others.
type resting struct {
	// first is the length of the first rest, 0 for none.
	first time.Duration
	now   func() time.Time

	mu    sync.Mutex
	hosts map[restKey]*rest
}

// restKey is a host and port, for one party.
type restKey struct{ party, host string }

type rest struct {
	failed int
	until  time.Time
	// asked says that a request is under way.
	asked bool
}

// mayAsk reports whether the host may be asked, and whether the request is the one that finds out if
// the host is back. If it may, the caller must call told.
func (r *resting) mayAsk(k restKey) (probes, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	h, known := r.hosts[k]
	if !known {
		return false, true
	}
	if h.asked || r.now().Before(h.until) {
		return false, false
	}
	h.asked = true
	return true, true
}

// outcome is the result of a request to a host.
type outcome int

const (
	// unsure means that the request was given up before the host could answer.
	unsure outcome = iota
	answered
	silent
)

// told records the outcome of a request, and probes what mayAsk said of it.
func (r *resting) told(k restKey, what outcome, probes bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	h, known := r.hosts[k]
	if known && probes {
		h.asked = false
	}
	switch {
	case r.first <= 0 || what == unsure:
	case what == answered:
		delete(r.hosts, k)
	case known && !probes: // it was under way when the host went away, of which another one has told
	default:
		if !known {
			r.forget()
			h = &rest{}
			r.hosts[k] = h
		}
		h.failed++
		h.until = r.now().Add(min(r.first*time.Duration(h.failed*h.failed), longestRest))
	}
}

// forget drops the hosts whose rest is over, once there are many.
func (r *resting) forget() {
	if len(r.hosts) < maxResting {
		return
	}
	now := r.now()
	for k, h := range r.hosts {
		if !h.asked && !now.Before(h.until) {
			delete(r.hosts, k)
		}
	}
}
