package departure

import (
	"math"

	"github.com/ringtrue/ringtrue/internal/trend"
)

const (
	// alarmHours is the least history with which a departure is told.
	alarmHours = 2 * weekHours
	// acceptBad and acceptOther are how many hours a departure lasts before it is
	// taken for the new usual: a week to the worse side, three days otherwise.
	acceptBad, acceptOther = 7 * dayHours, 3 * dayHours
	// normalAgain is the logarithm of the odds at which a departure is over.
	normalAgain = 8
	// nearby is how many hours two departures may lie apart and be one.
	nearby = 3
	// falseAlarms is the chance that is accepted of telling anything in a quiet
	// week, in any of the series that are watched.
	falseAlarms = 0.005
)

// windowLengths are the stretches, in hours, that are looked at from each hour
// back. Those of more than a day are for series with few calls.
func windowLengths() []int { return []int{1, 2, 3, 4, 6, 8, 12, 24, 48, 72, 168} }

// manyCalls is the number of independent observations a day from which no stretch
// of more than a day is looked at: slow changes are drift's.
const manyCalls = 60

// hiccup is by how much less likely a departure must be that one hour alone makes;
// it must also glare.
const hiccup = 1e-3

// scanner goes through a grid hour by hour.
type scanner struct {
	g     *grid
	looks float64
	now   usual
	spr   spreads
	open  *departure
	past  []departure
	// course is how calls spread over the hours of this day; heard is the first part
	// of ten minutes behind the last silence.
	course   course
	heard    int
	clocks   clocks
	campaign campaign
	// floor is the first hour that a new departure may begin in.
	floor int
	// holidays is how many days in a row were taken for holidays.
	holidays int
	holiday  bool
}

// scan expects, watches and learns, day by day.
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

// expect fills in what is expected of an hour, and how far it may lie from that.
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

// explained tells whether there is another reason for a departure than that something has failed.
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

// look looks for a departure that ends with hour i, or for a silence: what hours show of a
// short outage, its ten minutes show exactly.
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

// judge tells whether a stretch departs enough to be told.
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

// place finds out where a departure that shows up in the stretch up to hour i
// began and how far it goes.
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

// follow goes on with an open departure.
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

// recurs learns from an hour that departs as those of the same hour of the two weeks
// before did, and from no such hour before them: what comes every week is no incident,
// and is never learned while it is taken for one.
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

// endDay leaves what belongs to no usual day out of what is learned.
func (s *scanner) endDay(first, last int) {
	mask := func(from, to int) {
		for i := from; i < to; i++ {
			s.g.hours[i].masked = true
		}
	}
	if s.open != nil {
		mask(max(s.open.start, 0), last)
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
