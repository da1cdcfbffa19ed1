package bucket

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// failureGroup is the number of the only failure group of the tests' calls.
const failureGroup = 7

// aCall is a call as far as buckets know it.
type aCall struct {
	Example
	end      call.EndCode
	blame    call.Blame
	duration time.Duration
	turns    int
	failed   bool
	dropped  bool
	stages   []int
	latency  []float64
}

func randomCall(r *rand.Rand, id string, at time.Time) aCall {
	c := aCall{Example: Example{At: at.UnixMicro(), CallID: id}, end: ends[r.IntN(len(ends))], blame: blames[r.IntN(len(blames))]}
	c.duration, c.turns = time.Duration(r.IntN(400_000))*time.Millisecond, r.IntN(70)
	c.failed, c.dropped = r.IntN(3) == 0, r.IntN(4) == 0
	for range r.IntN(4) {
		c.stages, c.latency = append(c.stages, r.IntN(5)), append(c.latency, float64(r.IntN(3000))/1000)
	}
	return c
}

func (c *aCall) addTo(b *Bucket) {
	b.Counts[Calls]++
	b.Counts[DurationMS] += c.duration.Milliseconds()
	b.Counts[OfEnd(c.end)]++
	b.Counts[OfBlame(c.blame)]++
	_ = b.Durations.Add(c.duration.Seconds())
	b.Spoken.Add(c.turns, 1)
	for i, stage := range c.stages {
		b.Reached.Add(stage, 1)
		_ = b.Latency.Add(c.latency[i])
	}
	if c.dropped {
		b.LeftAfter.Add(c.turns, 1)
	}
	if c.failed {
		b.Counts[FailedCalls]++
		b.Failures.Add(failureGroup, 1)
		b.Failed.Add(failureGroup, c.Example)
	}
}

func FuzzPacked(f *testing.F) {
	c := aCall{Example: Example{CallID: "c"}, turns: 3, failed: true, stages: []int{1}, latency: []float64{1}}
	var b Bucket
	c.addTo(&b)
	f.Add(b.pack())
	row, week := Roll{Day: 20000}, Week{Week: WeekOf(20000)}
	_, _ = row.Replace(map[int]*Bucket{3: &b})
	_, _ = week.Replace(&row)
	f.Add(week.Whole)
	f.Add(packLatest(b.Failed))
	f.Fuzz(func(_ *testing.T, data []byte) {
		_ = Gather(Everything).shape(data)
		_ = Gather(Everything).failed(data)
		var s Slot
		_ = s.unpack(data)
		_, _ = split(data)
		if whole, err := OpenWeek(data); err == nil {
			_, _ = whole.Day(0)
		}
		_, _ = (&Week{Days: data}).days()
	})
}

// TestBucketsMergeInAnyOrder checks that parts merged in a random order equal the whole, and that
// equal buckets have equal bytes.
func TestBucketsMergeInAnyOrder(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	var whole Bucket
	parts := make([]Bucket, 5)
	for i := range 300 {
		c := randomCall(r, fmt.Sprint("call_", i), time.Unix(int64(i), 0))
		c.addTo(&whole)
		c.addTo(&parts[r.IntN(len(parts))])
	}
	g := Gather(Everything)
	for _, i := range r.Perm(len(parts)) {
		g.Add(&parts[i].Counts)
		if err := errors.Join(g.shape(parts[i].pack()), g.failed(packLatest(parts[i].Failed))); err != nil {
			t.Fatal(err)
		}
	}
	merged := g.Take()
	if merged.Counts != whole.Counts || string(merged.pack()) != string(whole.pack()) || !reflect.DeepEqual(merged.Failed, whole.Failed) {
		t.Error("parts put together are not the whole")
	}
	if again := g.Take(); again.Counts != (Counts{}) || len(again.Failures) > 0 || again.Latency.Count() > 0 {
		t.Errorf("a gathering is not empty after it was taken: %+v", again)
	}
}

