// Package sketch stores the distribution of many values in few bytes, such that distributions can
// be added. Packages bucket and store keep one per hour of a series, and package trend reads
// quantiles from them. It knows nothing about calls or metrics.
package sketch

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Accuracy is the relative error of a quantile of a Sketch.
const Accuracy = 0.01

// The resolution of a Sketch: values from Least up to most fall into bins whose bounds grow by the
// factor gamma.
const (
	Least   = 1e-6
	most    = 1e9
	gamma   = (1 + Accuracy) / (1 - Accuracy)
	version = 1
	// binCount is greater than ln(most/Least)/ln(gamma).
	binCount = 1728
	// maxCount limits the number of values, so that sums of counts cannot overflow.
	maxCount = 1 << 53
)

// Sketch stores the distribution of many nonnegative values in about two bytes per bin in use.
// Quantiles are within 1 % of the value (DDSketch: Masson, Rim and Lee, 2019). Sketches can be
// merged without loss and in any order, and equal contents are encoded as equal bytes. The zero
// value is empty and ready for use. A Sketch is not safe for concurrent use.
//
// Values below one millionth count as zero, values above 10⁹ as 10⁹.
type Sketch struct {
	zero  uint64
	total uint64
	bins  []bin // sorted, without empty ones
}

type bin struct {
	at uint16
	n  uint64
}

// ErrValue is returned for a value that is NaN, infinite or negative, and for too many values.
var ErrValue = errors.New("a sketch takes finite numbers of 0 and more")

// ErrBytes is returned for bytes that are not an encoded Sketch.
var ErrBytes = errors.New("not an encoded sketch")

// Add adds a value. If the value is NaN, infinite or negative, it returns ErrValue and leaves the
// sketch unchanged.
func (s *Sketch) Add(v float64) error { return s.AddTimes(v, 1) }

// AddTimes adds a value n times.
func (s *Sketch) AddTimes(v float64, n uint64) error {
	if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
		return fmt.Errorf("%w, not %v", ErrValue, v)
	}
	if n > maxCount-s.total {
		return fmt.Errorf("%w: %d values are too many", ErrValue, n)
	}
	if n == 0 {
		return nil
	}
	s.total += n
	if v < Least {
		s.zero += n
		return nil
	}
	s.addBin(binOf(v), n)
	return nil
}

func (s *Sketch) addBin(at uint16, n uint64) {
	i, found := slices.BinarySearchFunc(s.bins, at, func(b bin, at uint16) int { return int(b.at) - int(at) })
	if found {
		s.bins[i].n += n
		return
	}
	s.bins = slices.Insert(s.bins, i, bin{at, n})
}

// binOf returns the bin of a value that is at least Least: bin i holds values above Least·γ^(i−1)
// and up to Least·γ^i.
func binOf(v float64) uint16 {
	return uint16(min(max(math.Ceil(math.Log(v/Least)/math.Log(gamma)), 0), binCount-1))
}

// binValue returns the value that is within 1 % of everything in a bin.
func binValue(at uint16) float64 {
	return Least * math.Exp(float64(at)*math.Log(gamma)) * 2 / (1 + gamma)
}

// Count returns the number of values. A nil Sketch is empty.
func (s *Sketch) Count() int64 {
	if s == nil {
		return 0
	}
	return int64(s.total)
}

// Merge adds everything in another sketch; nil counts as empty.
func (s *Sketch) Merge(o *Sketch) error {
	if o == nil || o.total == 0 {
		return nil
	}
	if o.total > maxCount-s.total {
		return fmt.Errorf("%w: %d values are too many", ErrValue, o.total)
	}
	s.zero += o.zero
	s.total += o.total
	s.bins = mergeBins(s.bins, o.bins)
	return nil
}

func mergeBins(a, b []bin) []bin {
	if len(a) == 0 {
		return slices.Clone(b)
	}
	// Usually there are bins for all values already.
	i, fits := 0, true
	for _, y := range b {
		for i < len(a) && a[i].at < y.at {
			i++
		}
		if i == len(a) || a[i].at != y.at {
			fits = false
			break
		}
	}
	if fits {
		i = 0
		for _, y := range b {
			for a[i].at < y.at {
				i++
			}
			a[i].n += y.n
		}
		return a
	}
	out := make([]bin, 0, len(a)+len(b))
	i = 0
	for _, y := range b {
		for i < len(a) && a[i].at < y.at {
			out = append(out, a[i])
			i++
		}
		if i < len(a) && a[i].at == y.at {
			y.n += a[i].n
			i++
		}
		out = append(out, y)
	}
	return append(out, a[i:]...)
}

