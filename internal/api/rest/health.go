package rest

import (
	"context"
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
			if err := s.Ready(ctx); problem.Is(err, problem.Unavailable) {
				s.Refuse(w, r, err)
				return
			} else if err != nil {
				s.Refuse(w, r, problem.New(problem.Unavailable, "the service is not ready").Because(err))
				return
			}
		}
		healthy(w)
	})
}

func healthy(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte(`{"status":"ok"}` + "\n"))
}
