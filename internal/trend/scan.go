package trend

import "math"

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

// leastCalls is how many calls a figure must rest on to be told.
const leastCalls = 10

// hiccup is by how much less likely a departure must be that one hour alone makes;
// it must also glare.
const hiccup = 1e-3

// run is a departure that is being followed.
type run struct {
	start, end int // hours, end the last one that departs
	sign       Sign
	// size is the departure in units of scale.
	size float64
	// odds is the logarithm of the odds of the departure against the usual, most its maximum.
	odds, most float64
	told       int
	p          float64
	accepted   bool
	closed     bool
}

// scanner goes through a grid hour by hour.
type scanner struct {
	g     *grid
	looks float64
	now   usual
	spr   spreads
	open  *run
	runs  []run
	// floor is the first hour that a new departure may begin in.
	floor int
	// holidays is how many days in a row were taken for holidays.
	holidays int
	holiday  bool
}

// scan expects, watches and learns, day by day.
func (s *scanner) scan() {
	g := s.g
	for d := range len(g.days) - 1 {
		first, last := g.days[d], g.days[d+1]
		u, ok := g.learn(first)
		if !ok {
			continue
		}
		s.now, s.spr = u, g.spread(d)
		for i := first; i < last; i++ {
			h := &g.hours[i]
			u.expect(h)
			h.spread, h.common = s.spr.hour, s.spr.day+u.unsure
			h.sd = math.Sqrt(h.b + (h.spread+h.common)*h.scale*h.scale)
			h.cut()
			s.hour(i)
		}
		s.endDay(first, last)
	}
	if s.open != nil {
		s.runs = append(s.runs, *s.open)
	}
}

func (s *scanner) hour(i int) {
	if s.open != nil {
		s.follow(i)
		return
	}
	if i+1 < alarmHours {
		return
	}
	if r := s.find(i); r != nil {
		if s.likeHoliday(i, r) {
			s.holiday = true
			return
		}
		if s.holiday && r.sign == Up {
			return // a quieter day has its busy hours at other times
		}
		s.holiday = false
		s.open = r
		if r.closed {
			s.close(i)
		}
	}
}

// sums are what the hours of a stretch add up to.
type sums struct {
	x, e, b, of float64
	s, s2       float64 // scale and its square
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
	a.calls += h.point.N
	a.hours++
}

// variance is that of a stretch in quiet times, given what hours and days differ by.
func (a *sums) variance(v hour) float64 {
	days := max(float64(a.hours)/dayHours, 1)
	return a.b + v.spread*a.s2 + v.common*a.s*a.s/days
}

