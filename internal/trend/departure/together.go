package departure

import (
	"math"
	"sort"
	"time"

	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/chance"
)

// Together is what the hours between two times were expected to show as one: a number of calls
// as their sum, all else as the figure of all their calls. Its band is far narrower than those of
// the hours, of which each has a few calls of its own to go by. Known is false where not all of
// them were looked at with enough history; Seen is left out.
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

// bandOver is where the figure of a stretch would lie in 19 of 20 quiet ones that rest on as much,
// and what is expected of it.
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
	// What the hours and days add is the same, but chance takes the values about this quantile
	// further than those about the lower ones that single hours of few values show.
	above := aboveOf(g.m.Q, a.of)
	logits := (v-a.b)/max(a.s*a.s, 1e-9) + 1/max(a.of*above*(1-above), 0.1)
	below, beyond := end.curve.around(-logit(above), z*math.Sqrt(logits))
	// What the hours of the week seem to add is a guess: without it the figure may lie as well.
	expected *= math.Exp(end.slip())
	plain := math.Exp(end.level + end.more(g.m.Q, a.of) + end.slip())
	return min(expected, plain) * below, expected, max(expected, plain) * beyond
}

// manyWhole is the standard deviation from which on whole numbers need not be told apart.
const manyWhole = 1000

// wholeBand is the band of a number of calls or hits, which are whole: outside lies what is less
// likely than once in 40 times to either side.
func (g *grid) wholeBand(a *sums, v float64) (low, high float64) {
	const rare = (1 - trend.Confidence) / 2
	most := math.Ceil(a.e + 10*math.Sqrt(v) + 10)
	if g.m.Kind == trend.Rate {
		most = min(most, math.Floor(a.of))
	}
	if v > manyWhole*manyWhole { // the tails have thousands of terms, and the normal distribution's are the same
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
