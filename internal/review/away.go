package review

import (
	"context"
	"errors"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// awayPause is how often a job looks whether what stopped it, such as a database that is away, has
// passed.
const awayPause = 10 * time.Second

// away is a failure of the database that passes by itself: it does not answer, or has no room. It
// says nothing about the call, which is reviewed again afterwards.
type away struct{ error }

// Unwrap returns the failure itself.
func (a away) Unwrap() error { return a.error }

func isAway(err error) bool {
	var a away
	return errors.As(err, &a)
}

// watched is the store with its errors marked as away, so that they are told from those of a
// recogniser or language model.
type watched struct{ Store }

// Write implements Store.
func (w watched) Write(ctx context.Context, f func(Tx) error) error {
	return marked(w.Store.Write(ctx, f))
}

// Read implements Store.
func (w watched) Read(ctx context.Context, f func(Tx) error) error {
	return marked(w.Store.Read(ctx, f))
}

func marked(err error) error {
	if problem.Is(err, problem.Unavailable) {
		return away{err}
	}
	return err
}

// outlast postpones a review until the database is back. This does not count as a try.
func (s *Service) outlast(ctx context.Context, callID string, err error) error {
	if left, ok := s.hush.speak(reasonOf(err), s.o.Now()); ok {
		s.o.Log.WarnContext(ctx, "a review stands still", "call", callID, "error", err, "not_told", left)
	}
	return Wait{After: awayPause}
}
