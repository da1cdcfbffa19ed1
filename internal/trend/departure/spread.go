package departure

import (
	"math"

	"github.com/ringtrue/ringtrue/internal/trend"
)

// spreads are by how much the hours of a day, and whole days, deviate from the expected beyond
// chance, as variances in units of scale.
type spreads struct{ hour, day float64 }

// usualSpreads returns the spreads assumed while history does not show them yet, and the least ever
// used: with many calls, chance alone would make a departure of a few percent stand out.
func usualSpreads(k trend.Kind) (usually, least spreads) {
	switch k {
	case trend.Count:
		return spreads{0.04, 0.015}, spreads{0.0064, 0.0036}
	case trend.Rate:
		return spreads{0.04, 0.02}, spreads{0.01, 0.0064}
	case trend.Mean:
		return spreads{0.01, 0.005}, spreads{0.0025, 0.0016}
	default:
		return spreads{0.04, 0.02}, spreads{0.0064, 0.0036}
	}
}

// The weights of the usual spreads relative to those observed, in hours and in days.
const (
	usualHours = 72
	usualDays  = 7
)

// spread measures how far hours and days before the given day deviated from what was expected.
func (g *grid) spread(day int) spreads {
	usually, least := usualSpreads(g.m.Kind)
	hours, days := g.misses(day)
	var out spreads
	byHour := func(m miss, v float64) float64 { return m.b + v*m.s2 }
	out.hour = max(shrink(solve(hours, byHour), float64(len(hours)), usually.hour, usualHours), least.hour)
	byDay := func(m miss, v float64) float64 { return m.b + out.hour*m.s2 + v*m.s*m.s }
	v, n := solve(days, byDay), float64(len(days))
	if g.m.Kind == trend.Rate && v > usually.day {
		n = telling(days, byDay, usually.day)
	}
	out.day = max(shrink(v, n, usually.day, usualDays), least.day)
	return out
}

// misses returns the deviations of hours and days in the eight weeks before the given day that have
// enough data.
func (g *grid) misses(day int) (hours, days []miss) {
	from := max(g.days[day]-historyHours, 0)
	enough := 2.0
	if g.m.Kind != trend.Count {
		enough = 0.75
	}
	for d := max(day-historyHours/dayHours, 0); d < day; d++ {
		if g.days[d] < from {
			continue
		}
		var whole miss
		for i := g.days[d]; i < g.days[d+1]; i++ {
			h := &g.hours[i]
			if !h.known || h.masked || h.astray {
				continue
			}
			one := miss{r: h.x - h.e, b: h.b, s: h.scale, s2: h.scale * h.scale}
			if h.b >= enough || g.m.Kind == trend.Mean && h.of >= 3 {
				hours = append(hours, one)
			}
			whole.add(one)
		}
		if whole.b >= enough || g.m.Kind == trend.Mean && whole.b > 0 {
			days = append(days, whole)
		}
	}
	return hours, days
}

// telling returns the number of misses that carry information about a variance of v, each counted
// by the share of v in its total variance. Fifty days with two hits each, subject to as much
// chance, say next to nothing; the spread they seem to show would hide a day with fifteen.
func telling(all []miss, variance func(m miss, v float64) float64, v float64) (n float64) {
	for _, m := range all {
		share := 1 - variance(m, 0)/max(variance(m, v), 1e-12)
		n += share * share
	}
	return n
}

// miss is a deviation from the expected, with the components of its variance.
type miss struct{ r, b, s, s2 float64 }

func (m *miss) add(o miss) {
	m.r += o.r
	m.b += o.b
	m.s += o.s
	m.s2 += o.s2
}

func shrink(v, n, usually, weight float64) float64 {
	return (n*v + weight*usually) / (n + weight)
}

// solve finds the variance v at which the misses scatter as expected: their mean squared ratio is
// 1, with ratios beyond three standard deviations limited to three.
func solve(all []miss, variance func(m miss, v float64) float64) float64 {
	if len(all) == 0 {
		return 0
	}
	const usual = 0.97 // the mean of min(z², 9) for a standard normal z
	tooMuch := func(v float64) bool {
		var sum float64
		for _, m := range all {
			sum += min(m.r*m.r/max(variance(m, v), 1e-12), 9)
		}
		return sum > usual*float64(len(all))
	}
	if !tooMuch(0) {
		return 0
	}
	low, high := -9.0, 2.0 // natural logarithms of the possible range
	for range 14 {
		if mid := (low + high) / 2; tooMuch(math.Exp(mid)) {
			low = mid
		} else {
			high = mid
		}
	}
	return math.Exp((low + high) / 2)
}