// TestAWeekIsThatOfItsHours checks that a week equals the sum of its hours, and that the latest
// calls of a group are kept.
func TestAWeekIsThatOfItsHours(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	monday := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	week := Week{Week: WeekOf(DayOf(monday))}
	hours, failed := Gather(Everything), []Example{}
	var rows []Roll
	for day := range DaysPerWeek {
		fresh := map[int]*Bucket{}
		begin := monday.Add(time.Duration(day) * DayLength)
		for i := range 50 {
			at := begin.Add(time.Duration(3*r.IntN(7))*time.Hour + time.Duration(r.IntN(30))*time.Minute)
			c := randomCall(r, fmt.Sprint("call_", day, "_", i), at)
			if fresh[at.Hour()] == nil {
				fresh[at.Hour()] = &Bucket{}
			}
			c.addTo(fresh[at.Hour()])
			if c.failed {
				failed = append(failed, c.Example)
			}
		}
		row := Roll{Day: DayOf(begin)}
		if changed, err := row.Replace(fresh); !changed || err != nil {
			t.Fatal(changed, err)
		}
		if changed, err := week.Replace(&row); !changed || err != nil {
			t.Fatal(changed, err)
		}
		if changed, err := week.Replace(&row); changed || err != nil {
			t.Fatal("the same day again changes the week", err)
		}
		if err := hours.Hours(&row, begin, begin.Add(DayLength)); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	want := hours.Take()
	for _, until := range []int{DayOf(monday) + 7, DayOf(monday) + 4} { // a week that is cut is read by its days
		g := Gather(Everything)
		if err := errors.Join(g.Week(&week, DayOf(monday), until), g.Week(&week, until, DayOf(monday)+7)); err != nil {
			t.Fatal(err)
		}
		if got := g.Take(); got.Counts != want.Counts || string(got.pack()) != string(want.pack()) || !reflect.DeepEqual(got.Failed, want.Failed) || got.Counts[Calls] != 350 {
			t.Error("the week is not that of its hours")
		}
	}
	slices.SortFunc(failed, Example.compare)
	for i, e := range want.Failed[failureGroup] {
		if e.CallID != failed[i].CallID {
			t.Errorf("example %d is %s, want %s", i, e.CallID, failed[i].CallID)
		}
	}
	for i := range rows {
		if week.Empty() {
			t.Error("a week with calls is empty")
		}
		if changed, err := week.Replace(&Roll{Day: rows[i].Day}); !changed || err != nil {
			t.Fatal(changed, err)
		}
	}
	if !week.Empty() {
		t.Error("a week whose days were emptied is not empty")
	}
}

func TestWeeksBeginOnMondays(t *testing.T) {
	t.Parallel()
	for day := -1000; day < 30000; day++ {
		if at := DayOfWeek(day); at < 0 || at > 6 || DayStart(day).Weekday() != time.Weekday((at+1)%7) || WeekOf(FirstDay(WeekOf(day))) != WeekOf(day) {
			t.Fatalf("day %d is the %d. of week %d", day, at, WeekOf(day))
		}
	}
}

// TestTheTenMinutesOfAnHourAreKept checks that the ten minutes of an hour survive being stored, and
// that rows written by earlier versions, which have none, can still be read.
func TestTheTenMinutesOfAnHourAreKept(t *testing.T) {
	t.Parallel()
	b := Bucket{Tens: [TensPerHour]int64{2, 1, 0, 0, 0, 2}}
	b.Counts[Calls] = 5
	stored := slotOf(&b)
	var read Slot
	if err := read.unpack(stored.pack()); err != nil || read != stored || read.Tens != b.Tens {
		t.Errorf("%v read as %v: %v", stored, read, err)
	}
	earlier := stored
	earlier.Tens = [TensPerHour]int64{}
	read = Slot{}
	if err := read.unpack(earlier.pack()); err != nil || read != earlier || len(earlier.pack()) >= len(stored.pack()) {
		t.Errorf("%v read as %v: %v", earlier, read, err)
	}
}
