package trend

import "fmt"

// Sum adds up many encoded sketches, several times faster than Sketch.MergeBytes
// one after the other. The zero value is empty and ready; it is larger than a
// Sketch, so one Sum is best used again and again.
type Sum struct {
	zero, total uint64
	bins        [sketchBins]uint64
}

// MergeBytes takes in an encoded sketch; no bytes at all are an empty one. After
// an error the Sum holds a part of it and is of no more use.
func (s *Sum) MergeBytes(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	if b[0] != sketchVersion {
		return fmt.Errorf("%w: version %d", ErrSketchBytes, b[0])
	}
	r := varints{b: b[1:]}
	zero := r.next(sketchCount - s.total)
	s.zero += zero
	s.total += zero
	for last := -1; len(r.b) > 0 && r.err == nil; {
		at := last + 1 + int(r.next(sketchBins))
		n := r.next(sketchCount - s.total)
		if r.err == nil && (at >= sketchBins || n == 0) {
			return fmt.Errorf("%w: bin %d with %d values", ErrSketchBytes, at, n)
		}
		if r.err == nil {
			s.bins[at] += n
			s.total += n
		}
		last = at
	}
	return r.err
}

// Take returns what was added up and leaves the Sum empty.
func (s *Sum) Take() Sketch {
	out := Sketch{zero: s.zero, total: s.total}
	for at, n := range s.bins {
		if n > 0 {
			out.bins = append(out.bins, bin{uint16(at), n})
		}
	}
	*s = Sum{}
	return out
}
