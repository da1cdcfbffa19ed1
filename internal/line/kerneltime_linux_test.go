package line

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestWhoWakesInTimeIsNotTooEarly has the machine stand still while the clocks are compared: by
// the time of the schedule no moment may come later than by the kernel's clock, by which it is
// slept, or every sleep ends with waiting in a loop for as long.
func TestWhoWakesInTimeIsNotTooEarly(t *testing.T) {
	t.Parallel()
	slow := true
	k := newKernelTime(&Media{opts: MediaOptions{Now: func() time.Time {
		if slow {
			time.Sleep(2 * time.Millisecond)
		}
		return time.Now()
	}}})
	slow = false
	var ts unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts)
	if mono := k.mono(); mono < ts.Nano() {
		t.Errorf("it is %s behind the kernel's clock", time.Duration(ts.Nano()-mono))
	}
}
