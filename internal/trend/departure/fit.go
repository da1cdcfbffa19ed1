package departure

import (
	"math"

	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/sketch"
)

const (
	// historyHours is how far back the usual is learned from.
	historyHours = 8 * weekHours
	// firstHours is the least history from which anything is expected.
	firstHours = weekHours
)

// usual is what the hours before a day lead to expect of it.
type usual struct {
	m     trend.Metric
	shape shape
	// level is a count per hour, a logit, a mean or the logarithm of a quantile; unsure is its
	// variance in units of scale.
	level, unsure float64
	// deviation is the standard deviation of a Mean's single values.
	deviation float64
	// share is the share of a Quantile's values above the threshold.
	share float64
	// curve is the distribution of a Quantile's values.
	curve *curve
}

// learn learns from the hours before until.
func (g *grid) learn(until int) (u usual, ok bool) {
	from := max(until-historyHours, 0)
	if until-from < firstHours {
		return u, false
	}
	u.m = g.m
	switch g.m.Kind {
	case trend.Count:
		g.learnCount(&u, from, until)
	case trend.Rate:
		g.learnRate(&u, from, until)
	case trend.Mean:
		g.learnMean(&u, from, until)
	case trend.Quantile:
		ok = g.learnQuantile(&u, from, until)
		return u, ok
	}
	return u, true
}

// recency returns the weight of an hour by its age, given the half-life in days.
func recency(age int, days float64) float64 {
	return math.Exp2(-float64(age) / (days * dayHours))
}

// weeksOf returns the number of weeks between two hours.
func weeksOf(from, until int) float64 { return float64(until-from) / weekHours }

// since returns the first hour from which the level is learned.
func (g *grid) since(from int) int { return max(from, g.level) }

func (g *grid) learnCount(u *usual, from, until int) {
	for i := range u.shape {
		u.shape[i] = 1
	}
	most := g.onceMore(from, until)
	// Shape and level depend on each other, so they are computed in three rounds.
	for range 3 {
		var x, exposure shape
		for k, first := range g.levels {
			last := until
			if k+1 < len(g.levels) {
				last = g.levels[k+1]
			}
			level := g.meanLevel(&u.shape, max(first, from), last)
			for i := max(first, from); i < last; i++ {
				if h := &g.hours[i]; !h.masked {
					x[h.cell] += min(h.clipped, most[h.cell])
					exposure[h.cell] += level
				}
			}
		}
		u.shape = countShape(&x, &exposure)
	}
	var seen, usually, weights float64
	for i := g.since(from); i < until; i++ {
		if h := &g.hours[i]; !h.masked {
			w := recency(until-i, 10)
			seen += w * h.clipped
			usually += w * u.shape[h.cell]
			weights += w * w
		}
	}
	if g.back > 0 { // counts as much as a day
		w := recency(until-g.level, 10) * dayHours
		seen += w * g.back
		usually += w
	}
	u.level = seen / max(usually, 1e-9)
	// The error of the level, by chance and by days that differ by a tenth.
	u.unsure = 1/(seen+1) + 0.01*dayHours*weights/max(usually*usually, 1)
}

// onceMore limits how many calls one week may contribute to each hour of the week: twice as
// many as any other week had, plus some. A single peak, before there was a usual to limit it
// by, would otherwise be missed every week.
func (g *grid) onceMore(from, until int) (most shape) {
	var first, second shape
	var weeks [weekHours]int
	for i := from; i < until; i++ {
		h := &g.hours[i]
		if h.masked {
			continue
		}
		weeks[h.cell]++
		switch x := h.x; {
		case x > first[h.cell]:
			first[h.cell], second[h.cell] = x, first[h.cell]
		case x > second[h.cell]:
			second[h.cell] = x
		}
	}
	for c := range most {
		if most[c] = math.Inf(1); weeks[c] > 1 {
			most[c] = 2*second[c] + 10
		}
	}
	return most
}

