package bucket

import (
	"maps"
	"slices"

	"github.com/ringtrue/ringtrue/internal/pack"
)

const shapeVersion = 2

// pack returns the stored form of a shape without its examples, which are stored separately
// (packLatest) because they are long and few questions need them. Equal shapes have equal bytes.
func (s *Shape) pack() []byte {
	p := pack.Writer{B: make([]byte, 0, 256)}
	s.put(&p)
	return p.B
}

func (s *Shape) put(p *pack.Writer) {
	p.B = append(p.B, shapeVersion)
	for _, sketch := range s.Sketches() {
		if sketch.Count() == 0 {
			p.Uint(0)
			continue
		}
		p.Bytes(sketch.Bytes())
	}
	for _, t := range s.tallies() {
		t.put(p)
	}
}

func (t Tally) put(p *pack.Writer) {
	p.Uint(len(t))
	last := 0
	for _, at := range slices.Sorted(maps.Keys(t)) {
		p.Uint(at - last)
		p.Uint(int(t[at]))
		last = at
	}
}

func (t *Tally) addPacked(u *pack.Reader) {
	at := 0
	for range u.Count() {
		at += u.Uint()
		t.Add(at, int64(u.Uint()))
	}
}
