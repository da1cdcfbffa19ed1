package calllog

import (
	"context"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
)

const (
	// maxGroup is how many submissions one transaction stores at most.
	maxGroup = 128
	// maxWaiting bounds how many submissions wait for their transaction.
	maxWaiting = 4096
	// comeBack is when a client is told to try again.
	comeBack = time.Second
)

// lane stores submissions in groups, one transaction after the other: while
// one is at work the next ones gather. So a transaction has as many as there
// is need for, and nobody waits for company.
type lane struct {
	// commit stores a group and answers each arrival of it.
	commit func(group []*arrival)
	// rests is told when nothing waits any more, nil when nobody is.
	rests func()

	mu      sync.Mutex
	waiting []*arrival
	working bool
	// storing is how many the group that is being stored has.
	storing int
}

// put takes in a submission and waits until it is stored or refused. When ctx
// ends before, the submission may be stored all the same.
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

// work stores what waits, until nothing does.
func (l *lane) work() {
	for {
		group := l.take()
		if len(group) == 0 {
			return
		}
		l.commit(group)
	}
}

// take is the next group. Of the submissions of one call it has only one, so
// that each meets the ones before it in the database.
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

// inHand is how many are being stored and wait for it.
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

// room bounds how many bytes of bodies are worked on at the same time: what is
// read of a body is many times as large as the body.
type room struct {
	mu   sync.Mutex
	free int
	// freed is there while somebody waits, and is closed when there is more room.
	freed chan struct{}
}

// enter waits for room, but not for longer than patience.
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
