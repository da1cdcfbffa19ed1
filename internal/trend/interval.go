package trend

import (
	"math"

	"github.com/ringtrue/ringtrue/internal/trend/chance"
)

// Confidence is that of all intervals of this package.
const Confidence = 0.95

// Interval holds the truth with Confidence, both ends included.
type Interval struct{ Low, High float64 }

// Holds tells whether v lies inside.
func (i Interval) Holds(v float64) bool { return v >= i.Low && v <= i.High }

// Share is some of a number of things.
type Share struct{ Hits, N int64 }

// Value is hits over n, 0 of nothing.
func (s Share) Value() float64 { return float64(s.Hits) / float64(max(s.N, 1)) }

// Shown tells whether a share rests on enough to be shown as a percentage: 10
// things and more. With fewer, show the counts.
func (s Share) Shown() bool { return s.N >= 10 }

// Wilson is the interval of a share by E. B. Wilson's score method (1927),
// within 0 to 1; of nothing it is 0 to 1.
func (s Share) Wilson() Interval {
	return Wilson(float64(s.Hits), float64(s.N), chance.NormalQuantile((1+Confidence)/2))
}

// Wilson is the interval of hits of n by the same method, z standard deviations to either side.
func Wilson(hits, n, z float64) Interval {
	if n <= 0 {
		return Interval{0, 1}
	}
	p := hits / n
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	out := Interval{max(middle-half, 0), min(middle+half, 1)}
	if hits == 0 {
		out.Low = 0
	}
	if hits == n {
		out.High = 1
	}
	return out
}

// PassAll is the chance that k repetitions all pass (pass^k), estimated without
// bias from hits among n of one item: the share of the choices of k repetitions
// of which every one passed. ok is false when n is less than k.
func (s Share) PassAll(k int64) (v float64, ok bool) {
	if k < 1 || s.N < k {
		return 0, false
	}
	v = 1
	for i := range k {
		v *= float64(max(s.Hits-i, 0)) / float64(s.N-i)
	}
	return v, true
}
