package departure

import (
	"math"

	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/chance"
	"github.com/ringtrue/ringtrue/internal/trend/sketch"
)

// leastCalls is how many calls a figure must rest on to be told.
const leastCalls = 10

// sums are what the hours of a stretch add up to: what came, what was expected, and
// what both rest on.
type sums struct {
	x, e, b, of float64
	s, s2       float64 // scale and its square
	squares     float64 // of a Mean: of its values
	calls       int64
	hours       int
}

func (a *sums) add(h *hour) {
	a.x += h.x
	a.e += h.e
	a.b += h.b
	a.of += h.of
	a.s += h.scale
	a.s2 += h.scale * h.scale
	a.squares += h.point.Squares
	a.calls += h.point.N
	a.hours++
}

// variance is that of a stretch in quiet times, given what hours and days differ by.
func (a *sums) variance(v hour) float64 {
	days := max(float64(a.hours)/dayHours, 1)
	return a.b + v.spread*a.s2 + v.common*a.s*a.s/days
}

// lasts tells whether a stretch still departs without the hour that departs most:
// one hour alone is a hiccup as often as not.
func (g *grid) lasts(first, last int, sign trend.Sign) bool {
	worst, most := first, 0.0
	for i := first; i <= last; i++ {
		if h := &g.hours[i]; (h.x-h.e)*float64(sign) > most {
			worst, most = i, (h.x-h.e)*float64(sign)
		}
	}
	var rest sums
	for i := first; i <= last; i++ {
		if i != worst {
			rest.add(&g.hours[i])
		}
	}
	return (rest.x-rest.e)*float64(sign) > 2.5*math.Sqrt(max(rest.variance(g.hours[last]), 1e-12))
}

// worth tells whether the hours from first to last rest on half as much as so many
// hours usually do: what a few calls of a weekend show is no new usual.
func (g *grid) worth(first, last, hours int) bool {
	from := max(first-4*weekHours, 0)
	var seen, before float64
	for i := from; i <= last; i++ {
		if i < first {
			before += g.hours[i].of
		} else {
			seen += g.hours[i].of
		}
	}
	return seen*float64(max(first-from, 1)) >= before*float64(hours)/2
}

// signOf is to which side a difference is.
func signOf(v float64) trend.Sign {
	if v > 0 {
		return trend.Up
	}
	return trend.Down
}

// tail is the chance that a quiet stretch departs as far as this one, to its side.
func (g *grid) tail(a *sums, v float64) float64 {
	var lower, upper float64
	switch g.m.Kind {
	case trend.Count:
		size := math.Inf(1)
		if v > a.e*1.0000001 {
			size = a.e * a.e / (v - a.e)
		}
		lower, upper = chance.NegBinomialTail(math.Round(a.x), a.e, size)
	case trend.Rate, trend.Quantile:
		n, p := a.of, a.e/a.of
		m := math.Inf(1)
		if ratio := (v/(n*p*(1-p)) - 1) / max(n-1, 1e-9); n > 1 && ratio > 1e-9 {
			m = max(1/ratio-1, 0.5)
		}
		lower, upper = chance.BetaBinomialTail(a.x, n, p, m)
	default:
		t := (a.x - a.e) / math.Sqrt(v+a.uneven())
		lower, upper = chance.StudentTail(-t, 50), chance.StudentTail(t, 50)
	}
	if a.x > a.e {
		return upper
	}
	return lower
}

// uneven is by how much the variance of a Mean's sum is above that which is expected of
// single values, going by the values that came: where one value in a hundred is ten times
// the others (costs, with the length of calls) ten that hold such a one lie far off, and
// differ among themselves as far.
func (a *sums) uneven() float64 {
	if a.of < 2 {
		return 0
	}
	return max((a.squares-a.x*a.x/a.of)*a.of/(a.of-1)-a.b, 0)
}

// matters tells whether a stretch departs by as much as is worth telling.
func (g *grid) matters(first, last int, a *sums, up bool) bool {
	if g.m.Kind != trend.Count && a.calls < leastCalls {
		return false
	}
	seen, expected := g.figures(first, last, a)
	by := math.Abs(seen - expected)
	if g.m.Kind == trend.Count {
		if up {
			return by >= 2*expected && by >= 4*g.m.Least
		}
		return by >= g.m.LeastRatio*expected && by >= g.m.Least
	}
	return by >= g.m.Least && by >= g.m.LeastRatio*math.Abs(expected)
}

// glares tells whether a stretch departs by three times what is worth telling. Of
// calls, all that can be missing is that many.
func (g *grid) glares(first, last int, a *sums) bool {
	seen, expected := g.figures(first, last, a)
	by := math.Abs(seen - expected)
	return g.m.Kind == trend.Count || by >= 3*g.m.Least && by >= 3*g.m.LeastRatio*math.Abs(expected)
}

// figures are what a stretch shows and what it was expected to show, as the metric counts.
func (g *grid) figures(first, last int, a *sums) (seen, expected float64) {
	switch g.m.Kind {
	case trend.Count:
		return a.x, a.e
	case trend.Rate, trend.Mean:
		return a.x / max(a.of, 1e-9), a.e / max(a.of, 1e-9)
	default:
	}
	var all sketch.Sketch
	var logs, n float64
	for i := first; i <= last; i++ {
		if h := &g.hours[i]; h.of > 0 {
			_ = all.Merge(h.point.Sketch)
			logs += h.of * math.Log(h.expected)
			n += h.of
		}
	}
	seen, _ = all.Quantile(g.m.Q)
	return seen, math.Exp(logs/max(n, 1e-9) + g.hours[last].more(g.m.Q, float64(all.Count())))
}

// more is by how much the logarithm of a quantile of n values lies above those that were expected of
// hours: the 95th percentile of the few values of an hour is their greatest at best, and lower as a
// rule than that of all values of a day. How far shows in the share of values above the expected, and
// in how the values are spread.
func (h *hour) more(q, n float64) float64 {
	return h.curve.of(-logit(aboveOf(q, n))) - h.curve.of(h.logit())
}

// slip is by how much the curve misleads more. Of values that come again and again, as a platform's that are
// rounded, the share above the expected lies where the curve leaps from one to the next: what it says there is not
// the level, which is one of them or lies between. Departures are told without it, for a share of many calls is sure.
func (h *hour) slip() float64 {
	l := h.logit()
	return h.curve.of(l) - min(max(h.level, h.curve.of(l-curveStep)), h.curve.of(l+curveStep))
}

// logit is where among all values the ones lie that were expected of a Quantile's hours.
func (h *hour) logit() float64 { return -logit(min(max(h.shareAbove, 0.001), 0.999)) }

// aboveOf is the share of all values that lies above the quantile of n of them, on the mean.
func aboveOf(q, n float64) float64 { return 1 - (math.Floor(q*max(n-1, 0))+1)/(n+1) }
