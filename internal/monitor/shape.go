package monitor

import (
	"maps"
	"slices"

	"github.com/ringtrue/ringtrue/internal/trend"
)

const shapeVersion = 2

// pack is the stored form of a shape without its examples, which are stored
// apart (packLatest): they are long and few questions need them. Equal shapes
// have equal bytes.
func (s *Shape) pack() []byte {
	p := packer{b: make([]byte, 0, 256)}
	p.shape(s)
	return p.b
}

func (p *packer) shape(s *Shape) {
	p.b = append(p.b, shapeVersion)
	for _, sketch := range s.sketches() {
		if sketch.Count() == 0 {
			p.uint(0)
			continue
		}
		p.bytes(sketch.Bytes())
	}
	for _, t := range s.tallies() {
		p.tally(*t)
	}
}

func (p *packer) tally(t Tally) {
	p.uint(len(t))
	last := 0
	for _, at := range slices.Sorted(maps.Keys(t)) {
		p.uint(at - last)
		p.uint(int(t[at]))
		last = at
	}
}

// depth is how much of stored buckets is read.
type depth int

const (
	countsAlone depth = iota
	// withSpreads reads the sketches too, withPlaces where callers left and how calls failed.
	withSpreads
	withPlaces
	// everything reads the examples as well.
	everything
)

// sums are counts and sketches while stored buckets are added up. The zero value
// is empty and ready.
type sums struct {
	Counts
	spreads [3]trend.Sum
}

// spread adds the sketches of a stored shape, and leaves in u what follows them.
func (s *sums) spread(u *unpacker) error {
	for i := range s.spreads {
		if err := s.spreads[i].MergeBytes(u.bytes()); err != nil {
			return err
		}
	}
	return u.err
}

// plus adds others.
func (s *sums) plus(o *sums) error {
	s.Add(&o.Counts)
	for i := range s.spreads {
		if err := s.spreads[i].Add(&o.spreads[i]); err != nil {
			return err
		}
	}
	return nil
}

// minus takes off others that were added before.
func (s *sums) minus(o *sums) error {
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

func (s *sums) reset() {
	s.Counts = Counts{}
	for i := range s.spreads {
		s.spreads[i].Reset()
	}
}

// gathering adds up stored buckets, far faster than one Bucket takes in others.
// The zero value is empty and ready.
type gathering struct {
	sums
	depth depth
	// places holds all of a shape but its sketches.
	places Shape
}

func gather(d depth) *gathering { return &gathering{depth: d} }

// openShape begins to read a stored shape that is not empty.
func openShape(b []byte) (unpacker, error) {
	if b[0] != shapeVersion {
		return unpacker{}, ErrPacked
	}
	return unpacker{b: b[1:]}, nil
}

// shape adds a stored shape; no bytes are an empty one.
func (g *gathering) shape(b []byte) error {
	if len(b) == 0 || g.depth < withSpreads {
		return nil
	}
	u, err := openShape(b)
	if err != nil {
		return err
	}
	if err := g.spread(&u); err != nil || g.depth < withPlaces {
		return err
	}
	for _, t := range g.places.tallies() {
		u.tally(t)
	}
	return u.err
}

// failed adds stored examples.
func (g *gathering) failed(b []byte) error {
	if len(b) == 0 || g.depth < everything {
		return nil
	}
	u := unpacker{b: b}
	u.latest(&g.places.Failed)
	return u.err
}

func (u *unpacker) tally(t *Tally) {
	at := 0
	for range u.count() {
		at += u.uint()
		t.add(at, int64(u.uint()))
	}
}

// take returns what was added up and leaves the gathering empty.
func (g *gathering) take() *Bucket {
	out := &Bucket{Counts: g.Counts, Shape: g.places}
	for i, sketch := range out.sketches() {
		if g.depth >= withSpreads {
			*sketch = g.spreads[i].Take()
		}
	}
	g.Counts, g.places = Counts{}, Shape{}
	return out
}
