package trend

import "math"

// likeHoliday tells whether few calls may come of one or two holidays: all that
// is missing is missing on days that have been like a quieter day of the week from
// their beginning.
func (s *scanner) likeHoliday(i int, r *departure) bool {
	g := s.g
	if g.m.Kind != Count || r.sign != Down {
		return false
	}
	holidays := s.holidays
	for d := g.hours[s.missing(r.start, i)].day; d <= g.hours[i].day; d++ {
		first, last := g.days[d], min(g.days[d+1]-1, i)
		if g.weekday[d] >= 5 && s.likeDay(g.weekday[d], 1, first, max(r.start, first), last) {
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
