package pace

import (
	"testing"
	"time"
)

// TestAThreadSleepsToTheTimesOfItsPacer although it was kept from the processor between
// reading one clock and the other.
func TestAThreadSleepsToTheTimesOfItsPacer(t *testing.T) {
	t.Parallel()
	before := kernelsOwn()
	base := time.Now()
	after := kernelsOwn()
	// The kernel's clock is read a moment after the other, in the best of some tries.
	const kept, moment = 50 * time.Millisecond, 5 * time.Millisecond
	zero := time.Duration(newRest(time.Now, base.Add(-kept)).zero) + kept
	if zero < time.Duration(before) || zero > time.Duration(after)+moment {
		t.Errorf("time 0 is %s after it was read", zero-time.Duration(before))
	}
}
