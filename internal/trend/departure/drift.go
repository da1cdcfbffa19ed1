package departure

import (
	"math"

	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/chance"
	"github.com/ringtrue/ringtrue/internal/trend/sketch"
)

const (
	// driftWeight is the weight of the newest day in the moving average (EWMA).
	driftWeight = 0.2
	// driftNear and driftFar are the ages in days between which the reference days of a drift lie.
	driftNear, driftFar = 15, 50
	// driftLately is how many of the latest days the moving average is mostly based on.
	driftLately = 9
	// driftDays is the least number of reference days with calls.
	driftDays = 14
	// fewerCalls is the least drift downwards in calls that is reported, as a share.
	fewerCalls = 0.25
)

// dayFigure is a day's value on a scale on which drift is additive: logarithms of counts and
// quantiles, and plain shares and means.
type dayFigure struct {
	v, n float64
	// chance is three standard deviations of a share or a mean by chance alone.
	chance float64
	has    bool
}

// drifting is a drift that is being followed.
type drifting struct {
	departure
	ref, ewma float64
}

// drift compares each day with those two to seven weeks before it.
func (s *scanner) drift() []drifting {
	g := s.g
	var out []drifting
	var open *drifting
	days := make([]dayFigure, len(g.days)-1)
	level := 0
	for d := range days {
		days[d] = g.dayFigure(d)
		// A sudden change of level is no drift, so days before it are no reference.
		for _, l := range g.levels {
			if l <= g.days[d] {
				level = max(level, g.hours[l].day)
			}
		}
		if g.days[d+1] < alarmHours+weekHours {
			continue
		}
		t, ref, ewma, ok := driftScore(days[:d+1], g.weekday, level)
		if !ok {
			open = s.endDrift(&out, open, d)
			continue
		}
		p := chance.StudentTail(math.Abs(t), 12)
		p = max(p, g.hitsByChance(days[max(d-driftFar, level, 0):d+1], ewma > ref))
		sign := signOf(ewma - ref)
		switch {
		case open != nil && (sign != open.sign || !g.driftMatters(ref, ewma, 0.6)):
			open = s.endDrift(&out, open, d)
		case open != nil:
			open.end = g.days[d+1] - 1
			if p < open.p {
				open.p = p
			}
			if math.Abs(t) > math.Abs(open.size) {
				open.size, open.ref, open.ewma = t, ref, ewma
			}
		case p < falseAlarms/(s.looks*7) && g.driftMatters(ref, ewma, 1):
			open = &drifting{ref: ref, ewma: ewma}
			open.departure = departure{sign: sign, size: t, p: p, told: g.days[d+1] - 1, end: g.days[d+1] - 1}
			open.start = g.days[driftStart(days[:d+1], ref, ewma)]
		}
	}
	if open != nil {
		out = append(out, *open)
	}
	return out
}

func (s *scanner) endDrift(out *[]drifting, open *drifting, d int) *drifting {
	if open == nil {
		return nil
	}
	open.closed, open.end = true, s.g.days[d]-1
	*out = append(*out, *open)
	return nil
}

// dayFigure summarises the hours of a day that are not masked.
func (g *grid) dayFigure(d int) (f dayFigure) {
	var x, usually, of, variance float64
	var all sketch.Sketch
	for i := g.days[d]; i < g.days[d+1]; i++ {
		h := &g.hours[i]
		if h.masked || !h.known {
			continue
		}
		switch g.m.Kind {
		case trend.Quantile:
			_ = all.Merge(h.point.Sketch)
		case trend.Count:
			usually += h.expected / max(h.level, 1e-9)
		default:
		}
		x += h.x
		of += h.of
		variance += h.b
	}
	switch g.m.Kind {
	case trend.Count:
		f = dayFigure{v: math.Log((x + 0.5) / max(usually, 1e-9)), n: x + 0.5, has: of >= 12 && usually > 0}
	case trend.Quantile:
		v, ok := all.Quantile(g.m.Q)
		f = dayFigure{v: math.Log(max(v, sketch.Least)), n: of, has: ok}
	default:
		f = dayFigure{v: x / max(of, 1e-9), n: of, chance: 3 * math.Sqrt(variance) / max(of, 1e-9), has: of > 0}
	}
	return f
}

// driftScore compares the moving average up to the last day with the days two to seven weeks back,
// and returns their distance t in standard errors.
func driftScore(days []dayFigure, weekday []int, level int) (t, ref, ewma float64, ok bool) {
	now := len(days) - 1
	from, until := max(now-driftFar, level, 0), now-driftNear
	var middle float64
	for _, f := range days[from:] {
		middle += f.n
	}
	middle /= float64(len(days) - from)
	weight := func(f dayFigure) float64 { return f.n / (f.n + middle) }
	var old []int
	for d := from; d <= until; d++ {
		if days[d].has {
			old = append(old, d)
		}
	}
	if len(old) < driftDays || !days[now].has && !days[max(now-1, 0)].has {
		return 0, 0, 0, false
	}
	ref, week := weekOf(days, weekday, old, weight)
	var near neighbours
	var sum, weights, squaredWeights float64
	for d := from; d <= now; d++ {
		if !days[d].has {
			continue
		}
		r, w := days[d].v-ref-week[weekday[d]], weight(days[d])
		near.add(r, w, d <= until)
		k := math.Pow(1-driftWeight, float64(now-d)) * w
		sum += k * r
		weights += k
		squaredWeights += k * k / w
	}
	if near.pairs < driftDays || weights == 0 {
		return 0, 0, 0, false
	}
	noise := near.noise()
	se := math.Sqrt(noise*squaredWeights/(weights*weights) + noise*2/float64(len(old)))
	ewma = ref + sum/weights
	return (ewma - ref) / max(se, 1e-9), ref, ewma, true
}

