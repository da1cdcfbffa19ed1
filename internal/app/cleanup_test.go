package app

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestCleanupsAfterTheirTime has the first part take all the time there is, as calls on the line
// do: what comes after it ends all the same, and only what hangs is told of.
func TestCleanupsAfterTheirTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var ended []string
		takes := func(name string, d time.Duration) cleanup {
			return cleanup{name, func(ctx context.Context) error {
				select {
				case <-time.After(d):
					ended = append(ended, name)
					return nil
				case <-ctx.Done():
					return ctx.Err()
				}
			}}
		}
		all := cleanups{
			takes("server", time.Second), takes("one that hangs", time.Hour), takes("line", time.Second),
			{"queue", func(ctx context.Context) error { <-ctx.Done(); return nil }},
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		began := time.Now()
		err := all.run(ctx)
		if !errors.Is(err, context.DeadlineExceeded) || strings.Count(err.Error(), "stop ") != 1 || !strings.Contains(err.Error(), "one that hangs") {
			t.Errorf("the stop says %v", err)
		}
		if !slices.Equal(ended, []string{"line", "server"}) {
			t.Errorf("ended %v", ended)
		}
		if took := time.Since(began); took != 20*time.Second+time.Second+atLeast+time.Second {
			t.Errorf("it took %s", took)
		}
	})
}
