package rest

import (
	"net/http"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// Waiting is the handler of a service that is not up yet. The process lives
// (/healthz); whatever else is asked is refused with what why says at that moment.
// Of o it needs the log, the clocks and NewID alone.
func Waiting(o Options, why func() *problem.Error) http.Handler {
	s := &Server{Options: o.withDefaults()}
	var h http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == healthPath {
			healthy(w)
			return
		}
		w.Header().Set("Refresh", "5") // a browser asks again by itself
		s.Refuse(w, r, why())
	})
	h = s.heardOut(s.guarded(h))
	return s.observed(h)
}
