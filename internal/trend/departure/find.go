package departure

import (
	"math"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/chance"
)

// Find compares every hour of the window with what the hours before it lead to
// expect, and finds the stretches of time that depart from that. It only looks
// back: what it says about an hour does not change with later hours, except the
// end of an open incident.
//
// It takes about 50 µs per day of history and window.
func Find(s Series, w Window) Report {
	r := Report{Metric: s.Metric, Reason: "there are less than two weeks of history"}
	looks := float64(w.Looks)
	if w.Looks <= 0 {
		looks = 100
	}
	// Find learns from eight weeks of history, and needs those before to know what
	// was usual then.
	points := s.Points
	if i, _ := slices.BinarySearchFunc(points, w.From.Add(-2*historyHours*time.Hour), func(p trend.Point, t time.Time) int { return p.At.Compare(t) }); i > 0 {
		points = points[i:]
	}
	s.Points = points
	g := newGrid(s, w.Until)
	if len(g.hours) >= alarmHours {
		r.Enough, r.Reason = true, ""
	}
	r.grid = g
	sc := scanner{g: g, looks: looks}
	if len(g.hours) > 0 {
		sc.scan()
		for _, x := range sc.drift() {
			r.Incidents = append(r.Incidents, sc.describeDrift(x))
		}
	}
	for _, x := range sc.past {
		r.Incidents = append(r.Incidents, sc.describe(x))
	}
	r.Incidents = slices.DeleteFunc(merge(r.Incidents), func(in Incident) bool {
		return !in.End.After(w.From) || s.Metric.Quiet && !in.Bad
	})
	r.Hours = g.report(s.Metric, w)
	return r
}

// report returns the hours of the window.
func (g *grid) report(m trend.Metric, w Window) []Expected {
	var out []Expected
	z := chance.NormalQuantile((1 + trend.Confidence) / 2)
	for t := w.From; t.Before(w.Until); t = t.Add(time.Hour) {
		e := Expected{At: t}
		if i := int(t.Sub(g.start) / time.Hour); len(g.hours) > 0 && !t.Before(g.start) && i < len(g.hours) {
			h := &g.hours[i]
			e.N = h.point.N
			e.Seen, _ = m.Value(h.point)
			e.Known, e.Expected = h.known, h.expected
			e.Low, e.High = h.band(m, z)
		}
		out = append(out, e)
	}
	return out
}

// band returns the band that holds 19 of 20 quiet hours with as many calls.
func (h *hour) band(m trend.Metric, z float64) (low, high float64) {
	if !h.known {
		return 0, 0
	}
	half := z * h.sd
	switch m.Kind {
	case trend.Count:
		return max(h.e-half, 0), h.e + half
	case trend.Rate:
		if h.of == 0 {
			return 0, 1
		}
		w := trend.Wilson(h.e, h.of, half/math.Sqrt(max(h.b, 1e-9)))
		return w.Low, w.High
	case trend.Mean:
		if h.of == 0 {
			return h.expected, h.expected
		}
		return meanBand(m, h.expected, half/h.of)
	default:
		// A change of the share moves the quantile according to the distribution of the
		// values.
		below, beyond := h.curve.around(h.logit(), half/max(h.of, 1)/max(h.shareAbove*(1-h.shareAbove), 0.01))
		plain := math.Exp(h.level) // what the hour of the week seems to add is uncertain
		return min(h.expected, plain) * below, max(h.expected, plain) * beyond
	}
}

// meanBand returns expected ± half, within the range of values.
func meanBand(m trend.Metric, expected, half float64) (low, high float64) {
	low, high = expected-half, expected+half
	if m.Low < m.High {
		low, high = max(low, m.Low), min(high, m.High)
	}
	return low, high
}

// describe turns a departure into an Incident.
func (s *scanner) describe(r departure) Incident {
	if r.silent != nil {
		return s.describeSilence(r)
	}
	g := s.g
	var a sums
	for i := r.start; i <= r.end; i++ {
		a.add(&g.hours[i])
	}
	in := s.incident(r)
	in.Seen, _ = g.figures(r.start, r.end, &a)
	in.N, in.Score = a.calls, (a.x-a.e)/max(math.Sqrt(a.variance(g.hours[r.end])), 1e-9)
	in.Low, in.Expected, in.High = g.bandOver(r.start, r.end, &a)
	peak, most := r.start, 0.0
	for i := r.start; i <= r.end; i++ {
		h := &g.hours[i]
		if d := (h.x - h.e) / h.sd * float64(r.sign); h.sd > 0 && d > most {
			peak, most = i, d
		}
	}
	h := &g.hours[peak]
	in.Peak, in.PeakExpected = g.at(peak), h.expected
	in.PeakSeen, _ = g.m.Value(h.point)
	if g.m.Kind == trend.Count && r.sign == trend.Down && a.x <= 0.5*a.e {
		in.Form = Outage
	}
	in.Severity = g.severity(in, a.e)
	if in.LikeDay = s.likeQuietDay(r); in.LikeDay != "" {
		in.Severity = Minor
	}
	return in
}

