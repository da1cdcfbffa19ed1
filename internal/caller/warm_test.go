package caller

import (
	"testing"
	"time"
	"unsafe"
)

// TestWarmChangesNothing warms a caller before every frame of its call.
func TestWarmChangesNothing(t *testing.T) {
	t.Parallel()
	play := func(warm bool) outcome {
		s := &stage{
			item: script(waitAgent(), say("I would like a table"), waitAgent(), say("for two"), hangUp()), warm: warm,
			agent: &farAgent{lines: []utterance{{at: time.Second, long: 2 * time.Second}, {after: 800 * time.Millisecond, long: time.Second}}},
		}
		return s.play(t)
	}
	cold, warm := play(false), play(true)
	cold.wantSame(t, warm)
	warm.wantSaid(t, "I would like a table", "for two")
	nobody := new(Caller)
	nobody.Warm(ignore) // with nothing to warm
	nobody.WarmFurther(ignore)
}

func ignore(unsafe.Pointer, uintptr) {}
