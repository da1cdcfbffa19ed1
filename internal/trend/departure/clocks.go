package departure

import (
	"math"
	"time"

	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/chance"
)

// Clocks are changed in many countries, and a series whose callers live by other clocks
// than its zone has its whole week moved by one hour then. Nobody stays away: what would
// be told of its first busy hours, every day of a week, is found out to be that.
const (
	// clocksFor is how many hours after such a day the week may be found to have moved.
	clocksFor = weekHours
	// clocksMoved is the logarithm of the odds at which it has, clocksMaybe that at which it
	// may have; clocksHour is the most that one hour adds: no hour decides it alone.
	clocksMoved, clocksMaybe, clocksHour = 6, 2, 4
	// clocksSize is how much hours differ without a cause, as the size of a negative binomial,
	// clocksDay between what parts of the usual a whole day may lie, and clocksLeast the
	// least that is expected of an hour.
	clocksSize, clocksDay, clocksLeast = 20, 1.6, 0.05
	// clocksLikely is the least chance that what came has where the week has moved.
	clocksLikely = 1e-4
)

// change is a rule by which clocks are changed: on the first, second or last (0) Sunday
// of a month, so many hours (UTC) from its beginning on.
type change struct {
	month  time.Month
	sunday int
	hours  int
}

// changes are the rules of Europe, North America, Chile, Australia and New Zealand.
func changes() []change {
	return []change{
		{time.March, 2, 6}, {time.March, 0, 1}, {time.April, 1, -9}, {time.September, 1, 4},
		{time.September, 0, -10}, {time.October, 1, -8}, {time.October, 0, 1}, {time.November, 1, 6},
	}
}

// in is when the rule changes clocks in a year.
func (c change) in(year int) time.Time {
	day := time.Date(year, c.month, 7*c.sunday, 0, 0, 0, 0, time.UTC)
	if c.sunday == 0 {
		day = time.Date(year, c.month+1, 0, 0, 0, 0, 0, time.UTC)
	}
	return day.AddDate(0, 0, -int(day.Weekday())).Add(time.Duration(c.hours) * time.Hour)
}

// changed tells for each hour of the grid since when (as an hour of it) clocks may have been
// changed, −1 where no change is as near as that.
func (g *grid) changed() []int {
	out := make([]int, len(g.hours))
	for i := range out {
		out[i] = -1
	}
	for year := g.start.Year(); year <= g.at(len(g.hours)).Year(); year++ {
		for _, c := range changes() {
			first := int(math.Ceil(c.in(year).Sub(g.start).Hours()))
			for i := max(first, 0); i < min(first+clocksFor, len(out)); i++ {
				out[i] = max(out[i], first)
			}
		}
	}
	return out
}

// clocks is what is known of the callers' clocks.
type clocks struct {
	// since are the hours of grid.changed.
	since []int
	// first is the change that moved speaks of: by how many hours the week has been moved since.
	first, moved int
}

// at takes up the change that holds at hour i; ok is false where there is none.
func (c *clocks) at(i int) (ok bool) {
	if c.since[i] < 0 {
		return false
	}
	if c.first != c.since[i] {
		c.first, c.moved = c.since[i], 0
	}
	return true
}

// clocksOdds is the logarithm of the odds that the week of the hours from the change up to
// hour i has moved by so many hours, against that it has not. Whole days are busier or
// quieter than usual without a cause, so each is judged by its course alone.
func (s *scanner) clocksOdds(i, by int) (odds float64) {
	for first := max(s.clocks.first, 0); first <= i; {
		last := min(s.g.days[s.g.hours[first].day+1]-1, i)
		odds += s.dayOdds(first, last, by)
		first = last + 1
	}
	return odds
}

func (s *scanner) dayOdds(first, last, by int) (odds float64) {
	var x, still, moved float64
	for j := first; j <= last; j++ {
		h := &s.g.hours[j]
		x += h.x
		still += s.now.count(h.cell)
		moved += s.now.count(h.cell + by)
	}
	part := func(e float64) float64 { return min(max(x/max(e, clocksLeast), 1/clocksDay), clocksDay) }
	still, moved = part(still), part(moved)
	for j := first; j <= last; j++ {
		h := &s.g.hours[j]
		if !h.known || h.masked {
			continue
		}
		gain := likely(h.x, moved*s.now.count(h.cell+by)) - likely(h.x, still*s.now.count(h.cell))
		odds += min(max(gain, -clocksHour), clocksHour)
	}
	return odds
}

// count is how many calls are usual in an hour of the week, or some hours beside it.
func (u *usual) count(cell int) float64 {
	return u.level * u.shape[(cell+weekHours)%weekHours]
}

// likely is the logarithm of the chance of x calls where e are expected, but for what
// depends on x alone.
func likely(x, e float64) float64 {
	e = max(e, clocksLeast)
	return x*math.Log(e/(e+clocksSize)) + clocksSize*math.Log(clocksSize/(e+clocksSize))
}

// moveClocks moves the week from the last change of clocks on where it is sure by hour i that it
// has moved, and says whether it did.
func (s *scanner) moveClocks(i int) bool {
	if s.g.m.Kind != trend.Count || !s.clocks.at(i) {
		return false
	}
	best, most := 0, float64(clocksMoved)
	for _, by := range []int{-1, 1} {
		if odds := s.clocksOdds(i, by); within(s.clocks.moved+by) && odds > most {
			best, most = by, odds
		}
	}
	if best == 0 {
		return false
	}
	s.clocks.moved += best
	for j := max(s.clocks.first, 0); j < len(s.g.hours); j++ {
		h := &s.g.hours[j]
		h.cell = (h.cell + best + weekHours) % weekHours
		if j <= i && h.known {
			s.expect(h)
		}
	}
	return true
}

// within reports whether clocks are moved by so much: an hour forth or back.
func within(moved int) bool { return moved >= -1 && moved <= 1 }

// mayBeClocks tells whether what departs in the hours from first to i may be no more than
// clocks that were changed: the next busy hour tells.
func (s *scanner) mayBeClocks(first, i int) bool {
	if s.g.m.Kind != trend.Count || !s.clocks.at(i) || first < s.clocks.first {
		return false
	}
	for _, by := range []int{-1, 1} {
		if !within(s.clocks.moved+by) || s.clocksOdds(i, by) < clocksMaybe {
			continue
		}
		var x, e float64
		for j := first; j <= i; j++ {
			x += s.g.hours[j].x
			e += s.now.count(s.g.hours[j].cell + by)
		}
		if lower, upper := chance.NegBinomialTail(x, max(e, clocksLeast), clocksSize); lower > clocksLikely && upper > clocksLikely {
			return true
		}
	}
	return false
}
