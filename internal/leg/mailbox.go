package leg

import (
	"context"
	"sync/atomic"
	"time"
)

// Letter carries a result to a Party. The Party creates it with Mailbox.Expect, hands it to
// whatever does the slow work, and takes it from the Mailbox once it has been delivered and is due.
type Letter[T any] struct {
	from, due time.Duration
	done      chan struct{}
	full      atomic.Bool
	value     T
}

// Deliver sets the result. It may be called from any goroutine; only the first call has an effect.
func (l *Letter[T]) Deliver(v T) {
	if l.full.Load() {
		return
	}
	l.value = v
	l.full.Store(true)
	close(l.done)
}

// Mailbox holds the results of slow work for a Party. The zero value is ready to use. Its methods
// may be called only from the Party's own goroutine; Letter.Deliver may be called from any.
type Mailbox[T any] struct {
	letters []*Letter[T]
}

// Expect opens a letter that takes effect at the given media time. If it is delivered after
// that, it takes effect on delivery and counts as late.
func (m *Mailbox[T]) Expect(due time.Duration) *Letter[T] { return m.ExpectFrom(due, due) }

// ExpectFrom opens a letter that takes effect on delivery but not before from, and that is late
// after due. In virtual time, where slow work takes no time, it takes effect at from.
func (m *Mailbox[T]) ExpectFrom(from, due time.Duration) *Letter[T] {
	l := &Letter[T]{from: from, due: due, done: make(chan struct{})}
	m.letters = append(m.letters, l)
	return l
}

// Take returns the value of the oldest letter if it has been delivered and may take effect at the given
// time. late is how long after its due time it is taken; in virtual time it is always less than one frame.
func (m *Mailbox[T]) Take(at time.Duration) (v T, late time.Duration, ok bool) {
	if len(m.letters) == 0 {
		return v, 0, false
	}
	first := m.letters[0]
	if first.from > at || !first.full.Load() {
		return v, 0, false
	}
	m.letters = m.letters[1:]
	return first.value, max(0, at-first.due), true
}

// Waiting returns the number of letters not yet taken, delivered or not.
func (m *Mailbox[T]) Waiting() int { return len(m.letters) }

// Overdue returns how late the oldest letter is at the given time, 0 if it was delivered or is not due.
func (m *Mailbox[T]) Overdue(at time.Duration) time.Duration {
	if len(m.letters) == 0 || m.letters[0].full.Load() || m.letters[0].due >= at {
		return 0
	}
	return at - m.letters[0].due
}

// Forget drops every open letter; what is still delivered to them is lost.
func (m *Mailbox[T]) Forget() { m.letters = nil }

// Await blocks until every letter that may take effect at the given time has been delivered, or
// until ctx ends.
func (m *Mailbox[T]) Await(ctx context.Context, at time.Duration) error {
	for _, l := range m.letters {
		if l.from > at {
			continue
		}
		select {
		case <-l.done:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