// incident sets what steps and drifts have in common.
func (s *scanner) incident(r departure) Incident {
	// The number of stretches in a week that could have shown it, over all series.
	tests := s.looks * weekHours * 3
	return Incident{
		Metric: s.g.m.Name, Form: Step, Sign: r.sign, Bad: r.sign == s.g.m.Worse,
		Start: s.g.at(r.start), End: s.g.at(r.end + 1), Told: s.g.at(r.told + 1), Open: !r.closed && !r.accepted,
		Sure: 1 - min(r.p*tests, 1),
	}
}

func (g *grid) at(i int) time.Time { return g.start.Add(time.Duration(i) * time.Hour) }

// part returns when part p of ten minutes begins.
func (g *grid) part(p int) time.Time { return g.start.Add(time.Duration(p) * time.Hour / perHour) }

func (g *grid) severity(in Incident, expected float64) Severity {
	by := math.Abs(in.Seen - in.Expected)
	least := max(g.m.Least, g.m.LeastRatio*math.Abs(in.Expected))
	switch {
	case in.Form == Outage && in.Seen <= 0.1*in.Expected && expected >= 20:
		return Critical
	case in.Form == Outage && in.Seen <= 0.25*in.Expected:
		return Major
	case g.m.Kind != trend.Count && by >= 4*least:
		return Critical
	case g.m.Kind != trend.Count && by >= 2*least:
		return Major
	default:
		return Minor
	}
}

func (s *scanner) describeDrift(x drifting) Incident {
	g := s.g
	in := s.incident(x.departure)
	in.Form = Drift
	in.Sure = 1 - min(x.p*s.looks*7, 1) // one test per day of the week
	in.Seen, in.Expected = x.ewma, x.ref
	if g.m.Kind == trend.Count || g.m.Kind == trend.Quantile {
		in.Seen, in.Expected = math.Exp(x.ewma), math.Exp(x.ref)
	}
	in.Score = x.size
	half := math.Abs(x.ewma-x.ref) / max(math.Abs(x.size), 1e-9) * chance.NormalQuantile((1+trend.Confidence)/2)
	in.Low, in.High = x.ref-half, x.ref+half
	if g.m.Kind == trend.Count || g.m.Kind == trend.Quantile {
		in.Low, in.High = math.Exp(in.Low), math.Exp(in.High)
	}
	for i := max(x.end-weekHours+1, 0); i <= x.end; i++ {
		in.N += g.hours[i].point.N
	}
	last := g.days[g.hours[x.end].day]
	in.Peak, in.PeakSeen, in.PeakExpected = g.at(last), in.Seen, in.Expected
	in.Severity = g.severity(in, 0)
	return in
}

// merge sorts incidents by their start and joins those that touch and have the
// same direction. A drift that contains a step, or the reverse, becomes one
// incident.
func merge(all []Incident) []Incident {
	slices.SortStableFunc(all, func(a, b Incident) int { return a.Start.Compare(b.Start) })
	var out []Incident
	for _, in := range all {
		k := len(out) - 1
		if k < 0 || out[k].Sign != in.Sign || in.Start.Sub(out[k].End) > nearby*time.Hour {
			out = append(out, in)
			continue
		}
		out[k] = join(out[k], in)
	}
	return out
}

func join(a, b Incident) Incident {
	out, other := a, b
	if b.Severity.Rank() > a.Severity.Rank() || b.Severity == a.Severity && math.Abs(b.Score) > math.Abs(a.Score) {
		out, other = b, a
	}
	out.Start = a.Start
	if other.End.After(out.End) {
		out.End = other.End
	}
	out.Open = a.Open || b.Open
	out.Sure = max(a.Sure, b.Sure)
	if a.LikeDay != b.LikeDay {
		out.LikeDay = ""
	}
	if other.Told.Before(out.Told) {
		out.Told = other.Told
	}
	return out
}
