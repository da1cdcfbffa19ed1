package locate

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"
)

// How long the question who serves a domain may keep a call waiting: recordsTime at first, and
// recordsAgain while the last one of its kind was left without an answer. There are resolvers
// that answer what they know, and say nothing to the rest.
const (
	recordsTime  = 2 * time.Second
	recordsAgain = 200 * time.Millisecond
)

// recordsOf are the SRV records of a domain, none where it has none or nobody says so in time.
func (f *Finder) recordsOf(ctx context.Context, domain, transport string) []*net.SRV {
	name := transport + " " + domain
	wait := time.NewTimer(f.unanswered.patience(name))
	defer wait.Stop()
	answer := make(chan []*net.SRV, 1)
	// It goes on without whoever has asked, to find out whether anybody answers at all.
	asking, cancel := context.WithTimeout(f.ctx, recordsTime)
	go func() {
		defer cancel()
		_, found, err := f.Serving(asking, "sip", transport, domain)
		f.unanswered.note(name, len(found) == 0 && nobodyAnswered(asking, err))
		answer <- found
	}()
	select {
	case found := <-answer:
		return found
	case <-wait.C:
	case <-ctx.Done():
	}
	return nil
}

// nobodyAnswered says that a look-up failed for want of any answer.
func nobodyAnswered(asking context.Context, err error) bool {
	var failed *net.DNSError
	return err != nil && (asking.Err() != nil || errors.As(err, &failed) && failed.IsTimeout)
}

// unanswered remembers the questions that nobody has answered the last time. The zero value knows
// of none.
type unanswered struct {
	mu    sync.Mutex
	names map[string]bool
}

// mostUnanswered bounds them: an operator names a few domains, a far end could name any.
const mostUnanswered = 64

// patience is how long the answer to a question may take.
func (u *unanswered) patience(name string) time.Duration {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.names[name] {
		return recordsAgain
	}
	return recordsTime
}

// note notes whether a question was left without an answer.
func (u *unanswered) note(name string, silent bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	switch {
	case !silent:
		delete(u.names, name)
	case u.names == nil || len(u.names) >= mostUnanswered:
		u.names = map[string]bool{name: true}
	default:
		u.names[name] = true
	}
}
