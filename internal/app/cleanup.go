package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// atLeast is how long each part has to end even when the time for all of them is used up: calls on
// the line may last to its final moment, and the parts that come after them should not fail for it.
// Few parts wait at all, and those end at once when they have nothing left to do.
const atLeast = 2 * time.Second

// cleanups undo what has been set up, the last thing first. Each has a name,
// so that an error at the end says what did not end well.
type cleanups []cleanup

type cleanup struct {
	name string
	undo func(context.Context) error
}

func (c *cleanups) push(name string, undo func(context.Context) error) {
	*c = append(*c, cleanup{name, undo})
}

// run undoes everything, whatever fails on the way.
func (c *cleanups) run(ctx context.Context) error {
	var errs []error
	for _, one := range slices.Backward(*c) {
		if err := one.end(ctx); err != nil {
			errs = append(errs, fmt.Errorf("stop %s: %w", one.name, err))
		}
	}
	*c = nil
	return errors.Join(errs...)
}

func (c cleanup) end(ctx context.Context) error {
	if deadline, bounded := ctx.Deadline(); ctx.Err() != nil || bounded && time.Until(deadline) < atLeast {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), atLeast)
		defer cancel()
	}
	return c.undo(ctx)
}
