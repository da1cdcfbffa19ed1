package departure

import (
	"math"

	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/chance"
	"github.com/ringtrue/ringtrue/internal/trend/sketch"
)

// leastCalls is the least number of calls behind a figure that is reported.
const leastCalls = 10

// sums are the sums over the hours of a stretch.
type sums struct {
	x, e, b, of float64
	s, s2       float64 // sums of scale and of its square
	squares     float64 // of a Mean: the sum of squared values
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

// variance returns the variance of a stretch in quiet times, given the spread of hours and days in
// v.
func (a *sums) variance(v hour) float64 {
	days := max(float64(a.hours)/dayHours, 1)
	return a.b + v.spread*a.s2 + v.common*a.s*a.s/days
}

// lasts reports whether a stretch still departs without its worst hour: a single hour is often just
// a hiccup.
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

// worth reports whether the hours from first to last have at least half of the data that so many
// hours usually have: a few calls on a weekend do not make a new usual.
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

// signOf returns the direction of a difference.
func signOf(v float64) trend.Sign {
	if v > 0 {
		return trend.Up
	}
	return trend.Down
}

// tail returns the probability that a quiet stretch departs as far as this one in its direction.
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

// uneven returns by how much the observed values of a Mean vary more than expected, in terms of the
// variance of their sum. If one value in a hundred is ten times the others (as costs are, depending
// on length), ten values that include one of those are far off, but also vary as much.
func (a *sums) uneven() float64 {
	if a.of < 2 {
		return 0
	}
	return max((a.squares-a.x*a.x/a.of)*a.of/(a.of-1)-a.b, 0)
}

// matters reports whether a stretch departs by enough to be worth reporting.
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

// glares reports whether a stretch departs by three times what is worth reporting. A number of
// calls always does, since no more than all calls can be missing.
func (g *grid) glares(first, last int, a *sums) bool {
	seen, expected := g.figures(first, last, a)
	by := math.Abs(seen - expected)
	return g.m.Kind == trend.Count || by >= 3*g.m.Least && by >= 3*g.m.LeastRatio*math.Abs(expected)
}

// figures returns the observed and the expected value of a stretch, in the metric's unit.
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

// more returns by how much the logarithm of a quantile of n values exceeds that expected of single
// hours. The 95th percentile of an hour's few values is at best their maximum, and usually lower
// than that of a whole day. The share of values above the expected, and their distribution, show by
// how much.
func (h *hour) more(q, n float64) float64 {
	return h.curve.of(-logit(aboveOf(q, n))) - h.curve.of(h.logit())
}

// slip returns the error of the curve as used by more. If values recur, such as a platform's
// rounded ones, the share above the expected lies where the curve jumps from one value to the next,
// and the curve does not give the level, which is one of these or between them. Finding departures
// does not need it, because it relies on the share of many calls.
func (h *hour) slip() float64 {
	l := h.logit()
	return h.curve.of(l) - min(max(h.level, h.curve.of(l-curveStep)), h.curve.of(l+curveStep))
}

// logit returns the position of the expected quantile of hours within the distribution of all
// values, as a logit.
func (h *hour) logit() float64 { return -logit(min(max(h.shareAbove, 0.001), 0.999)) }

// aboveOf returns the mean share of all values above the quantile of n of them.
func aboveOf(q, n float64) float64 { return 1 - (math.Floor(q*max(n-1, 0))+1)/(n+1) }