// find looks for a departure among the stretches that end with hour i.
func (s *scanner) find(i int) *run {
	g := s.g
	var a sums
	var best *run
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
			if g.m.Kind == Count {
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
func (s *scanner) judge(i, first int, a *sums) *run {
	g := s.g
	v := a.variance(g.hours[i])
	z := (a.x - a.e) / math.Sqrt(max(v, 1e-12))
	if math.Abs(z) < 3 && g.m.Kind != Rate || math.Abs(z) < 2.5 {
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
	return &run{start: first, end: i, sign: signOf(z), size: (a.x - a.e) / a.s, told: i, p: p}
}

// lasts tells whether a stretch still departs without the hour that departs most:
// one hour alone is a hiccup as often as not.
func (g *grid) lasts(first, last int, sign Sign) bool {
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

func signOf(v float64) Sign {
	if v > 0 {
		return Up
	}
	return Down
}

// tail is the chance that a quiet stretch departs as far as this one, to its side.
func (g *grid) tail(a *sums, v float64) float64 {
	var lower, upper float64
	switch g.m.Kind {
	case Count:
		size := math.Inf(1)
		if v > a.e*1.0000001 {
			size = a.e * a.e / (v - a.e)
		}
		lower, upper = negBinomialTail(math.Round(a.x), a.e, size)
	case Rate, Quantile:
		n, p := a.of, a.e/a.of
		m := math.Inf(1)
		if ratio := (v/(n*p*(1-p)) - 1) / max(n-1, 1e-9); n > 1 && ratio > 1e-9 {
			m = max(1/ratio-1, 0.5)
		}
		lower, upper = betaBinomialTail(a.x, n, p, m)
	default:
		t := (a.x - a.e) / math.Sqrt(v)
		lower, upper = studentTail(-t, 50), studentTail(t, 50)
	}
	if a.x > a.e {
		return upper
	}
	return lower
}

// matters tells whether a stretch departs by as much as is worth telling.
func (g *grid) matters(first, last int, a *sums, up bool) bool {
	if g.m.Kind != Count && a.calls < leastCalls {
		return false
	}
	seen, expected := g.figures(first, last, a)
	by := math.Abs(seen - expected)
	if g.m.Kind == Count {
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
	return g.m.Kind == Count || by >= 3*g.m.Least && by >= 3*g.m.LeastRatio*math.Abs(expected)
}

// figures are what a stretch shows and what it was expected to show, as the metric counts.
func (g *grid) figures(first, last int, a *sums) (seen, expected float64) {
	switch g.m.Kind {
	case Count:
		return a.x, a.e
	case Rate, Mean:
		return a.x / max(a.of, 1e-9), a.e / max(a.of, 1e-9)
	default:
	}
	var all Sketch
	var logs, n float64
	for i := first; i <= last; i++ {
		if h := &g.hours[i]; h.of > 0 {
			_ = all.Merge(h.point.Sketch)
			logs += h.of * math.Log(h.expected)
			n += h.of
		}
	}
	seen, _ = all.Quantile(g.m.Q)
	return seen, math.Exp(logs / max(n, 1e-9))
}

// gain is what an hour adds to the logarithm of the odds of a departure of the
// given size against none.
func (h *hour) gain(size float64) float64 {
	if h.scale == 0 {
		return 0
	}
	shift := size * h.scale
	return shift * (h.x - h.e - shift/2) / (h.sd * h.sd)
}

// place finds out where a departure that shows up in the stretch up to hour i
// began and how far it goes.
func (s *scanner) place(r *run, i int) {
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

// step takes one more hour into a departure.
func (r *run) step(h *hour, i int) {
	if h.scale == 0 {
		return
	}
	r.odds += h.gain(r.size)
	if r.odds >= r.most {
		r.most, r.end = r.odds, i
	}
	r.closed = r.most-r.odds > normalAgain
}

// follow goes on with an open departure.
func (s *scanner) follow(i int) {
	r, g := s.open, s.g
	r.step(&g.hours[i], i)
	if r.closed {
		s.close(i)
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
	if r.sign == g.m.Worse || g.m.Worse == Level {
		accept = acceptBad
	}
	if i-r.start+1 >= accept {
		r.accepted, r.end = true, i
		s.close(i)
		g.level = r.start
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
			s.g.hours[j].masked = true
		}
	}
	for j := r.start; r.accepted && j <= r.end; j++ {
		s.g.hours[j].masked, s.g.hours[j].astray = false, true
		s.g.hours[j].clipped = s.g.hours[j].x
	}
	s.runs = append(s.runs, r)
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

// likeHoliday tells whether few calls may come of one or two holidays: all that
// is missing is missing on days that have been like a quieter day of the week from
// their beginning.
func (s *scanner) likeHoliday(i int, r *run) bool {
	g := s.g
	if g.m.Kind != Count || r.sign != Down {
		return false
	}
	holidays := s.holidays
	for d := g.hours[s.missing(r.start, i)].day; d <= g.hours[i].day; d++ {
		first, last := g.days[d], min(g.days[d+1]-1, i)
		if g.weekday[d] >= 5 && s.likeDay(g.weekday[d], 1, first, first, last) {
			continue
		}
		like := false
		for day := 0; day < 7 && !like; day++ {
			like = s.likeDay(day, 0.8, first, max(r.start, first), last)
		}
		if holidays++; !like || holidays > 2 {
			return false
		}
	}
	return true
}

// missing is the hour from which nearly all the calls are missing that are missing
// in a stretch: that the last hours of an evening were quieter says little.
func (s *scanner) missing(first, last int) int {
	var all, some float64
	for j := first; j <= last; j++ {
		all += s.g.hours[j].e - s.g.hours[j].x
	}
	for j := first; j <= last; j++ {
		if some += s.g.hours[j].e - s.g.hours[j].x; some > 0.25*all {
			return j
		}
	}
	return last
}

// Holidays are not all alike: one brings a third more or less than another
// (alikeDays is the size of a negative binomial that says so), but its afternoon
// follows its morning within a fifth (alikeHours).
const alikeDays, alikeHours = 9, 25

// likeDay tells whether the hours from first, before and after start, are as many
// calls as the given day of the week brings, and that day brings at most the given
// part of what was expected. How busy a holiday it is, the hours before start
// tell: a morning that was busy and calls that vanish then are none.
func (s *scanner) likeDay(day int, part float64, first, start, last int) bool {
	var x, e, usually [2]float64
	for j := first; j <= last; j++ {
		h, k := &s.g.hours[j], 0
		if j >= start {
			k = 1
		}
		x[k] += h.x
		e[k] += s.now.level * s.now.shape[day*dayHours+h.cell%dayHours]
		usually[k] += h.e
	}
	if e[0]+e[1] > 1.0001*part*(usually[0]+usually[1]) {
		return false
	}
	e[1] *= (x[0] + alikeDays) / (e[0] + alikeDays)
	size := [2]float64{alikeDays, max(alikeDays, 1/(1/float64(alikeHours)+1/(x[0]+alikeDays)))}
	for k := range x {
		lower, upper := negBinomialTail(math.Round(x[k]), max(e[k], 1e-6), size[k])
		if lower < 0.002 || upper < 0.002 && usually[k] > 10 {
			return false
		}
	}
	return true
}
