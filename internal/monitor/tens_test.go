package monitor

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// The ten minutes of an hour survive being stored; rows that earlier versions
// wrote have none, and are read all the same.
func TestTheTenMinutesOfAnHourAreKept(t *testing.T) {
	t.Parallel()
	var b Bucket
	half := time.FixedZone("half an hour off", 30*60)
	for _, minute := range []int{0, 9, 10, 59, 59} {
		at := time.Date(2026, 3, 2, 10, minute, 0, 0, time.UTC).In(half)
		b.add(&Fact{At: at, Figures: Figures{Answered: true, End: call.EndCompleted}}, newNumbers(nil))
	}
	stored := slotOf(&b)
	var read slot
	if err := read.unpack(stored.pack()); err != nil || read != stored || read.Tens != [tensPerHour]int64{2, 1, 0, 0, 0, 2} {
		t.Errorf("%v read as %v: %v", stored, read, err)
	}
	earlier := stored
	earlier.Tens = [tensPerHour]int64{}
	read = slot{}
	if err := read.unpack(earlier.pack()); err != nil || read != earlier || len(earlier.pack()) >= len(stored.pack()) {
		t.Errorf("%v read as %v: %v", earlier, read, err)
	}
	l := look{history: []watchedHour{{at: time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC), b: b}}}
	if calls, _ := figureOf("calls"); calls.point(&l.history[0].b.Counts, nil).N != 5 {
		t.Error("not all calls are counted")
	}
}
