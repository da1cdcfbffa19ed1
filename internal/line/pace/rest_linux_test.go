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
	time.Sleep(50 * time.Millisecond)
	// The kernel's clock is read a moment after the other, in the best of some tries.
	const moment = int64(5 * time.Millisecond)
	if zero := newRest(time.Now, base).zero; zero < before || zero > after+moment {
		t.Errorf("time 0 is %s after it was read", time.Duration(zero-before))
	}
}