// Rest replaces the content of s by that of whole without part; a nil part counts as empty.
func (s *Sketch) Rest(whole, part *Sketch) {
	if part == nil {
		part = &Sketch{}
	}
	s.zero = whole.zero - min(part.zero, whole.zero)
	s.total, s.bins = s.zero, s.bins[:0]
	off := part.bins
	for _, b := range whole.bins {
		for len(off) > 0 && off[0].at < b.at {
			off = off[1:]
		}
		if len(off) > 0 && off[0].at == b.at {
			b.n -= min(off[0].n, b.n)
		}
		if b.n > 0 {
			s.bins, s.total = append(s.bins, b), s.total+b.n
		}
	}
}

// Quantile returns the value that the share q (0 to 1) of all values lies below, within 1 %; ok is
// false for an empty sketch or a q out of range.
func (s *Sketch) Quantile(q float64) (v float64, ok bool) {
	if s == nil || s.total == 0 || !(q >= 0 && q <= 1) {
		return 0, false
	}
	rank := uint64(q * float64(s.total-1))
	seen := s.zero
	if rank < seen {
		return 0, true
	}
	for _, b := range s.bins {
		seen += b.n
		if rank < seen {
			return binValue(b.at), true
		}
	}
	return binValue(s.bins[len(s.bins)-1].at), true
}

// Above returns the number of values greater than v. It is exact if v is the bound of a bin;
// otherwise the bin that holds v is divided in proportion.
func (s *Sketch) Above(v float64) float64 {
	if s == nil || s.total == 0 {
		return 0
	}
	if v < 0 {
		return float64(s.total)
	}
	if v < Least {
		return float64(s.total - s.zero)
	}
	at := binOf(v)
	var n float64
	for i := len(s.bins) - 1; i >= 0 && s.bins[i].at >= at; i-- {
		if s.bins[i].at > at {
			n += float64(s.bins[i].n)
			continue
		}
		top := Least * math.Exp(float64(at)*math.Log(gamma))
		n += float64(s.bins[i].n) * min(max((top-v)/(top-top/gamma), 0), 1)
	}
	return n
}

// Bytes is the encoded sketch: a version, the number of zeros, and for each bin in
// use its distance from the one before and its count, all but the version as
// varints. An empty sketch is two bytes.
func (s *Sketch) Bytes() []byte {
	out := binary.AppendUvarint([]byte{version}, s.zero)
	last := -1
	for _, b := range s.bins {
		out = binary.AppendUvarint(out, uint64(int(b.at)-last-1))
		out = binary.AppendUvarint(out, b.n)
		last = int(b.at)
	}
	return out
}

// Decode reads an encoded sketch; no bytes at all are an empty one. What it
// needs of memory is bounded by the number of bins, whatever the bytes say.
func Decode(b []byte) (*Sketch, error) {
	s := &Sketch{}
	if err := s.decode(b); err != nil {
		return nil, err
	}
	return s, nil
}

// MergeBytes adds an encoded sketch. Invalid bytes leave s unchanged.
func (s *Sketch) MergeBytes(b []byte) error {
	o, err := Decode(b)
	if err != nil {
		return err
	}
	return s.Merge(o)
}

func (s *Sketch) decode(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	if b[0] != version {
		return fmt.Errorf("%w: version %d", ErrBytes, b[0])
	}
	r := varints{b: b[1:]}
	s.zero = r.next(maxCount)
	s.total = s.zero
	s.bins = make([]bin, 0, min(len(b)/2, binCount))
	last := -1
	for r.more() {
		at := last + 1 + int(r.next(binCount))
		n := r.next(maxCount)
		if r.err == nil && (at >= binCount || n == 0 || n > maxCount-s.total) {
			return fmt.Errorf("%w: bin %d with %d values", ErrBytes, at, n)
		}
		s.total += n
		s.bins = append(s.bins, bin{uint16(at), n})
		last = at
	}
	return r.err
}

// varints reads unsigned varints up to a limit.
type varints struct {
	b []byte
	// at is the number of bytes read.
	at  int
	err error
}

// more reports whether there is more to read, and no error so far.
func (r *varints) more() bool { return r.at < len(r.b) && r.err == nil }

func (r *varints) next(limit uint64) uint64 {
	if r.err != nil {
		return 0
	}
	v, n := binary.Uvarint(r.b[r.at:])
	if n <= 0 || v > limit || n > 1 && r.b[r.at+n-1] == 0 {
		r.err = fmt.Errorf("%w: a number is cut off, too long or too large", ErrBytes)
		return 0
	}
	r.at += n
	return v
}
