package monitor

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/bucket"
)

// A call counts in the ten minutes of its hour, whatever its time's zone.
func TestCallsAreCountedByTenMinutes(t *testing.T) {
	t.Parallel()
	var b bucket.Bucket
	half := time.FixedZone("half an hour off", 30*60)
	for _, minute := range []int{0, 9, 10, 59, 59} {
		at := time.Date(2026, 3, 2, 10, minute, 0, 0, time.UTC).In(half)
		addCall(&b, &Fact{At: at, Figures: Figures{Answered: true}}, newNumbers(nil))
	}
	if b.Tens != [bucket.TensPerHour]int64{2, 1, 0, 0, 0, 2} {
		t.Errorf("counted as %v", b.Tens)
	}
	if calls, _ := figureOf("calls"); calls.point(&b.Counts, nil).N != 5 {
		t.Error("not all calls are counted")
	}
}
