package rest

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// Readiness answers nil when the service can do its work.
type Readiness func(ctx context.Context) error

const readyTimeout = 3 * time.Second

const (
	healthPath = "/healthz"
	readyPath  = "/readyz"
)

// serveHealth adds /healthz (the process lives) and /readyz (its database answers and may be written).
func (s *Server) serveHealth() {
	s.mux.HandleFunc("GET "+healthPath, func(w http.ResponseWriter, _ *http.Request) { healthy(w) })
	s.mux.HandleFunc("GET "+readyPath, func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
		defer cancel()
		if s.Ready != nil {
			if err := s.Ready(ctx); err != nil {
				s.Refuse(w, r, notReady(ctx, err))
				return
			}
		}
		healthy(w)
	})
}

// notReady says why the service is not ready, also where our own patience has ended.
func notReady(ctx context.Context, err error) error {
	switch {
	case problem.Is(err, problem.Unavailable):
		return err
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		late := problem.New(problem.Unavailable, "the database does not answer in time").
			WithHint("the service goes on by itself once its database does")
		late.RetryAfter = readyTimeout
		return late.Because(err)
	}
	return problem.New(problem.Unavailable, "the service is not ready").Because(err)
}

func healthy(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte(`{"status":"ok"}` + "\n"))
}
