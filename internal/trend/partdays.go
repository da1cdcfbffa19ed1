package trend

import (
	"math"
	"slices"

	"github.com/ringtrue/ringtrue/internal/trend/chance"
)

const (
	// leastDays is the least number of days with calls for how much days differ to be known.
	leastDays = 3
	// littleApart is the greatest sum of squared differences, over the days, between the shares of
	// calls of two sides that lie on the same days as good as: on two days, 55 % of one on the
	// first and 45 % of the other.
	littleApart = 0.02
)

// dayEffects is how much whole days differ beyond chance. Calls on the same day have something
// in common, so parts whose calls lie on different days (such as consecutive versions) differ
// without cause; parts on the same days share it.
type dayEffects struct {
	// n are the calls by part and day.
	n   [][]float64
	day []float64 // calls of all parts, by day
	of  []float64 // calls, by part
	// mean is the mean of each part's days, weighted by calls.
	mean []float64
	all  float64
	// variance is that of days in the metric's unit squared, free its degrees of freedom; 0 if
	// unknown, because there are too few days, or hardly any part has calls of more than one.
	variance, free float64
}

// effectsOf measures how much days differ. chance is the variance of a value based on one call.
// It returns nil if all calls are of one day, as far as known.
func effectsOf(parts []Part, chance float64) *dayEffects {
	var days []int
	for _, p := range parts {
		for _, d := range p.Days {
			days = append(days, d.Day)
		}
	}
	slices.Sort(days)
	days = slices.Compact(days)
	if len(days) < 2 {
		return nil
	}
	e := &dayEffects{n: make([][]float64, len(parts)), day: make([]float64, len(days)), of: make([]float64, len(parts)), mean: make([]float64, len(parts))}
	off := make([]float64, len(days)) // each day's total deviation from the means of its calls' parts
	for i, p := range parts {
		e.n[i] = make([]float64, len(days))
		var sum float64
		for _, d := range p.Days {
			sum += float64(d.N) * d.Value
			e.of[i] += float64(d.N)
		}
		e.mean[i] = sum / max(e.of[i], 1)
		for _, d := range p.Days {
			at, _ := slices.BinarySearch(days, d.Day)
			e.n[i][at] += float64(d.N)
			e.day[at] += float64(d.N)
			off[at] += float64(d.N) * (d.Value - e.mean[i])
		}
		e.all += e.of[i]
	}
	if len(days) >= leastDays {
		e.solve(off, chance)
	}
	return e
}

// solve finds the variance that explains how far days are off, allowing for the part of it that
// goes into the means of the parts.
func (e *dayEffects) solve(off []float64, chance float64) {
	shared := e.shared()
	var seen, usually float64
	for d, n := range e.day {
		if n == 0 {
			continue
		}
		// The deviation of day o also shows in day d with the opposite sign, because it moves the means
		// of the parts.
		left, usual := 1.0, 0.0
		for o, together := range shared[d] {
			takenUp := together / max(n, 1)
			if o == d {
				left -= takenUp
				continue
			}
			usual += takenUp * takenUp
		}
		usual += left * left
		seen += off[d]*off[d]/n - chance*left
		usually += n * usual
		e.free += left
	}
	if e.free < 1 {
		e.free = 0
		return
	}
	e.variance = max(seen/max(usually, 1e-9), 0)
}

// shared returns for each pair of days how much the calls of one affect the other through the
// parts they share: the sum over parts of the product of their calls on both days, divided by
// the calls of the part.
func (e *dayEffects) shared() [][]float64 {
	days := len(e.day)
	out, all := make([][]float64, days), make([]float64, days*days)
	for d := range out {
		out[d] = all[d*days : (d+1)*days]
	}
	for i, n := range e.n {
		for d, here := range n {
			if here == 0 {
				continue
			}
			weight, to := here/e.of[i], out[d]
			for o, there := range n {
				to[o] += weight * there
			}
		}
	}
	return out
}

// apart returns the variance of the difference between part i and all others that is due to
// days: 0 if both have the same share of their calls on each day.
func (e *dayEffects) apart(i int) float64 {
	return e.variance * e.sharesApart(i)
}

// sharesApart returns the sum over the days of how much the shares of calls of part i and of all
// others differ, squared.
func (e *dayEffects) sharesApart(i int) (sum float64) {
	rest := e.all - e.of[i]
	if rest <= 0 || e.of[i] <= 0 {
		return 0
	}
	for d, n := range e.day {
		by := e.n[i][d]/e.of[i] - (n-e.n[i][d])/rest
		sum += by * by
	}
	return sum
}

// meansApart returns the difference between the mean of part i's days and that of all other
// days.
func (e *dayEffects) meansApart(i int) float64 {
	var others, n float64
	for k, of := range e.of {
		if k != i {
			others += of * e.mean[k]
			n += of
		}
	}
	return e.mean[i] - others/max(n, 1)
}

// withDays also tests the difference of part i against how days differ.
func (d Difference) withDays(m Metric, e *dayEffects, i int) Difference {
	if e.free <= 0 {
		if len(e.day) < leastDays && e.sharesApart(i) <= littleApart {
			return d
		}
		d.P, d.Outcome, d.Reason = 1, TooFew, "their calls are of different days, and too few for how much days differ to be known"
		return d
	}
	variance := e.apart(i)
	half := (d.Interval.High - d.Interval.Low) / 2
	if variance <= 0 || math.IsNaN(half) {
		return d
	}
	if math.IsInf(half, 0) {
		half = 0 // unknown, but days differ all the same
	}
	calls := half / chance.NormalQuantile((1+Confidence)/2)
	calls *= calls
	se := math.Sqrt(calls + variance)
	df := e.free * (calls + variance) * (calls + variance) / (variance * variance) // Welch–Satterthwaite equation
	wide := chance.StudentQuantile((1+Confidence)/2, df) * se
	d.Interval = Interval{min(d.Interval.Low, d.Delta-wide), max(d.Interval.High, d.Delta+wide)}
	by := d.Delta
	if m.Kind == Quantile {
		by = inCommon(by, e.meansApart(i))
	}
	if se > 0 {
		d.P = max(d.P, min(2*chance.StudentTail(math.Abs(by)/se, df), 1))
	}
	return d.settle(m.Least)
}

// inCommon returns the smaller of two differences in the same direction, 0 if their directions
// differ. A quantile over many days is determined by the few worst days, which vary more than
// days in general, so a difference must also show in the mean of the days.
func inCommon(a, b float64) float64 {
	switch {
	case a > 0 && b > 0:
		return min(a, b)
	case a < 0 && b < 0:
		return max(a, b)
	}
	return 0
}

// chanceOf returns the variance of a value based on one call, estimated from the comparison of
// the largest part with the others.
func chanceOf(parts []Part, all []PartCompared) float64 {
	at, most := -1, int64(0)
	for i, p := range parts {
		half := all[i].Against.Interval.High - all[i].Against.Interval.Low
		if p.Point.N > most && !math.IsInf(half, 0) && !math.IsNaN(half) {
			at, most = i, p.Point.N
		}
	}
	if at < 0 {
		return 0
	}
	var rest float64
	for i, p := range parts {
		if i != at {
			rest += float64(p.Point.N)
		}
	}
	d := all[at].Against
	se := (d.Interval.High - d.Interval.Low) / 2 / chance.NormalQuantile((1+Confidence)/2)
	return se * se / (1/float64(max(most, 1)) + 1/max(rest, 1))
}
