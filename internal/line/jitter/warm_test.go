package jitter

import (
	"slices"
	"testing"
	"time"
)

// TestWarmChangesNothing warms a receiver at every moment of its life.
func TestWarmChangesNothing(t *testing.T) {
	t.Parallel()
	run := func(warm bool) []int16 {
		w := newWire()
		for n := range 300 {
			if warm {
				w.r.Warm()
				w.r.WarmFurther(n%2 == 0)
			}
			if n%7 != 3 {
				w.send(n, time.Duration(n)*20*time.Millisecond+transit)
			}
			w.hear(n)
		}
		_, pcm := w.finish()
		return pcm
	}
	if !slices.Equal(run(true), run(false)) {
		t.Error("the recording depends on whether its memory was warm")
	}
	var none Receiver // with nothing to warm
	none.Warm()
	none.WarmFurther(true)
}
