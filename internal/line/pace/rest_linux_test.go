package pace

import (
	"testing"
	"time"
)

// TestAThreadSleepsToTheTimesOfItsPacer checks the wake-up time although the thread was kept from
// the processor between reading the two clocks.
func TestAThreadSleepsToTheTimesOfItsPacer(t *testing.T) {
	t.Parallel()
	before := kernelsOwn()
	base := time.Now()
	after := kernelsOwn()
	// The two clocks are read one after the other; the best of several attempts counts.
	const kept, moment = 50 * time.Millisecond, 5 * time.Millisecond
	zero := time.Duration(newRest(time.Now, base.Add(-kept)).zero) + kept
	if zero < time.Duration(before) || zero > time.Duration(after)+moment {
		t.Errorf("time 0 is %s after it was read", zero-time.Duration(before))
	}
}
