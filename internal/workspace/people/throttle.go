package people

import (
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// How often one may try to come in: a burst, then one try in every period.
const (
	addressBurst  = 30
	addressPeriod = 4 * time.Second
	emailBurst    = 10
	emailPeriod   = 30 * time.Second
	// maxTried is how many names a throttle remembers before it forgets those
	// that have their whole burst again.
	maxTried = 10_000
)

// throttle lets a name try a few times at once and then seldom.
type throttle struct {
	burst  int
	period time.Duration

	mu    sync.Mutex
	names map[string]*rate.Limiter
}

func newThrottle(burst int, period time.Duration) *throttle {
	return &throttle{burst: burst, period: period, names: map[string]*rate.Limiter{}}
}

// try lets one attempt through, or tells when the next is worth while.
func (t *throttle) try(name string, now time.Time) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	limiter, ok := t.names[name]
	if !ok {
		t.makeRoom(now)
		limiter = rate.NewLimiter(rate.Every(t.period), t.burst)
		t.names[name] = limiter
	}
	reserved := limiter.ReserveN(now, 1)
	wait := reserved.DelayFrom(now)
	if wait > 0 {
		reserved.CancelAt(now)
	}
	return wait
}

// forget gives a name its whole burst again: it came in.
func (t *throttle) forget(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.names, name)
}

// makeRoom forgets names that have been quiet, and all of them when that does not help.
func (t *throttle) makeRoom(now time.Time) {
	if len(t.names) < maxTried {
		return
	}
	for name, limiter := range t.names {
		if limiter.TokensAt(now) >= float64(t.burst) {
			delete(t.names, name)
		}
	}
	if len(t.names) >= maxTried {
		clear(t.names)
	}
}

// tries counts an attempt to come in against the address it comes from and the
// e-mail address that it names, "" for none.
func (s *Service) tries(from, email string) error {
	now := s.Now()
	wait := s.addresses.try(network(from), now)
	if wait == 0 && email != "" {
		wait = s.emails.try(email, now)
	}
	if wait == 0 {
		return nil
	}
	e := problem.New(problem.RateLimited, "there were too many sign-in attempts").WithHint("wait for the time in Retry-After")
	e.RetryAfter = wait
	return e
}
