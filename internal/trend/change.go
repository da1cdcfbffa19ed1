package trend

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/ringtrue/ringtrue/internal/trend/chance"
)

// Day is a metric's value on one day, and the number of calls behind it.
type Day struct {
	// Day is the day's number, from any origin; it tells which parts have calls on the same days.
	Day   int
	Value float64
	N     int64
}

// Stretch is a number of days, as a single point and one by one.
type Stretch struct {
	Whole Point
	Days  []Day
}

// CompareDays compares the days after a change with those before it. Calls on the same day have
// more in common than calls on different days, so many calls on few days say less than they seem
// to: the difference is judged by how much the days of each side vary. Each side needs three
// days.
func CompareDays(m Metric, before, after Stretch) Difference {
	d := Compare(m, before.Whole, after.Whole)
	if m.Kind == Count {
		return d
	}
	ma, sa, worthA, na := betweenDays(before.Days)
	mb, sb, worthB, nb := betweenDays(after.Days)
	if na < 3 || nb < 3 {
		d.P, d.Outcome, d.Reason = 1, TooFew, "each side needs three days with calls"
		return d
	}
	se := math.Hypot(sa, sb)
	df := max(min(worthA, worthB)-1, leastFree)
	half := chance.StudentQuantile((1+Confidence)/2, df) * se
	delta := d.B - d.A
	d.Interval = Interval{min(d.Interval.Low, delta-half), max(d.Interval.High, delta+half)}
	if m.Kind == Quantile {
		delta = inCommon(delta, mb-ma)
	}
	if se > 0 {
		d.P = max(d.P, min(2*chance.StudentTail(math.Abs(delta)/se, df), 1))
	}
	return d.settle(m.Least)
}

// leastFree is the least number of degrees of freedom, for nearly all calls on one day.
const leastFree = 0.1

// betweenDays returns the mean of days weighted by their calls, its standard error estimated
// from the scatter of the days, and the number of days with calls. worth is the equivalent
// number of days with equally many calls: one day with most of the calls says little more than a
// single day.
func betweenDays(days []Day) (mean, se, worth float64, n int) {
	var sum, weights float64
	for _, d := range days {
		if d.N > 0 {
			sum += float64(d.N) * d.Value
			weights += float64(d.N)
			n++
		}
	}
	mean = sum / max(weights, 1)
	if n < 2 {
		return mean, math.Inf(1), float64(n), n
	}
	var squares, second, third float64 // sums of powers of the days' shares of calls; squares is weighted by their deviations
	for _, d := range days {
		share := float64(d.N) / weights
		squares += share * share * (d.Value - mean) * (d.Value - mean)
		second += share * share
		third += share * share * share
	}
	// The mean is pulled towards the largest days, so their deviations from it are too small. For
	// equal shares this is the usual n ÷ (n − 1).
	takenUp := second / (second - 2*third + second*second)
	return mean, math.Sqrt(squares * takenUp), 1 / second, n
}

// Pair is the value of the same thing (a dataset item) on both sides: the mean over its
// repetitions.
type Pair struct{ A, B float64 }

// resamples is the number of resamples of a bootstrap.
const resamples = 4000

// ComparePairs compares two experiments item by item. The interval is from the percentile
// bootstrap over items (4000 resamples from rng), P from a test that flips the signs of the
// items' differences at random. It needs six items with a value on both sides: with fewer, no
// outcome could be told from chance.
func ComparePairs(pairs []Pair, least float64, rng *rand.Rand) Difference {
	n := len(pairs)
	d := Difference{NA: int64(n), NB: int64(n), P: 1, Interval: Interval{math.Inf(-1), math.Inf(1)}}
	deltas := make([]float64, n)
	for i, p := range pairs {
		d.A += p.A / float64(n)
		d.B += p.B / float64(n)
		deltas[i] = p.B - p.A
	}
	if n < 6 {
		d = d.settle(least)
		d.Outcome, d.Reason = TooFew, "six items with a figure on both sides are the least"
		return d
	}
	means := make([]float64, resamples)
	extreme := 0
	seen := math.Abs(mean(deltas)) - 1e-12
	for r := range means {
		var drawn, turned float64
		for range n {
			drawn += deltas[rng.IntN(n)]
		}
		for _, v := range deltas {
			if rng.Uint64()&1 == 0 {
				v = -v
			}
			turned += v
		}
		means[r] = drawn / float64(n)
		if math.Abs(turned/float64(n)) >= seen {
			extreme++
		}
	}
	slices.Sort(means)
	tail := (1 - Confidence) / 2
	d.Interval = Interval{means[int(tail*resamples)], means[int((1-tail)*resamples)]}
	d.P = float64(extreme+1) / float64(resamples+1)
	return d.settle(least)
}

func mean(v []float64) float64 {
	var sum float64
	for _, x := range v {
		sum += x
	}
	return sum / float64(max(len(v), 1))
}
