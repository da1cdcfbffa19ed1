package bucket

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/trend/sketch"
)

// Bucket holds the counts of the calls of one period of time.
type Bucket struct {
	Counts
	Shape
	// Tens are the numbers of calls in each ten minutes of an hour; a longer bucket has none.
	Tens [TensPerHour]int64
}

// TensPerHour is the number of ten-minute parts, of TenLength each, in an hour.
const (
	TensPerHour = 6
	TenLength   = time.Hour / TensPerHour
)

// Shape is the larger part of a bucket: the distributions. Sketches hold seconds.
type Shape struct {
	Durations sketch.Sketch
	Latency   sketch.Sketch
	Reported  sketch.Sketch
	// Spoken counts answered calls by their number of turns, LeftAfter those whose caller left
	// early.
	Spoken, LeftAfter Tally
	// Lasted and LeftAt do the same by bins of seconds.
	Lasted, LeftAt Tally
	// Reached counts the calls that reached a stage, LeftIn those left during it, by the stage's
	// number.
	Reached, LeftIn Tally
	// Acts counts the calls left after an act of the agent, Failures those in each failure group.
	Acts, Failures Tally
	// Failed holds the latest calls of each failure group.
	Failed Latest
}

// Tally counts things by their number.
type Tally map[int]int64

// Add adds n to the count of a number.
func (t *Tally) Add(at int, n int64) {
	if *t == nil {
		*t = Tally{}
	}
	(*t)[at] += n
}

func (s *Shape) tallies() []*Tally {
	return []*Tally{&s.Spoken, &s.LeftAfter, &s.Lasted, &s.LeftAt, &s.Reached, &s.LeftIn, &s.Acts, &s.Failures}
}

// Sketches returns the shape's sketches in the order in which they are stored.
func (s *Shape) Sketches() []*sketch.Sketch {
	return []*sketch.Sketch{&s.Durations, &s.Latency, &s.Reported}
}

// TakeSpreads adds the sketches of another shape.
func (s *Shape) TakeSpreads(o *Shape) error {
	theirs := o.Sketches()
	for i, sketch := range s.Sketches() {
		if err := sketch.Merge(theirs[i]); err != nil {
			return err
		}
	}
	return nil
}
