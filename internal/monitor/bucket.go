package monitor

import (
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/trend"
)

// Bucket is what was counted of the calls of one stretch of time.
type Bucket struct {
	Counts
	Shape
	// Tens are the calls of an hour by its ten minutes; a longer bucket has none.
	Tens [tensPerHour]int64
}

// tensPerHour is how many parts of ten minutes an hour has.
const tensPerHour = 6

// Shape is the larger part of a bucket: how things are spread. Sketches hold seconds.
type Shape struct {
	Durations trend.Sketch
	Latency   trend.Sketch
	Reported  trend.Sketch
	// Spoken counts answered calls by their turns, LeftAfter those whose caller left early.
	Spoken, LeftAfter Tally
	// Lasted and LeftAt do so by the bin of seconds, see secondBin.
	Lasted, LeftAt Tally
	// Reached counts the calls that came through a stage, LeftIn those left in it, by the stage's number.
	Reached, LeftIn Tally
	// Acts counts the calls left after an act of the agent's, Failures those of each failure group.
	Acts, Failures Tally
	// Failed are the latest calls of each failure group.
	Failed Latest
}

// Tally counts things by their number.
type Tally map[int]int64

func (t *Tally) add(at int, n int64) {
	if *t == nil {
		*t = Tally{}
	}
	(*t)[at] += n
}

func (s *Shape) tallies() []*Tally {
	return []*Tally{&s.Spoken, &s.LeftAfter, &s.Lasted, &s.LeftAt, &s.Reached, &s.LeftIn, &s.Acts, &s.Failures}
}

func (s *Shape) sketches() []*trend.Sketch {
	return []*trend.Sketch{&s.Durations, &s.Latency, &s.Reported}
}

// maxTurns is the last bin of turns; it holds everything above too.
const maxTurns = 60

// secondEdges are the upper ends of the bins of seconds; the last bin has none.
var secondEdges = []int{5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 420, 600, 900, 1200, 1800, 3600} //nolint:gochecknoglobals // a constant in all but type

// secondBin is the bin of a duration: the first whose end lies above it.
func secondBin(d time.Duration) int {
	at, found := slices.BinarySearch(secondEdges, int(d/time.Second))
	if found {
		at++
	}
	return at
}

// add counts one call; ids numbers its texts.
func (b *Bucket) add(f *Fact, ids *numbers) {
	b.count(f)
	b.Tens[f.At.UTC().Minute()/10]++
	if f.Answered {
		fill(&b.Durations, f.Duration.Seconds())
		b.Spoken.add(min(f.Turns, maxTurns), 1)
		b.Lasted.add(secondBin(f.Duration), 1)
	}
	fill(&b.Latency, f.Latencies...)
	fill(&b.Reported, f.Reported...)
	for i, stage := range f.Stages {
		at := ids.of(kindStage, stage)
		b.Reached.add(at, 1)
		if f.Dropped && i == len(f.Stages)-1 {
			b.LeftIn.add(at, 1)
		}
	}
	if f.Dropped {
		b.LeftAfter.add(min(f.Turns, maxTurns), 1)
		b.LeftAt.add(secondBin(f.Duration), 1)
		if f.Act != "" {
			b.Acts.add(ids.of(KindAct, f.Act), 1)
		}
	}
	if f.Failure != "" {
		group := ids.failure(f)
		b.Failures.add(group, 1)
		b.Failed.add(group, Example{f.At.UnixMicro(), f.CallID})
	}
}

// fill takes values into a sketch; those below zero (the agent spoke before the
// caller had ended) count as zero there, and as what they are in the sums.
func fill(s *trend.Sketch, values ...float64) {
	for _, v := range values {
		_ = s.Add(max(v, 0)) // facts hold finite numbers alone
	}
}

// takeSpreads adds the sketches of another shape.
func (s *Shape) takeSpreads(o *Shape) error {
	theirs := o.sketches()
	for i, sketch := range s.sketches() {
		if err := sketch.Merge(theirs[i]); err != nil {
			return err
		}
	}
	return nil
}