// meanLevel returns the level of a stretch, given the shape.
func (g *grid) meanLevel(s *shape, from, until int) float64 {
	var x, e float64
	for i := from; i < until; i++ {
		if h := &g.hours[i]; !h.masked {
			x += h.clipped
			e += s[h.cell]
		}
	}
	return x / max(e, 1e-9)
}

// halfLife returns the half-life of the level in days: a week if a week has enough data.
func (g *grid) halfLife(until int) float64 {
	var of float64
	for i := max(until-weekHours, 0); i < until; i++ {
		of += g.hours[i].of
	}
	return min(max(7*500/max(of, 1), 7), 28)
}

func (g *grid) learnRate(u *usual, from, until int) {
	var dev, of shape
	var hits, n float64
	for i := from; i < until; i++ {
		if h := &g.hours[i]; !h.masked {
			hits += h.clipped
			n += h.of
		}
	}
	all := (hits + 0.5) / (n + 1)
	for i := from; i < until; i++ {
		if h := &g.hours[i]; !h.masked && h.of > 0 {
			dev[h.cell] += h.clipped - all*h.of
			of[h.cell] += h.of
		}
	}
	for c, off := range valueShape(&dev, &of, weeksOf(from, until)) {
		u.shape[c] = logit(min(max(all+off, all/4), 1-(1-all)/4)) - logit(all)
	}
	half := g.halfLife(until)
	var seen, weight shape // by hour of the week
	var total, count float64
	for i := g.since(from); i < until; i++ {
		if h := &g.hours[i]; !h.masked && h.of > 0 {
			w := recency(until-i, half)
			seen[h.cell] += w * h.clipped
			weight[h.cell] += w * h.of
			total += w * h.clipped
			count += w * h.of
		}
	}
	// The prior is half a hit, at the share found in what these weights leave out. Counting
	// their own data again would make the share seem lower and more certain than a few hits can
	// show.
	prior := 0.5 * (n - count + 1) / (hits - total + 0.5)
	total, count = total+0.5, count+prior
	u.level = logit(min(max(total/count, 1e-6), 1-1e-6))
	for range 2 {
		expected := prior * expit(u.level)
		for c, w := range weight {
			expected += w * expit(u.level+u.shape[c])
		}
		u.level += math.Log(total / expected)
	}
	u.level = min(max(u.level, -14), 14)
	p := expit(u.level)
	u.unsure = 1 / max(count*p*(1-p), 0.5)
}

func (g *grid) learnMean(u *usual, from, until int) {
	var sum, n, squares float64
	for i := from; i < until; i++ {
		h := &g.hours[i]
		if h.masked || h.of == 0 {
			continue
		}
		sum += h.clipped
		n += h.of
		squares += h.point.Squares
	}
	mean := sum / max(n, 1)
	u.deviation = max(math.Sqrt(max(squares-n*mean*mean, 0)/max(n-1, 1)), math.Abs(mean)*1e-3, 1e-9)
	var dev, of shape
	for i := from; i < until; i++ {
		if h := &g.hours[i]; !h.masked && h.of > 0 {
			dev[h.cell] += h.clipped - mean*h.of
			of[h.cell] += h.of
		}
	}
	u.shape = valueShape(&dev, &of, weeksOf(from, until))
	half := g.halfLife(until)
	var seen, weights float64
	for i := g.since(from); i < until; i++ {
		if h := &g.hours[i]; !h.masked && h.of > 0 {
			w := recency(until-i, half)
			seen += w * (h.clipped - h.of*u.shape[h.cell])
			weights += w * h.of
		}
	}
	u.level = (seen + 2*mean) / (weights + 2)
	u.unsure = 1 / (weights + 2)
}

