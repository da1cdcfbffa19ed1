package pace

import (
	"testing"
	"time"
)

// TestWhoWakesInTimeIsNotTooEarly makes the machine stall whenever a clock is read. No moment may
// be later on the schedule's clock than on the kernel's, on which the thread sleeps; otherwise
// every sleep would end with busy waiting for the difference. Of several readings, the fastest must
// be used.
func TestWhoWakesInTimeIsNotTooEarly(t *testing.T) {
	t.Parallel()
	const ahead, usual, short = 7 * time.Second, 2 * time.Millisecond, 30 * time.Microsecond
	begun := time.Unix(1000, 0)
	var passed time.Duration
	looks := 0
	stand := func() {
		looks++
		if passed += usual; looks > 9 && looks <= 12 {
			passed += short - usual
		}
	}
	k := beside(
		func() time.Time { defer stand(); return begun.Add(passed) },
		func() int64 { defer stand(); return int64(ahead + passed) },
	)
	passed += time.Hour
	kernel := int64(ahead + passed)
	if apart := time.Duration(k.Mono() - kernel); apart < 0 || apart > short {
		t.Errorf("it is %s before the kernel's clock", apart)
	}
}
