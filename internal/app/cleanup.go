package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

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
		if err := one.undo(ctx); err != nil {
			errs = append(errs, fmt.Errorf("stop %s: %w", one.name, err))
		}
	}
	*c = nil
	return errors.Join(errs...)
}
