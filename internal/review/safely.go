package review

import (
	"context"
	"errors"
	"runtime/debug"
)

// errPanicked means that processing a call panicked.
var errPanicked = errors.New("a mistake of ours: it panicked")

// safely turns a panic into an error, so that it counts as a failed try and ends like one:
// otherwise the queue would drop the job after some panics, and a call whose review waits for
// it would wait for ever.
func (s *Service) safely(ctx context.Context, callID string, do func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			s.o.Log.ErrorContext(ctx, "the review of a call panicked", "call", callID, "panic", r, "stack", string(debug.Stack()))
			err = errPanicked
		}
	}()
	return do()
}
