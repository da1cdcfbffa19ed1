package locate

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"
)

// How long a look-up of SRV records may delay a call: recordsTime at first, recordsAgain if the last one
// for the same name was not answered. Some resolvers answer what they know, and ignore other questions.
const (
	recordsTime  = 2 * time.Second
	recordsAgain = 200 * time.Millisecond
)

// recordsOf returns the SRV records of a domain, none if it has none or the resolver does not
// answer in time.
func (f *Finder) recordsOf(ctx context.Context, domain, transport string) []*net.SRV {
	name := transport + " " + domain
	wait := time.NewTimer(f.unanswered.patience(name))
	defer wait.Stop()
	answer := make(chan []*net.SRV, 1)
	// The look-up continues after its caller has given up, to find out whether there is an answer at all.
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

// nobodyAnswered reports whether a look-up failed because there was no answer.
func nobodyAnswered(asking context.Context, err error) bool {
	var failed *net.DNSError
	return err != nil && (asking.Err() != nil || errors.As(err, &failed) && failed.IsTimeout)
}

// unanswered remembers the names whose last look-up was not answered. The zero value is empty.
type unanswered struct {
	mu    sync.Mutex
	names map[string]bool
}

// mostUnanswered bounds them: an operator configures a few domains, but a far end could name any.
const mostUnanswered = 64

// patience returns how long to wait for a look-up of a name.
func (u *unanswered) patience(name string) time.Duration {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.names[name] {
		return recordsAgain
	}
	return recordsTime
}

// note records whether a look-up was left unanswered.
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
