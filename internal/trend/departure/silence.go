package departure

import (
	"math"
	"time"

	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/chance"
)

// perHour is the number of ten-minute parts in an hour.
const perHour = 6

// quiet is a stretch of ten-minute parts in which hardly anybody called. Parts are counted
// from the first hour on; end is the part after the last.
type quiet struct {
	first, end int
	x, e       float64
}

// leastSilent and leastKept define a silence: at least leastSilent calls were expected, and
// at most the share leastKept of them came.
const (
	leastSilent = 20
	leastKept   = 0.2
)

// silenceLengths returns the lengths of the stretches examined, in parts.
func silenceLengths() []int { return []int{3, 5, 8, 11} }

// course is the share of an hour's calls in each of its ten-minute parts, by kind of day
// (weekday, weekend) and hour of the day.
type course [2][dayHours][perHour]float64

// learnCourse learns the course from the hours before until: if calls are placed on the
// hour, or an office opens at half past, the other half of the hour is no silence.
func (g *grid) learnCourse(until int) (out course) {
	var x [2][dayHours][perHour]float64
	var n [2][dayHours]float64
	for i := max(until-historyHours, 0); i < until; i++ {
		h := &g.hours[i]
		if h.masked || !h.timed() {
			continue
		}
		k, at := weekend(h.cell), h.cell%dayHours
		for j, c := range h.point.Tens {
			x[k][at][j] += float64(c)
			n[k][at] += float64(c)
		}
	}
	for k := range out {
		for at := range out[k] {
			for j := range out[k][at] {
				out[k][at][j] = (x[k][at][j] + poolCalls/perHour) / (n[k][at] + poolCalls)
			}
		}
	}
	return out
}

// timed reports whether it is known when within the hour its calls came.
func (h *hour) timed() bool {
	var sum int64
	for _, c := range h.point.Tens {
		sum += c
	}
	return sum == h.point.N
}

// silence looks for a stretch that ends within hour i or at its end in which calls stayed
// away: an outage that does not coincide with the hours leaves each of them some calls.
func (s *scanner) silence(i int) *departure {
	if i+1 < alarmHours {
		return nil
	}
	var best *departure
	for end := i*perHour + 1; end <= (i+1)*perHour; end++ {
		for _, length := range silenceLengths() {
			q, a, ok := s.stretchOf(end-length, end)
			if !ok {
				break
			}
			if r := s.judgeSilence(i, q, &a); r != nil && (best == nil || r.p < best.p) {
				best = r
			}
		}
	}
	if best == nil || s.likeHoliday(i, best) {
		return nil
	}
	s.widen(best, i)
	return best
}

// stretchOf sums up the parts in [first, end).
func (s *scanner) stretchOf(first, end int) (q quiet, a sums, ok bool) {
	if first < max(s.floor*perHour, s.heard) {
		return q, a, false
	}
	q = quiet{first: first, end: end}
	for p := first; p < end; p++ {
		h := &s.g.hours[p/perHour]
		if !h.known || !h.timed() {
			return q, a, false
		}
		x, share := s.part(p)
		q.x, q.e = q.x+x, q.e+share*h.e
		a.x, a.e, a.b = q.x, q.e, a.b+share*h.b
		scale := share * h.scale
		a.s, a.s2 = a.s+scale, a.s2+scale*scale
	}
	return q, a, true
}

// part returns the calls in a part, and the expected share of its hour's calls.
func (s *scanner) part(p int) (x, share float64) {
	h := &s.g.hours[p/perHour]
	return float64(h.point.Tens[p%perHour]), s.course[weekend(h.cell)][h.cell%dayHours][p%perHour]
}

// judgeSilence is as strict as for a single hour. A silence that also occurred a week ago is
// normal for the series.
func (s *scanner) judgeSilence(i int, q quiet, a *sums) *departure {
	if q.e < leastSilent || q.x > leastKept*q.e {
		return nil
	}
	h := s.g.hours[i]
	// All parts of an hour vary together, so the sums of squares are those of whole hours.
	v := a.b + (h.spread+h.common)*a.s*a.s
	p := s.g.tail(a, v)
	if p > hiccup*falseAlarms/(s.looks*weekHours*3) || s.before(q) {
		return nil
	}
	return &departure{
		start: q.first / perHour, end: (q.end - 1) / perHour, told: i, sign: trend.Down, size: (a.x - a.e) / max(a.s, 1e-9),
		p: p, silent: &q,
	}
}

// before reports whether the same stretch was silent a week before.
func (s *scanner) before(q quiet) bool {
	var x float64
	for p := q.first - weekHours*perHour; p < q.end-weekHours*perHour; p++ {
		if p < 0 || !s.g.hours[p/perHour].timed() || s.g.hours[p/perHour].masked {
			return false
		}
		n, _ := s.part(p)
		x += n
	}
	return x <= 2*leastKept*q.e
}

// widen extends a silence to adjoining silent parts on both sides.
func (s *scanner) widen(r *departure, i int) {
	q := r.silent
	s.lengthen(r, i)
	for q.first > max(s.floor*perHour, s.heard) && s.silent(q.first-1) {
		q.first--
		s.take(q, q.first)
	}
	r.start = q.first / perHour
}

// lengthen extends it to later parts, up to the end of hour i.
func (s *scanner) lengthen(r *departure, i int) {
	q := r.silent
	for q.end < (i+1)*perHour && s.silent(q.end) {
		s.take(q, q.end)
		q.end++
	}
	r.end, r.closed = (q.end-1)/perHour, q.end < (i+1)*perHour
}

// prolong continues a silence that lasted to the end of the previous hour.
func (s *scanner) prolong(i int) {
	if len(s.past) == 0 || s.heard != i*perHour {
		return
	}
	if r := &s.past[len(s.past)-1]; r.silent != nil && !r.closed {
		s.lengthen(r, i)
		s.hush(r)
	}
}

// silent reports whether hardly anybody called in a part.
func (s *scanner) silent(p int) bool {
	h := &s.g.hours[p/perHour]
	x, share := s.part(p)
	return h.known && h.timed() && share*h.e >= 1 && x <= leastKept*share*h.e
}

// take adds a part to a silence.
func (s *scanner) take(q *quiet, p int) {
	x, share := s.part(p)
	q.x, q.e = q.x+x, q.e+share*s.g.hours[p/perHour].e
}

// keep records a silence.
func (s *scanner) keep(r *departure) {
	s.past = append(s.past, *r)
	s.hush(r)
}

// hush excludes the hours of a silence from learning.
func (s *scanner) hush(r *departure) {
	s.heard = r.silent.end
	for j := r.start; j <= r.end; j++ {
		s.g.hours[j].masked = true
	}
}

// describeSilence turns a silence into an Incident with its exact ten-minute bounds.
func (s *scanner) describeSilence(r departure) Incident {
	g, q := s.g, r.silent
	in := s.incident(r)
	in.Form = Outage
	in.Start, in.End = g.part(q.first), g.part(q.end)
	in.Open = !r.closed && r.end == len(g.hours)-1
	in.Seen, in.Expected, in.N = q.x, q.e, int64(q.x)
	h := g.hours[r.end]
	v := math.Sqrt(q.e + (h.spread+h.common)*q.e*q.e)
	in.Score = (q.x - q.e) / v
	half := v * chance.NormalQuantile((1+trend.Confidence)/2)
	in.Low, in.High = max(q.e-half, 0), q.e+half
	in.Peak, in.PeakSeen, in.PeakExpected = in.Start.Truncate(time.Hour), q.x, q.e
	in.Severity = g.severity(in, q.e)
	return in
}
