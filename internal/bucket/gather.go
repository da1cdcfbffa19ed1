package bucket

import (
	"errors"
	"time"

	"github.com/ringtrue/ringtrue/internal/pack"
	"github.com/ringtrue/ringtrue/internal/trend/sketch"
)

// Depth is how much of a stored bucket is read.
type Depth int

// The depths; each includes the ones before it.
const (
	CountsAlone Depth = iota
	// WithSpreads also reads the sketches, and WithPlaces where callers left and how calls failed.
	WithSpreads
	WithPlaces
	// Everything also reads the examples.
	Everything
)

// Sums are counts and sketches while stored buckets are added up. The zero value is empty and ready
// to use.
type Sums struct {
	Counts
	spreads [3]sketch.Sum
}

// spread adds the sketches of a stored shape, and leaves in u what follows them.
func (s *Sums) spread(u *pack.Reader) error {
	for i := range s.spreads {
		if err := s.spreads[i].MergeBytes(u.Bytes()); err != nil {
			return err
		}
	}
	return u.Err
}

// Plus adds other sums.
func (s *Sums) Plus(o *Sums) error {
	s.Add(&o.Counts)
	for i := range s.spreads {
		if err := s.spreads[i].Add(&o.spreads[i]); err != nil {
			return err
		}
	}
	return nil
}

// minus subtracts other sums that were added before.
func (s *Sums) minus(o *Sums) error {
	for i, n := range o.Counts {
		s.Counts[i] -= n
	}
	for i := range s.spreads {
		if err := s.spreads[i].Sub(&o.spreads[i]); err != nil {
			return err
		}
	}
	return nil
}

func (s *Sums) reset() {
	s.Counts = Counts{}
	for i := range s.spreads {
		s.spreads[i].Reset()
	}
}

// Gathering adds up stored buckets, much faster than a Bucket can add others. The zero value is
// empty and ready to use.
type Gathering struct {
	Sums
	depth Depth
	// places holds everything of a shape except its sketches.
	places Shape
}

// Gather returns an empty Gathering that reads to depth d.
func Gather(d Depth) *Gathering { return &Gathering{depth: d} }

// openShape begins to read a stored shape that is not empty.
func openShape(b []byte) (pack.Reader, error) {
	if b[0] != shapeVersion {
		return pack.Reader{}, pack.ErrUnreadable
	}
	return pack.Reader{B: b[1:]}, nil
}

// shape adds a stored shape; no bytes mean an empty one.
func (g *Gathering) shape(b []byte) error {
	if len(b) == 0 || g.depth < WithSpreads {
		return nil
	}
	u, err := openShape(b)
	if err != nil {
		return err
	}
	if err := g.spread(&u); err != nil || g.depth < WithPlaces {
		return err
	}
	for _, t := range g.places.tallies() {
		t.addPacked(&u)
	}
	return u.Err
}

// failed adds stored examples.
func (g *Gathering) failed(b []byte) error {
	if len(b) == 0 || g.depth < Everything {
		return nil
	}
	u := pack.Reader{B: b}
	g.places.Failed.addPacked(&u)
	return u.Err
}

// Take returns the sum and empties the gathering.
func (g *Gathering) Take() *Bucket {
	out := &Bucket{Counts: g.Counts, Shape: g.places}
	for i, sketch := range out.Sketches() {
		if g.depth >= WithSpreads {
			*sketch = g.spreads[i].Take()
		}
	}
	g.Counts, g.places = Counts{}, Shape{}
	return out
}

// Week adds the days of a week within [from, until).
func (g *Gathering) Week(w *Week, from, until int) error {
	whole, err := OpenWeek(w.Whole)
	if err != nil {
		return err
	}
	return g.Opened(w, &whole, from, until)
}

// Opened is like Week if Week.Whole has already been opened.
func (g *Gathering) Opened(w *Week, whole *ShortWeek, from, until int) error {
	failed, err := w.failed()
	if err != nil {
		return err
	}
	if Within(w.Week, from, until) {
		g.Add(&whole.Counts)
		return errors.Join(g.shape(whole.shape), g.failed(failed[DaysPerWeek]))
	}
	days, err := w.days()
	if err != nil {
		return err
	}
	for i := DaysPerWeek - 1; i >= 0; i-- {
		if day := FirstDay(w.Week) + i; day < from || day >= until {
			continue
		}
		s, err := whole.Day(i)
		if err != nil {
			return err
		}
		g.Add(&s.Counts)
		if err := errors.Join(g.shape(days[i]), g.failed(failed[i])); err != nil {
			return err
		}
	}
	return nil
}

// Hours adds the hours of the day that begin within [from, until).
func (g *Gathering) Hours(r *Roll, from, until time.Time) error {
	slots, err := split(r.Light)
	if err != nil {
		return err
	}
	shapes, err := split(r.Hours)
	if err != nil {
		return err
	}
	failed, err := split(r.Failed)
	if err != nil {
		return err
	}
	day := DayStart(r.Day)
	for i := range slots {
		at := day.Add(time.Duration(i) * time.Hour)
		if len(slots[i]) == 0 || at.Before(from) || !at.Before(until) {
			continue
		}
		if err := g.hour(slots[i], shapes[i], failed[i]); err != nil {
			return err
		}
	}
	return nil
}

// hour adds a packed slot, a packed shape and examples.
func (g *Gathering) hour(slot, shape, failed []byte) error {
	u := pack.Reader{B: slot}
	if g.addPacked(&u); u.Err != nil {
		return u.Err
	}
	return errors.Join(g.shape(shape), g.failed(failed))
}
