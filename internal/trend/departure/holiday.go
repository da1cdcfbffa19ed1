package departure

import (
	"math"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/chance"
)

// likeHoliday tells whether few calls may come of one or two holidays: all that
// is missing is missing on days that have been like a quieter day of the week from
// their beginning.
func (s *scanner) likeHoliday(i int, r *departure) bool {
	g := s.g
	if g.m.Kind != trend.Count || r.sign != trend.Down {
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
		lower, upper := chance.NegBinomialTail(math.Round(x[k]), max(e[k], 1e-6), size[k])
		if lower < 0.002 || upper < 0.002 && usually[k] > 10 {
			return false
		}
	}
	return true
}

// A day resembles a quieter day of the week where at least this part of that day's calls came,
// and at most that many times as many, and no fewer than some: of an outage from midnight on
// nothing would be left. roughly is the size of a negative binomial that says how far either
// half of the day may be off. Not more than three such days are told as holidays, beside the two that
// were taken for some (likeHoliday): calls that stay away for longer are told as what they are.
const (
	longestHoliday        = 3
	leastOfDay, mostOfDay = 1. / 4, 3
	leastOfHoliday        = 10
	roughly               = 4
)

// likeQuietDay names the day of the week that all days of a departure resemble, from their
// beginning to their end as far as they have come: a holiday is told as what it may be. Days
// of which hardly any calls are missing, as those on both sides of it, may be what they like.
func (s *scanner) likeQuietDay(r departure) string {
	if s.g.m.Kind != trend.Count || r.sign != trend.Down {
		return ""
	}
	days := s.daysMissed(r)
	if len(days) == 0 || len(days) > longestHoliday {
		return ""
	}
	for day := 6; day >= 0; day-- { // a Sunday rather than a Saturday
		if !slices.ContainsFunc(days, func(d int) bool { return !s.roughlyDay(day, s.g.days[d], r.start, s.g.days[d+1]-1) }) {
			return time.Weekday((day + 1) % 7).String()
		}
	}
	return ""
}

// daysMissed are the days of a departure that miss a tenth of its missing calls and more, or half of their own.
func (s *scanner) daysMissed(r departure) (days []int) {
	g := s.g
	missed := map[int]float64{}
	var all float64
	for j := r.start; j <= r.end; j++ {
		missed[g.hours[j].day] += g.hours[j].e - g.hours[j].x
		all += g.hours[j].e - g.hours[j].x
	}
	for d := g.hours[r.start].day; d <= g.hours[r.end].day; d++ {
		var own float64
		for j := g.days[d]; j < g.days[d+1]; j++ {
			own += g.hours[j].e
		}
		if missed[d] >= min(0.1*all, 0.5*own) {
			days = append(days, d)
		}
	}
	return days
}

// roughlyDay tells whether hours are roughly as many calls as the given day of the week
// brings, that is a quieter one, and both halves of them are. Those before start, when calls began to
// stay away, tell it best: a morning as busy as any other is no holiday's.
func (s *scanner) roughlyDay(day, first, start, last int) bool {
	var x, e [2]float64
	var usually float64
	var before struct{ x, e, usually float64 }
	for j := first; j <= last; j++ {
		h, half := &s.g.hours[j], 0
		if h.cell%dayHours >= dayHours/2 {
			half = 1
		}
		x[half] += h.x
		likeIt := h.level * s.now.shape[day*dayHours+h.cell%dayHours]
		e[half] += likeIt
		usually += h.e
		if j < start {
			before.x, before.e, before.usually = before.x+h.x, before.e+likeIt, before.usually+h.e
		}
	}
	of := (x[0] + x[1]) / max(e[0]+e[1], 1e-9)
	if e[0]+e[1] > 0.8*usually || x[0]+x[1] > 0.8*usually || x[0]+x[1] < leastOfHoliday || of < leastOfDay || of > mostOfDay {
		return false
	}
	if quiet := min(of, 1) * before.e; before.usually-quiet > leastOfHoliday && before.x > (before.usually+quiet)/2 {
		return false
	}
	for half := range x {
		if lower, upper := chance.NegBinomialTail(math.Round(x[half]), max(of*e[half], 1e-6), roughly); lower < 0.01 || upper < 0.01 {
			return false
		}
	}
	return true
}
