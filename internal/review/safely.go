package review

import (
	"context"
	"errors"
	"runtime/debug"
)

// errPanicked says that a mistake of ours broke off what was done for a call.
var errPanicked = errors.New("a mistake of ours: it panicked")

// safely makes a panic one more way to fail, so that it is counted and comes to an end as any
// other failure does: the queue would drop the job after some of them, and a call whose review
// waits for it would wait for ever.
func (s *Service) safely(ctx context.Context, callID string, do func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			s.o.Log.ErrorContext(ctx, "the review of a call panicked", "call", callID, "panic", r, "stack", string(debug.Stack()))
			err = errPanicked
		}
	}()
	return do()
}
