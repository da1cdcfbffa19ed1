package departure

import (
	"math"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/chance"
)

// likeHoliday reports whether few calls may be due to one or two holidays: calls are only missing
// on days that resemble a quieter day of the week from their beginning.
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

// missing returns the hour from which on most of a stretch's missing calls are missing: a slightly
// quiet end of an evening means little.
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

// Holidays differ: one may have a third more or fewer calls than another (alikeDays is the size of
// a corresponding negative binomial), but a holiday's afternoon agrees with its morning within a
// fifth (alikeHours).
const alikeDays, alikeHours = 9, 25

// likeDay reports whether the hours from first to last, both before and after start, have as many
// calls as the given day of the week, and that day has at most the given part of what was expected.
// The hours before start tell how busy the holiday is: a busy morning after which calls vanish is
// none.
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

// A day resembles a quieter day of the week if it has between leastOfDay and mostOfDay times that
// day's calls, and at least leastOfHoliday: an outage from midnight on would have none. roughly is
// the size of a negative binomial by which either half of the day may be off. At most
// longestHoliday such days are called holidays, besides the two accepted by likeHoliday: calls that
// stay away for longer are reported as an outage.
const (
	longestHoliday        = 3
	leastOfDay, mostOfDay = 1. / 4, 3
	leastOfHoliday        = 10
	roughly               = 4
)

// likeQuietDay returns the day of the week that all days of a departure resemble, as far as they
// have come, so that it can be reported as a possible holiday. Days on which hardly any calls are
// missing, such as those on either side, do not matter.
func (s *scanner) likeQuietDay(r departure) string {
	if s.g.m.Kind != trend.Count || r.sign != trend.Down {
		return ""
	}
	days := s.daysMissed(r)
	if len(days) == 0 || len(days) > longestHoliday {
		return ""
	}
	for day := 6; day >= 0; day-- { // prefers Sunday to Saturday
		if !slices.ContainsFunc(days, func(d int) bool { return !s.roughlyDay(day, s.g.days[d], r.start, s.g.days[d+1]-1) }) {
			return time.Weekday((day + 1) % 7).String()
		}
	}
	return ""
}

// daysMissed returns the days that lack at least a tenth of the departure's missing calls, or half
// of their own.
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

// roughlyDay reports whether the hours from first to last, and both halves of the day, have roughly
// as many calls as the given, quieter day of the week. The hours before start, when calls began to
// stay away, count most: a morning as busy as usual is no holiday's.
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
