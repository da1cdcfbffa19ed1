package departure

import (
	"math"

	"github.com/ringtrue/ringtrue/internal/trend"
)

const (
	// alarmHours is the least history with which departures are reported.
	alarmHours = 2 * weekHours
	// acceptBad and acceptOther are how many hours a departure lasts before it becomes the new usual:
	// a week to the worse side, three days otherwise.
	acceptBad, acceptOther = 7 * dayHours, 3 * dayHours
	// normalAgain is the log odds at which a departure is over.
	normalAgain = 8
	// nearby is how many hours apart two departures may be and still count as one.
	nearby = 3
	// falseAlarms is the accepted probability of reporting anything in a quiet week, in any of the
	// watched series.
	falseAlarms = 0.005
)

// windowLengths returns the lengths in hours of the stretches that are examined back from
// each hour. The longest is only for series with few calls (manyCalls).
func windowLengths() []int { return []int{1, 2, 3, 4, 6, 8, 12, 24, 48, 72, 168} }

// manyCalls is the number of independent observations per day above which stretches of more than
// three days are not examined: slow changes are left to drift.
const manyCalls = 60

// hiccup is the factor by which a departure of a single hour must be less likely than others; it
// must also glare.
const hiccup = 1e-3

// scanner goes through a grid hour by hour.
type scanner struct {
	g     *grid
	looks float64
	now   usual
	spr   spreads
	open  *departure
	past  []departure
	// course is how calls are distributed within the hours of the current day; heard is the first
	// part of ten minutes after the last silence.
	course   course
	heard    int
	clocks   clocks
	campaign campaign
	// floor is the first hour in which a new departure may begin.
	floor int
	// holidays is how many days in a row were taken for holidays.
	holidays int
	holiday  bool
}

// scan goes through the days: it learns from those before, sets what is expected, and looks for
// departures.
func (s *scanner) scan() {
	g := s.g
	s.clocks.since = g.changed()
	for d := range len(g.days) - 1 {
		first, last := g.days[d], g.days[d+1]
		u, ok := g.learn(first)
		if !ok {
			continue
		}
		s.now, s.spr = u, g.spread(d)
		if g.m.Kind == trend.Count {
			s.course = g.learnCourse(first)
		}
		for i := first; i < last; i++ {
			s.expect(&g.hours[i])
			s.hour(i)
		}
		s.endDay(first, last)
		s.moveClocks(last - 1)
	}
	if s.open != nil {
		s.past = append(s.past, *s.open)
	}
}

// expect sets what is expected of an hour, and how far it may deviate.
func (s *scanner) expect(h *hour) {
	s.now.expect(h)
	h.spread, h.common = s.spr.hour, s.spr.day+s.now.unsure
	h.sd = math.Sqrt(h.b + (h.spread+h.common)*h.scale*h.scale)
	h.cut(s.g.m.Kind)
}

func (s *scanner) hour(i int) {
	if s.open != nil {
		s.follow(i)
		return
	}
	if i+1 < alarmHours {
		return
	}
	s.prolong(i)
	r, short := s.look(i)
	if (r != nil || short != nil) && s.moveClocks(i) {
		r, short = s.look(i)
	}
	switch {
	case short != nil:
		if !s.mayBeClocks(short.start, i) && !s.isBack(short.start, i) {
			s.keep(short)
		}
	case r != nil && !s.explained(r, i):
		s.holiday = false
		s.open = r
		if r.closed {
			s.close(i)
		}
	}
}

// explained reports whether a departure has another explanation than a fault.
func (s *scanner) explained(r *departure, i int) bool {
	switch {
	case s.mayBeClocks(r.start, i):
	case r.sign == trend.Down && s.isBack(r.start, i):
		s.goBack(r.start, i)
	case s.likeHoliday(i, r):
		s.holiday = true
	default:
		return s.holiday && r.sign == trend.Up // a quieter day has its busy hours at other times
	}
	return true
}

// look looks for a departure that ends with hour i, or for a silence: the ten-minute parts show a
// short outage more precisely than hours do.
func (s *scanner) look(i int) (r, short *departure) {
	r = s.find(i)
	if s.g.m.Kind == trend.Count && (r == nil || r.sign == trend.Down && i-r.start <= 1) {
		short = s.silence(i)
	}
	return r, short
}

