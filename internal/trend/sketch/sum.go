package sketch

import "fmt"

// Sum adds up many encoded sketches, several times faster than Sketch.MergeBytes
// one after the other. The zero value is empty and ready; it is larger than a
// Sketch, so one Sum is best used again and again.
type Sum struct {
	zero, total uint64
	// from and until bound the bins in use; the others are empty.
	from, until int
	bins        [binCount]uint64
}

// MergeBytes takes in an encoded sketch; no bytes at all are an empty one. After
// an error the Sum holds a part of it and is of no more use.
func (s *Sum) MergeBytes(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	if b[0] != version {
		return fmt.Errorf("%w: version %d", ErrBytes, b[0])
	}
	r := varints{b: b[1:]}
	zero := r.next(maxCount - s.total)
	s.zero += zero
	s.total += zero
	first, last := -1, -1
	for r.more() {
		step, n := r.next(binCount), r.next(maxCount-s.total)
		at := last + 1 + int(step)
		if r.err == nil && (at >= binCount || n == 0) {
			return fmt.Errorf("%w: bin %d with %d values", ErrBytes, at, n)
		}
		if r.err == nil {
			s.bins[at] += n
			s.total += n
		}
		if last = at; first < 0 {
			first = at
		}
		last = s.shortBins(&r, last)
	}
	if first >= 0 && r.err == nil {
		s.widen(first, last+1)
	}
	return r.err
}

// shortBins takes in the bins that follow the last one as long as each lies at a distance of one
// byte and holds a number of one or two, as most do, and returns the last of them.
func (s *Sum) shortBins(r *varints, last int) int {
	b, i, total := r.b, r.at, s.total
	if r.err != nil || uint64(len(b))<<14 > maxCount-total { // with so little room left each is to be looked at
		return last
	}
	for i+3 <= len(b) && b[i] < 0x80 {
		n, size := uint64(b[i+1]), 2
		if n >= 0x80 {
			n, size = n&0x7f|uint64(b[i+2])<<7, 3
		}
		at := last + 1 + int(b[i])
		if at >= binCount || b[i+size-1]-1 >= 0x7f { // the last byte is 0, or goes on
			break
		}
		s.bins[at] += n
		total, last, i = total+n, at, i+size
	}
	r.at, s.total = i, total
	return last
}

// widen says that the bins from from up to and without until may be in use.
func (s *Sum) widen(from, until int) {
	if s.until == 0 {
		s.from, s.until = from, until
		return
	}
	s.from, s.until = min(s.from, from), max(s.until, until)
}

// Add takes in everything another Sum holds.
func (s *Sum) Add(o *Sum) error {
	if o.total > maxCount-s.total {
		return fmt.Errorf("%w: %d values are too many", ErrValue, o.total)
	}
	if o.until > 0 {
		s.widen(o.from, o.until)
	}
	s.zero += o.zero
	s.total += o.total
	for at := o.from; at < o.until; at++ {
		s.bins[at] += o.bins[at]
	}
	return nil
}

// Sub takes everything off that another Sum holds, which must have been added
// before. After an error the Sum is of no more use.
func (s *Sum) Sub(o *Sum) error {
	if o.zero > s.zero || o.total > s.total {
		return fmt.Errorf("%w: more is taken off than was added", ErrBytes)
	}
	s.zero -= o.zero
	s.total -= o.total
	for at := o.from; at < o.until; at++ {
		if o.bins[at] > s.bins[at] {
			return fmt.Errorf("%w: more is taken off bin %d than was added", ErrBytes, at)
		}
		s.bins[at] -= o.bins[at]
	}
	return nil
}

// Take returns what was added up and leaves the Sum empty.
func (s *Sum) Take() Sketch {
	out := Sketch{zero: s.zero, total: s.total}
	used := 0
	for _, n := range s.bins[s.from:s.until] {
		if n > 0 {
			used++
		}
	}
	if used > 0 {
		out.bins = make([]bin, 0, used)
	}
	for at := s.from; at < s.until; at++ {
		if n := s.bins[at]; n > 0 {
			out.bins = append(out.bins, bin{uint16(at), n})
		}
	}
	s.Reset()
	return out
}

// Reset empties the Sum.
func (s *Sum) Reset() {
	clear(s.bins[s.from:s.until])
	s.zero, s.total, s.from, s.until = 0, 0, 0, 0
}
