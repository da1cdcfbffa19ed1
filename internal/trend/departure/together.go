package departure

import (
	"math"
	"sort"
	"time"

	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/chance"
)

// Together returns what the hours between two times together were expected to show: for a number
// of calls their sum, otherwise the value over all their calls. Its band is much narrower than
// those of single hours with their few calls. Known is false unless all hours were examined with
// enough history; Seen is not set.
func (r Report) Together(from, until time.Time) Expected {
	g, out := r.grid, Expected{At: from}
	if g == nil || len(g.hours) == 0 || from.Before(g.start) || !from.Before(until) {
		return out
	}
	first, last := int(from.Sub(g.start)/time.Hour), int(until.Sub(g.start)/time.Hour)-1
	if last >= len(g.hours) {
		return out
	}
	var a sums
	for i := first; i <= last; i++ {
		if !g.hours[i].known {
			return out
		}
		a.add(&g.hours[i])
	}
	out.N = a.calls
	if a.of == 0 {
		return out
	}
	out.Low, out.Expected, out.High = g.bandOver(first, last, &a)
	out.Known = true
	return out
}

// bandOver returns the expected value of a stretch, and the band that holds 19 of 20 quiet
// stretches with as much data.
func (g *grid) bandOver(first, last int, a *sums) (low, expected, high float64) {
	end := &g.hours[last]
	v := a.variance(*end)
	_, expected = g.figures(first, last, a)
	switch g.m.Kind {
	case trend.Count:
		low, high = g.wholeBand(a, v)
		return low, expected, high
	case trend.Rate:
		low, high = g.wholeBand(a, v)
		n := max(a.of, 1)
		return low / n, expected, high / n
	default:
	}
	z := chance.NormalQuantile((1 + trend.Confidence) / 2)
	if g.m.Kind == trend.Mean {
		low, high = meanBand(g.m, expected, z*math.Sqrt(v)/max(a.of, 1))
		return low, expected, high
	}
	// The spread of hours and days is the same, but chance moves this quantile further than the lower
	// ones that single hours with few values show.
	above := aboveOf(g.m.Q, a.of)
	logits := (v-a.b)/max(a.s*a.s, 1e-9) + 1/max(a.of*above*(1-above), 0.1)
	below, beyond := end.curve.around(-logit(above), z*math.Sqrt(logits))
	// What the hours of the week seem to add is uncertain, so the band includes the value without it.
	expected *= math.Exp(end.slip())
	plain := math.Exp(end.level + end.more(g.m.Q, a.of) + end.slip())
	return min(expected, plain) * below, expected, max(expected, plain) * beyond
}

// manyWhole is the standard deviation from which on counts are treated as continuous.
const manyWhole = 1000

// wholeBand returns the band of a number of calls or hits. Values outside have a probability below
// 1/40 on each side.
func (g *grid) wholeBand(a *sums, v float64) (low, high float64) {
	const rare = (1 - trend.Confidence) / 2
	most := math.Ceil(a.e + 10*math.Sqrt(v) + 10)
	if g.m.Kind == trend.Rate {
		most = min(most, math.Floor(a.of))
	}
	if v > manyWhole*manyWhole { // the tails have thousands of terms and are nearly normal
		half := math.Sqrt(v) * chance.NormalQuantile(1-rare)
		return max(a.e-half, 0), min(a.e+half, most)
	}
	tail := func(k float64) float64 {
		at := *a
		at.x = k
		return g.tail(&at, v)
	}
	below := math.Floor(a.e)
	low = float64(sort.Search(int(below), func(k int) bool { return tail(float64(k)) > rare }))
	high = below + float64(sort.Search(int(max(most-below, 0)), func(k int) bool { return tail(below+float64(k)+1) <= rare }))
	return min(low, a.e), max(high, a.e)
}