// learnQuantile learns the logarithm of the quantile, and the share of values above the
// resulting thresholds, which is about 1 − Q, but not exactly.
func (g *grid) learnQuantile(u *usual, from, until int) bool {
	var all []weighted
	for i := from; i < until; i++ {
		if h := &g.hours[i]; !h.masked && h.has {
			all = append(all, weighted{h.value, h.of})
		}
	}
	if len(all) == 0 {
		return false
	}
	middle := weightedMedian(all)
	for i := range all {
		all[i].v = math.Abs(all[i].v - middle)
	}
	reach := 4*weightedMedian(all) + 0.02
	days := g.middles(from, until, middle)
	var dev, of shape
	for i := from; i < until; i++ {
		if h := &g.hours[i]; !h.masked && h.has {
			day := days[h.cell/dayHours]
			dev[h.cell] += (day - middle + min(max(h.value-day, -reach), reach)) * h.of
			of[h.cell] += h.of
		}
	}
	u.shape = valueShape(&dev, &of, weeksOf(from, until))
	half := g.halfLife(until)
	all = all[:0]
	var weights float64
	for i := g.since(from); i < until; i++ {
		if h := &g.hours[i]; !h.masked && h.has {
			w := recency(until-i, half) * h.of
			all = append(all, weighted{h.value - u.shape[h.cell], w})
			weights += w
		}
	}
	if len(all) == 0 {
		return false
	}
	u.level = weightedMedian(all)
	u.share = g.shareAbove(u, max(g.since(from), until-3*weekHours), until, half)
	u.unsure = 1 / (weights*u.share*(1-u.share) + 1)
	u.curve = g.spreadOut(until)
	return true
}

// middles returns the medians of the days of the week, by which outlying hours are limited;
// middle for days without calls.
func (g *grid) middles(from, until int, middle float64) (out [7]float64) {
	var days [7][]weighted
	for i := from; i < until; i++ {
		if h := &g.hours[i]; !h.masked && h.has {
			d := h.cell / dayHours
			days[d] = append(days[d], weighted{h.value, h.of})
		}
	}
	for d, all := range days {
		if out[d] = middle; len(all) > 0 {
			out[d] = weightedMedian(all)
		}
	}
	return out
}

// expect sets what is expected of an hour.
func (u *usual) expect(h *hour) {
	h.known = true
	switch u.m.Kind {
	case trend.Count:
		h.e = u.level * u.shape[h.cell]
		h.b, h.scale, h.expected, h.level = max(h.e, 1e-6), h.e, h.e, u.level
	case trend.Rate:
		p := expit(u.level + u.shape[h.cell])
		h.e, h.b, h.scale, h.expected = h.of*p, h.of*p*(1-p), h.of*p*(1-p), p
	case trend.Mean:
		mu := u.level + u.shape[h.cell]
		h.e, h.b, h.scale, h.expected = h.of*mu, h.of*u.deviation*u.deviation, h.of*u.deviation, mu
	case trend.Quantile:
		h.expected = math.Exp(u.level + u.shape[h.cell])
		h.above(h.expected)
		h.shareAbove, h.curve, h.level = u.share, u.curve, u.level
		h.e, h.b, h.scale = h.of*u.share, h.of*u.share*(1-u.share), h.of*u.share*(1-u.share)
	}
}

// shareAbove returns the share of values above the thresholds of their hours.
func (g *grid) shareAbove(u *usual, from, until int, half float64) float64 {
	var k, n float64
	for i := from; i < until; i++ {
		h := &g.hours[i]
		if h.masked || !h.has {
			continue
		}
		w := recency(until-i, half)
		share := h.point.Sketch.Above(math.Exp(u.level+u.shape[h.cell])) / float64(h.point.Sketch.Count())
		k += w * share * h.of
		n += w * h.of
	}
	return (k + 1 - g.m.Q) / (n + 1)
}

// spreadOut returns the distribution of the last week's values, going back further if there
// are few.
func (g *grid) spreadOut(until int) *curve {
	var all sketch.Sketch
	for i := until - 1; i >= max(until-historyHours, 0) && (i >= until-weekHours || all.Count() < 100); i-- {
		if h := &g.hours[i]; !h.masked {
			_ = all.Merge(h.point.Sketch)
		}
	}
	l := logit(min(max(g.m.Q, 0.001), 0.999))
	low, _ := all.Quantile(expit(l - 0.7))
	high, _ := all.Quantile(expit(l + 0.7))
	return curveOf(&all, max(math.Log(max(high, sketch.Least)/max(low, sketch.Least))/1.4, leastSlope))
}
