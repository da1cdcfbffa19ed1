package calllog

import (
	"context"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
)

const (
	// maxGroup limits how many submissions one transaction stores.
	maxGroup = 128
	// maxWaiting limits how many submissions wait for their transaction.
	maxWaiting = 4096
	// comeBack is the Retry-After of an overloaded service.
	comeBack = time.Second
)

// lane stores submissions in groups, one transaction after the other; the next
// group gathers while one is being stored. So groups grow with the load, and no
// submission waits for others to join it.
type lane struct {
	// commit stores a group and answers each arrival of it.
	commit func(group []*arrival)
	// rests is called when nothing is left to store; it may be nil.
	rests func()

	mu      sync.Mutex
	waiting []*arrival
	working bool
	// storing is the size of the group being stored.
	storing int
}

// put adds a submission and waits until it is stored or refused. If ctx ends
// first, the submission may be stored all the same.
func (l *lane) put(ctx context.Context, a *arrival) (Accepted, error) {
	l.mu.Lock()
	if len(l.waiting) >= maxWaiting {
		l.mu.Unlock()
		return Accepted{}, overloaded()
	}
	l.waiting = append(l.waiting, a)
	begin := !l.working
	l.working = true
	l.mu.Unlock()
	if begin {
		go l.work()
	}
	select {
	case r := <-a.answer:
		return r.accepted, r.err
	case <-ctx.Done():
		return Accepted{}, ctx.Err()
	}
}

// work stores groups until nothing waits.
func (l *lane) work() {
	for {
		group := l.take()
		if len(group) == 0 {
			return
		}
		l.commit(group)
	}
}

// take returns the next group. It holds at most one submission per call, so
// that each finds the ones before it in the database.
func (l *lane) take() []*arrival {
	l.mu.Lock()
	defer l.mu.Unlock()
	var group, rest []*arrival
	seen := make(map[Key]bool, min(len(l.waiting), maxGroup))
	for i, a := range l.waiting {
		if len(group) == maxGroup {
			rest = append(rest, l.waiting[i:]...)
			break
		}
		if seen[a.key] {
			rest = append(rest, a)
			continue
		}
		seen[a.key] = true
		group = append(group, a)
	}
	l.waiting = rest
	l.working, l.storing = len(group) > 0, len(group)
	if !l.working && l.rests != nil {
		l.rests()
	}
	return group
}

// inHand returns how many submissions are waiting or being stored.
func (l *lane) inHand() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.storing + len(l.waiting)
}

func overloaded() error {
	e := problem.New(problem.Unavailable, "more call logs arrive than can be stored").WithHint("send it again after the time in Retry-After; nothing was stored")
	e.RetryAfter = comeBack
	return e
}

// room limits the total size of the bodies that are processed at the same time:
// a parsed body takes many times its size.
type room struct {
	mu   sync.Mutex
	free int
	// freed is non-nil while somebody waits, and closed when room is freed.
	freed chan struct{}
}

// enter waits for room, but no longer than patience.
func (r *room) enter(ctx context.Context, bytes int, patience time.Duration) error {
	var timeout <-chan time.Time
	for {
		r.mu.Lock()
		if r.free >= bytes {
			r.free -= bytes
			r.mu.Unlock()
			return nil
		}
		if r.freed == nil {
			r.freed = make(chan struct{})
		}
		freed := r.freed
		r.mu.Unlock()
		if timeout == nil {
			timer := time.NewTimer(patience)
			defer timer.Stop()
			timeout = timer.C
		}
		select {
		case <-freed:
		case <-timeout:
			return overloaded()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (r *room) leave(bytes int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.free += bytes
	if r.freed != nil {
		close(r.freed)
		r.freed = nil
	}
}