// find looks for a departure among the stretches that end with hour i.
func (s *scanner) find(i int) *departure {
	g := s.g
	var a sums
	var best *departure
	next := i
	var day float64
	for _, length := range windowLengths() {
		first := i - length + 1
		if first < s.floor || length > 3*dayHours && day > manyCalls {
			break
		}
		for ; next >= first; next-- {
			if !g.hours[next].known {
				return best
			}
			a.add(&g.hours[next])
		}
		if length == dayHours {
			day = a.of
			if g.m.Kind == trend.Count {
				day = a.e
			}
		}
		if r := s.judge(i, first, &a); r != nil && (best == nil || r.p < best.p) {
			best = r
		}
	}
	if best != nil {
		s.place(best, i)
	}
	return best
}

// judge returns a departure if a stretch departs enough to be reported, nil otherwise.
func (s *scanner) judge(i, first int, a *sums) *departure {
	g := s.g
	v := a.variance(g.hours[i])
	z := (a.x - a.e) / math.Sqrt(max(v, 1e-12))
	if math.Abs(z) < 3 && g.m.Kind != trend.Rate || math.Abs(z) < 2.5 {
		return nil
	}
	p := g.tail(a, v)
	limit := falseAlarms / (s.looks * weekHours * 3)
	if p > limit || !g.matters(first, i, a, z > 0) {
		return nil
	}
	if !g.lasts(first, i, signOf(z)) && (p > limit*hiccup || !g.glares(first, i, a)) {
		return nil
	}
	return &departure{start: first, end: i, sign: signOf(z), size: (a.x - a.e) / a.s, told: i, p: p}
}

// place finds out where a departure found in the stretch up to hour i began, and where it ends.
func (s *scanner) place(r *departure, i int) {
	odds, most := 0.0, math.Inf(-1)
	start := r.start
	for j := i; j >= max(s.floor, i-weekHours); j-- {
		if !s.g.hours[j].known {
			break
		}
		if odds += s.g.hours[j].gain(r.size); odds > most && s.g.hours[j].scale > 0 {
			most, start = odds, j
		}
	}
	r.start, r.odds, r.most, r.end = start, 0, 0, start
	for j := start; j <= i; j++ {
		r.step(&s.g.hours[j], j)
	}
}

// follow continues an open departure with hour i.
func (s *scanner) follow(i int) {
	r, g := s.open, s.g
	r.step(&g.hours[i], i)
	if r.closed {
		s.close(i)
		return
	}
	if s.endOutage(i) {
		return
	}
	if (i-r.start)%6 == 0 {
		var a sums
		for j := r.start; j <= r.end; j++ {
			a.add(&g.hours[j])
		}
		if a.s > 0 && signOf(a.x-a.e) == r.sign {
			r.size = (a.x - a.e) / a.s
			if p := g.tail(&a, a.variance(g.hours[i])); p < r.p {
				r.p = p
			}
		}
	}
	accept := acceptOther
	if r.sign == g.m.Worse || g.m.Worse == trend.Level {
		accept = acceptBad
	}
	if i-r.start+1 >= accept && g.worth(r.start, i, accept) {
		r.accepted, r.end = true, i
		s.rises(r)
		s.close(i)
		g.level, g.back = r.start, 0
		g.levels = append(g.levels, r.start)
	}
}

// close ends the open departure.
func (s *scanner) close(i int) {
	r := *s.open
	s.open = nil
	s.floor = r.end + 1
	if r.accepted {
		s.floor = i + 1
	} else {
		for j := r.start; j <= r.end; j++ {
			s.g.hours[j].masked, s.g.hours[j].off = true, r.sign
			s.g.recurs(j)
		}
	}
	for j := r.start; r.accepted && j <= r.end; j++ {
		s.g.hours[j].masked, s.g.hours[j].astray = false, true
		s.g.hours[j].clipped = s.g.hours[j].x
	}
	s.past = append(s.past, r)
}

// recurs makes an hour and those of the two weeks before be learned from, if all three depart in
// the same direction. What happens every week is no incident, but would never be learned as long
// as it counts as one.
func (g *grid) recurs(i int) {
	sign := g.hours[i].off
	for _, j := range []int{i - weekHours, i - 2*weekHours} {
		if j < 0 || g.hours[j].off != sign {
			return
		}
	}
	for j := i; j >= 0; j -= weekHours {
		h := &g.hours[j]
		if h.masked = h.off != sign; !h.masked {
			h.astray, h.clipped = true, h.x
		}
	}
}

// endDay excludes from learning what does not belong to a usual day.
func (s *scanner) endDay(first, last int) {
	mask := func(from, to int) {
		for i := from; i < to; i++ {
			s.g.hours[i].masked = true
		}
	}
	if s.open != nil {
		mask(s.open.start, last)
	}
	switch {
	case s.holiday:
		mask(first, last)
		s.floor = last
		s.holidays++
	case s.g.weekday[s.g.hours[first].day] < 5:
		s.holidays = 0
	}
	s.holiday = false
}