// hitsByChance returns the probability that a share has as many hits as in the last days, or as
// few, judged by the days before: Student's test underestimates it for a few hits in a few calls.
// It is 0 for other metrics.
func (g *grid) hitsByChance(days []dayFigure, up bool) float64 {
	if g.m.Kind != trend.Rate {
		return 0
	}
	var now, before trend.Share
	for d, f := range days {
		hits, n := int64(math.Round(f.v*f.n)), int64(f.n)
		switch age := len(days) - 1 - d; {
		case age < driftLately:
			now.Hits, now.N = now.Hits+hits, now.N+n
		case age >= driftNear:
			before.Hits, before.N = before.Hits+hits, before.N+n
		}
	}
	teaching := float64(before.N + 1)
	lower, upper := chance.BetaBinomialTail(float64(now.Hits), float64(now.N), (float64(before.Hits)+0.5)/teaching, teaching)
	if up {
		return upper
	}
	return lower
}

// neighbours estimates noise from the differences between consecutive days, in which a drift hardly
// shows.
type neighbours struct {
	before, weight float64
	begun          bool
	squares, pairs float64
	// serial divided by own is the correlation of consecutive days.
	serial, own float64
}

// add adds a day's deviation from its level, with its weight; quiet says that the day is earlier
// than the drift looked for.
func (n *neighbours) add(beyond, weight float64, quiet bool) {
	if n.begun {
		both := weight * n.weight / (weight + n.weight)
		n.squares += both * (beyond - n.before) * (beyond - n.before)
		n.pairs++
		if quiet {
			n.serial += both * beyond * n.before
			n.own += both * (beyond*beyond + n.before*n.before) / 2
		}
	}
	n.before, n.weight, n.begun = beyond, weight, true
}

// noise returns the variance of a day of weight 1. It is inflated for correlated days, which say
// less.
func (n *neighbours) noise() float64 {
	alike := min(max(n.serial/max(n.own, 1e-12), 0.3), 0.8)
	return n.squares / n.pairs * (1 + alike) / (1 - alike)
}

// weekOf returns the level of the given days, and what each day of the week adds to it.
func weekOf(days []dayFigure, weekday, old []int, weight func(dayFigure) float64) (ref float64, week [7]float64) {
	var sum, weights float64
	all := make([]weighted, 0, len(old))
	for _, d := range old {
		all = append(all, weighted{days[d].v, weight(days[d])})
	}
	middle := weightedMedian(all)
	for i := range all {
		all[i].v = math.Abs(all[i].v - middle)
	}
	reach := 4*weightedMedian(all) + 1e-6
	// If most days have no hit, the median deviation is no measure, so what chance explains is not cut.
	cut := func(f dayFigure) float64 {
		return min(max(f.v, middle-max(reach, f.chance)), middle+max(reach, f.chance))
	}
	for _, d := range old {
		w := weight(days[d])
		sum += w * cut(days[d])
		weights += w
	}
	ref = sum / weights
	var dx, dw [7]float64
	for _, d := range old {
		w := weight(days[d])
		dx[weekday[d]] += w * (cut(days[d]) - ref)
		dw[weekday[d]] += w
	}
	for k := range week {
		week[k] = dx[k] / (dw[k] + 0.75)
	}
	return ref, week
}

// driftMatters reports whether a drift is large enough to be reported.
func (g *grid) driftMatters(ref, now, part float64) bool {
	switch g.m.Kind {
	case trend.Count:
		return now-ref < math.Log(1-fewerCalls*part)
	case trend.Quantile:
		was, is := math.Exp(ref), math.Exp(now)
		return math.Abs(is-was) >= part*g.m.Least && math.Abs(is-was) >= part*g.m.LeastRatio*was
	default:
		return math.Abs(now-ref) >= part*g.m.Least && math.Abs(now-ref) >= part*g.m.LeastRatio*math.Abs(ref)
	}
}

// driftStart returns the day on which a drift began: where the sum of the days' excess over a
// quarter of the drift's present size, counted back from today, is greatest.
func driftStart(days []dayFigure, ref, ewma float64) int {
	start := len(days) - 1
	var sum, most float64
	for d := len(days) - 1; d >= max(len(days)-driftFar, 0); d-- {
		if !days[d].has {
			continue
		}
		sum += (days[d].v - ref - (ewma-ref)/4) * float64(signOf(ewma-ref))
		if sum > most {
			most, start = sum, d
		}
	}
	return start
}
