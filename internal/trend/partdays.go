package trend

import (
	"math"
	"slices"

	"github.com/ringtrue/ringtrue/internal/trend/chance"
)

// leastDays is on how many days calls must lie for days to be compared.
const leastDays = 3

// dayEffects is how much whole days differ, beyond chance: calls of one day have
// something in common, so that parts whose calls lie on different days (versions
// that follow one another) differ without a cause. Parts of the same days share it.
type dayEffects struct {
	// n are the calls by part and day, share each day's share of a part's calls.
	n   [][]float64
	day []float64 // calls of all parts
	of  []float64 // calls of a part
	// mean is that of a part's days, by their calls.
	mean []float64
	all  float64
	// variance is that of days on the metric's own scale, free what it rests on as
	// degrees of freedom; 0 where it is not known.
	variance, free float64
}

// effectsOf measures how days differ. chance is the variance of a figure that rests
// on one call.
func effectsOf(parts []Part, chance float64) *dayEffects {
	var days []int
	for _, p := range parts {
		for _, d := range p.Days {
			days = append(days, d.Day)
		}
	}
	slices.Sort(days)
	days = slices.Compact(days)
	if len(days) < leastDays {
		return nil
	}
	e := &dayEffects{n: make([][]float64, len(parts)), day: make([]float64, len(days)), of: make([]float64, len(parts)), mean: make([]float64, len(parts))}
	off := make([]float64, len(days)) // by how much a day's calls are off the means of their parts, together
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
	e.solve(off, chance)
	return e
}

// solve finds the variance at which days are off by as much as they are: what a
// part's own mean takes up of its days is allowed for.
func (e *dayEffects) solve(off []float64, chance float64) {
	shared := e.shared()
	var seen, usually float64
	for d, n := range e.day {
		if n == 0 {
			continue
		}
		// What day o is off by shows, turned round, in day d, because the means of parts follow it.
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

// shared is for every two days how many calls of the one weigh upon the other by what parts they
// share: the sum over parts of the product of their calls on both, by the calls of the part.
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

// apart is the variance of the difference between part i and all others that days
// make: none when both have the same share of their calls on each day.
func (e *dayEffects) apart(i int) float64 {
	rest := e.all - e.of[i]
	if rest <= 0 || e.of[i] <= 0 {
		return 0
	}
	var sum float64
	for d, n := range e.day {
		by := e.n[i][d]/e.of[i] - (n-e.n[i][d])/rest
		sum += by * by
	}
	return e.variance * sum
}

// meansApart is by how much the mean of part i's days is above that of all other days.
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

// withDays holds the difference of part i against how days differ too.
func (d Difference) withDays(m Metric, e *dayEffects, i int) Difference {
	variance := e.apart(i)
	half := (d.Interval.High - d.Interval.Low) / 2
	if variance <= 0 || e.free <= 0 || math.IsInf(half, 0) || math.IsNaN(half) {
		return d
	}
	calls := half / chance.NormalQuantile((1+Confidence)/2)
	calls *= calls
	se := math.Sqrt(calls + variance)
	df := e.free * (calls + variance) * (calls + variance) / (variance * variance) // Welch and Satterthwaite
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

// inCommon is what two differences have in common, 0 when they are to different sides. A
// quantile of many days together is that of the few worst of them, which differs more than
// days do: what is told of it must show in the mean of the days as well.
func inCommon(a, b float64) float64 {
	switch {
	case a > 0 && b > 0:
		return min(a, b)
	case a < 0 && b < 0:
		return max(a, b)
	}
	return 0
}

// chanceOf is the variance of a figure that rests on one call, as the comparison of
// the largest part with the others shows it.
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
