package sketch

import "fmt"

// Sum adds up many encoded sketches, several times faster than repeated Sketch.MergeBytes. The
// zero value is empty and ready for use. It is larger than a Sketch and should be reused.
type Sum struct {
	zero, total uint64
	// from and until bound the bins in use; all others are empty.
	from, until int
	bins        [binCount]uint64
}

// MergeBytes adds an encoded sketch; no bytes are an empty one. After an error the Sum is
// incomplete and must not be used.
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

// shortBins adds the bins that follow last as long as each has its distance encoded in one byte and
// its count in one or two, as most do. It returns the last of them.
func (s *Sum) shortBins(r *varints, last int) int {
	b, i, total := r.b, r.at, s.total
	if r.err != nil || uint64(len(b))<<14 > maxCount-total { // near the limit, each count must be checked
		return last
	}
	for i+3 <= len(b) && b[i] < 0x80 {
		n, size := uint64(b[i+1]), 2
		if n >= 0x80 {
			n, size = n&0x7f|uint64(b[i+2])<<7, 3
		}
		at := last + 1 + int(b[i])
		if at >= binCount || b[i+size-1]-1 >= 0x7f { // the last byte is 0, or another one follows
			break
		}
		s.bins[at] += n
		total, last, i = total+n, at, i+size
	}
	r.at, s.total = i, total
	return last
}

// widen marks the bins in [from, until) as possibly in use.
func (s *Sum) widen(from, until int) {
	if s.until == 0 {
		s.from, s.until = from, until
		return
	}
	s.from, s.until = min(s.from, from), max(s.until, until)
}

// Add adds everything in another Sum.
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

// Sub subtracts another Sum, which must have been added before. After an error the Sum must not
// be used.
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

// Take returns the sum as a Sketch and empties the Sum.
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
