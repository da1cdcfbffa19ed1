package trend

import (
	"math"
	"slices"
	"sort"

	"github.com/ringtrue/ringtrue/internal/trend/chance"
)

// Values is a sample small enough to be kept whole: unlike a Sketch it returns
// exact quantiles. Calls is the number of calls that the values come from.
type Values struct {
	sorted []float64
	Calls  int64
}

// NewValues returns a sample of the values of several calls. NaN and infinite
// values are left out, and so are calls without any others.
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

// Sorted returns the values in ascending order. They must not be modified.
func (v Values) Sorted() []float64 { return v.sorted }

// Count returns the number of values.
func (v Values) Count() int64 { return int64(len(v.sorted)) }

// Quantile returns the value that the share q of the values lies below,
// interpolated between two values; ok is false if there are none.
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

// Above returns the number of values above x, with those equal to x counted half.
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

// Interval returns the interval of the quantile q, between the two values whose
// ranks bound it by the binomial distribution. Values of one call are similar, so
// a call counts for at most two. An end is infinite where all values may well lie
// on one side of the quantile: 72 values are the least to bound the 95th
// percentile from above.
func (v Values) Interval(q float64) Interval {
	out := Interval{math.Inf(-1), math.Inf(1)}
	n := independent(v, v.Calls)
	if n == 0 {
		return out
	}
	const tail = (1 - Confidence) / 2
	low := sort.Search(int(n), func(k int) bool {
		atMost, _ := chance.BetaBinomialTail(float64(k), n, q, math.Inf(1))
		return atMost > tail
	})
	high := sort.Search(int(n), func(k int) bool {
		_, atLeast := chance.BetaBinomialTail(float64(k+1), n, q, math.Inf(1))
		return atLeast <= tail
	})
	each := float64(len(v.sorted)) / n
	if low > 0 {
		out.Low = v.sorted[int(float64(low-1)*each)]
	}
	if high < int(n) {
		out.High = v.sorted[min(int(math.Ceil(float64(high+1)*each)), len(v.sorted))-1]
	}
	return out
}

// CompareValues is CompareQuantiles for exact samples.
func CompareValues(a, b Values, q, least float64) Difference {
	both := Values{sorted: slices.Concat(a.sorted, b.sorted), Calls: a.Calls + b.Calls}
	slices.Sort(both.sorted)
	return compareQuantiles(sides{a, b, both}, q, a.Calls, b.Calls, least)
}

// CompareChanges compares things measured once before and once after a change,
// and tells whether they changed overall. changes are after − before for each
// thing; their mean is compared with 0 by Student's test. In the result, A is 0,
// B the mean change, and NA and NB the number of things.
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
		// All changed by exactly the same amount. For a few that is no proof.
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
