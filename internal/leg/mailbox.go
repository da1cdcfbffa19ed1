package leg

import (
	"context"
	"sync/atomic"
	"time"
)

// Letter is a result on its way to a Party. The Party makes it with
// Mailbox.Expect, hands it to whoever does the slow work, and finds it in the
// Mailbox again once it has been delivered and is due.
type Letter[T any] struct {
	from, due time.Duration
	done      chan struct{}
	full      atomic.Bool
	value     T
}

// Deliver leaves the result. It may be called from any goroutine; calls after
// the first do nothing.
func (l *Letter[T]) Deliver(v T) {
	if l.full.Load() {
		return
	}
	l.value = v
	l.full.Store(true)
	close(l.done)
}

// Mailbox is where the results of slow work wait for a Party. The zero value
// is ready to use. All its methods belong to the Party's own thread; only
// Letter.Deliver is called from elsewhere.
type Mailbox[T any] struct {
	letters []*Letter[T]
}

// Expect opens a letter that takes effect at the given media time, or as soon
// as it has been delivered when that is later, and too late.
func (m *Mailbox[T]) Expect(due time.Duration) *Letter[T] { return m.ExpectFrom(due, due) }

// ExpectFrom opens a letter that takes effect as soon as it has been delivered,
// but not before from, and is late when that is after due. In virtual time,
// where slow work takes none, it takes effect at from.
func (m *Mailbox[T]) ExpectFrom(from, due time.Duration) *Letter[T] {
	l := &Letter[T]{from: from, due: due, done: make(chan struct{})}
	m.letters = append(m.letters, l)
	return l
}

// Take returns the first opened letter's value if it may take effect at the
// given time and has been delivered. late is by how much the frame in which it is
// taken lies behind its due time; in virtual time it is always under one frame.
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

// Waiting returns how many letters are out or not yet taken.
func (m *Mailbox[T]) Waiting() int { return len(m.letters) }

// Overdue returns by how much the first letter is late at the given time, 0 when none is.
func (m *Mailbox[T]) Overdue(at time.Duration) time.Duration {
	if len(m.letters) == 0 || m.letters[0].full.Load() || m.letters[0].due >= at {
		return 0
	}
	return at - m.letters[0].due
}

// Forget drops every letter that is out; what is still delivered goes nowhere.
func (m *Mailbox[T]) Forget() { m.letters = nil }

// Await blocks until every letter that may take effect at the given time has
// been delivered.
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
