package trend

import (
	"math"
	"slices"

	"github.com/ringtrue/ringtrue/internal/trend/chance"
)

// Values is a sample that is small enough to be kept whole: unlike a Sketch it
// gives its quantiles exactly. Calls is how many calls the values come from.
type Values struct {
	sorted []float64
	Calls  int64
}

// NewValues takes the values of one call after another; what is no number is
// left out, and so is a call without any.
func NewValues(calls ...[]float64) Values {
	var v Values
	for _, one := range calls {
		before := len(v.sorted)
		for _, x := range one {
			if !math.IsNaN(x) && !math.IsInf(x, 0) {
				v.sorted = append(v.sorted, x)
			}
		}
		if len(v.sorted) > before {
			v.Calls++
		}
	}
	slices.Sort(v.sorted)
	return v
}

// Sorted are the values, the least first. They are not to be changed.
func (v Values) Sorted() []float64 { return v.sorted }

// Count is how many values there are.
func (v Values) Count() int64 { return int64(len(v.sorted)) }

// Quantile is the value below which the share q of them lies, between two values
// in proportion; false of nothing.
func (v Values) Quantile(q float64) (float64, bool) {
	n := len(v.sorted)
	if n == 0 {
		return 0, false
	}
	at := min(max(q, 0), 1) * float64(n-1)
	i := int(at)
	if i+1 >= n {
		return v.sorted[n-1], true
	}
	return v.sorted[i] + (at-float64(i))*(v.sorted[i+1]-v.sorted[i]), true
}

// Above is how many values lie above x, those that equal it counted half.
func (v Values) Above(x float64) float64 {
	from, found := slices.BinarySearch(v.sorted, x)
	until := from
	if found {
		until, _ = slices.BinarySearchFunc(v.sorted, x, func(e, x float64) int {
			if e <= x {
				return -1
			}
			return 1
		})
	}
	return float64(len(v.sorted)-until) + float64(until-from)/2
}

// Interval is that of the quantile q, between the two values whose ranks bound it
// by the binomial distribution; no call counts for more than two values, since
// values of one call are alike. It is infinite of nothing.
func (v Values) Interval(q float64) Interval {
	if len(v.sorted) == 0 {
		return Interval{math.Inf(-1), math.Inf(1)}
	}
	return quantileInterval(v, q, independent(v, v.Calls))
}

// CompareValues is CompareQuantiles for samples that are kept whole.
func CompareValues(a, b Values, q, least float64) Difference {
	both := Values{sorted: slices.Concat(a.sorted, b.sorted), Calls: a.Calls + b.Calls}
	slices.Sort(both.sorted)
	return compareQuantiles(sides{a, b, both}, q, a.Calls, b.Calls, least)
}

// CompareChanges tells whether things that were measured before and after, each
// once on either side, changed on the whole: changes are after − before of each,
// compared with no change by Student's test. A and B of the result are 0 and the
// mean change, N the number of things.
func CompareChanges(changes []float64, least float64) Difference {
	var m Moments
	for _, c := range changes {
		m.N, m.Sum, m.Squares = m.N+1, m.Sum+c, m.Squares+c*c
	}
	d := Difference{B: m.Mean(), NA: m.N, NB: m.N, P: 1, Interval: Interval{math.Inf(-1), math.Inf(1)}}
	if m.N < 2 {
		return d.settle(least)
	}
	se := math.Sqrt(m.Variance() / float64(m.N))
	if se == 0 {
		// All changed by exactly the same: of few that is no proof.
		d.Interval = Interval{d.B, d.B}
		if d.B != 0 {
			d.P = math.Exp2(1 - float64(m.N))
		}
		return d.settle(least)
	}
	df := float64(m.N - 1)
	half := chance.StudentQuantile((1+Confidence)/2, df) * se
	d.Interval = Interval{d.B - half, d.B + half}
	d.P = min(2*chance.StudentTail(math.Abs(d.B)/se, df), 1)
	return d.settle(least)
}
