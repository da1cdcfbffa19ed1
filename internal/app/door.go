package app

import (
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/store"
)

// askAgain is the Retry-After of requests that come before the service is up.
const askAgain = 5 * time.Second

// door answers requests from the first moment on. Upgrading the database of an older version can
// take minutes: until the service is up, the door tells how far it is, and then lets everybody
// through.
type door struct {
	waiting http.Handler
	service atomic.Pointer[http.Handler]
	step    atomic.Pointer[store.Step]
}

func newDoor(o Options) *door {
	d := &door{}
	// Without a log: a probe that asks every second would fill it with refusals.
	d.waiting = rest.Waiting(rest.Options{Now: o.Now, NewID: store.NewID}, d.why)
	return d
}

// ServeHTTP implements http.Handler.
func (d *door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h := d.service.Load(); h != nil {
		(*h).ServeHTTP(w, r)
		return
	}
	d.waiting.ServeHTTP(w, r)
}

// open lets everybody through to the service.
func (d *door) open(service http.Handler) { d.service.Store(&service) }

// why is the answer to requests that come too early.
func (d *door) why() *problem.Error {
	p := problem.New(problem.Unavailable, "the service is starting")
	if s := d.step.Load(); s != nil {
		p = problem.New(problem.Unavailable, "the service is starting: it is migrating its database to this version, step %d of %d", s.Number, s.Of)
	}
	p.RetryAfter = askAgain
	return p.WithHint("ask again in a few seconds")
}

// tellUpgrade logs the steps of an upgrade and has the door show them; d may be nil.
func tellUpgrade(log *slog.Logger, d *door) store.Tell {
	return func(s store.Step) {
		if d != nil {
			d.step.Store(&s)
		}
		if log != nil {
			log.Info("bringing the database to this version's shape", "step", s.Number, "of", s.Of, "version", s.Version)
		}
	}
}
