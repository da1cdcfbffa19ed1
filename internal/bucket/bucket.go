package bucket

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/trend/sketch"
)

// Bucket is what was counted of the calls of one stretch of time.
type Bucket struct {
	Counts
	Shape
	// Tens are the calls of an hour by its ten minutes; a longer bucket has none.
	Tens [TensPerHour]int64
}

// TensPerHour is how many parts of ten minutes, TenLength, an hour has.
const (
	TensPerHour = 6
	TenLength   = time.Hour / TensPerHour
)

// Shape is the larger part of a bucket: how things are spread. Sketches hold seconds.
type Shape struct {
	Durations sketch.Sketch
	Latency   sketch.Sketch
	Reported  sketch.Sketch
	// Spoken counts answered calls by their turns, LeftAfter those whose caller left early.
	Spoken, LeftAfter Tally
	// Lasted and LeftAt do so by the bin of seconds.
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

// Add counts n more of a number.
func (t *Tally) Add(at int, n int64) {
	if *t == nil {
		*t = Tally{}
	}
	(*t)[at] += n
}

func (s *Shape) tallies() []*Tally {
	return []*Tally{&s.Spoken, &s.LeftAfter, &s.Lasted, &s.LeftAt, &s.Reached, &s.LeftIn, &s.Acts, &s.Failures}
}

// Sketches are the shape's, in the order in which they are stored.
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
