package trend

import (
	"math"

	"github.com/ringtrue/ringtrue/internal/trend/chance"
)

// Confidence is the confidence level of all intervals in this package.
const Confidence = 0.95

// Interval contains the true value with Confidence; both ends are included.
type Interval struct{ Low, High float64 }

// Holds reports whether v lies in the interval.
func (i Interval) Holds(v float64) bool { return v >= i.Low && v <= i.High }

// Share is a number of hits out of N.
type Share struct{ Hits, N int64 }

// Value returns Hits / N, 0 if N is 0.
func (s Share) Value() float64 { return float64(s.Hits) / float64(max(s.N, 1)) }

// Shown reports whether a share may be shown as a percentage, which takes an N of at least 10.
// Otherwise show the counts.
func (s Share) Shown() bool { return s.N >= 10 }

// Wilson returns the interval of a share by E. B. Wilson's score method (1927), within 0 to 1;
// for an N of 0 it is 0 to 1.
func (s Share) Wilson() Interval {
	return Wilson(float64(s.Hits), float64(s.N), chance.NormalQuantile((1+Confidence)/2))
}

// Wilson returns the interval of hits out of n by the same method, z standard deviations to
// either side.
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
