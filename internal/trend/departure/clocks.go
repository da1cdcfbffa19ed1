package departure

import (
	"math"
	"time"

	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/chance"
)

// Many countries change their clocks. The whole week of a series then moves by an hour if its
// callers live by other clocks than its zone. No calls are missing: what would be reported in
// the first busy hours of each day for a week is recognised as such a move.
const (
	// clocksFor is how many hours after a change of clocks a move of the week is looked for.
	clocksFor = weekHours
	// clocksMoved is the log odds at which the week has moved, clocksMaybe those at which it may
	// have; clocksHour limits what one hour adds, so that none decides alone.
	clocksMoved, clocksMaybe, clocksHour = 6, 2, 4
	// clocksSize is how much hours vary without cause, as the size of a negative binomial; clocksDay
	// is the factor by which a whole day may vary; and clocksLeast is the least number of calls
	// expected in an hour.
	clocksSize, clocksDay, clocksLeast = 20, 1.6, 0.05
	// clocksLikely is the least probability of the calls that arrived if the week has moved.
	clocksLikely = 1e-4
)

// change is a rule by which clocks change: on the first, second or last (0) Sunday of a month,
// the given number of hours (UTC) after its beginning.
type change struct {
	month  time.Month
	sunday int
	hours  int
}

// changes returns the rules of Europe, North America, Chile, Australia and New Zealand.
func changes() []change {
	return []change{
		{time.March, 2, 6}, {time.March, 0, 1}, {time.April, 1, -9}, {time.September, 1, 4},
		{time.September, 0, -10}, {time.October, 1, -8}, {time.October, 0, 1}, {time.November, 1, 6},
	}
}

// in returns when clocks change in a year.
func (c change) in(year int) time.Time {
	day := time.Date(year, c.month, 7*c.sunday, 0, 0, 0, 0, time.UTC)
	if c.sunday == 0 {
		day = time.Date(year, c.month+1, 0, 0, 0, 0, 0, time.UTC)
	}
	return day.AddDate(0, 0, -int(day.Weekday())).Add(time.Duration(c.hours) * time.Hour)
}

// changed returns for each hour of the grid the hour of the last change of clocks, −1 if that is
// more than clocksFor ago.
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

// clocks is what is known about the callers' clocks.
type clocks struct {
	// since is the result of grid.changed.
	since []int
	// first is the hour of the change that moved refers to, moved by how many hours the week has
	// moved since.
	first, moved int
}

// at switches to the change that applies at hour i; ok is false if there is none.
func (c *clocks) at(i int) (ok bool) {
	if c.since[i] < 0 {
		return false
	}
	if c.first != c.since[i] {
		c.first, c.moved = c.since[i], 0
	}
	return true
}

// clocksOdds returns the log odds that the week has moved by the given hours from the change up
// to hour i. Whole days may be busier or quieter without cause, so each is judged only by the
// distribution of its calls.
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

// count returns the usual number of calls in an hour of the week, which may lie outside 0 to
// 167.
func (u *usual) count(cell int) float64 {
	return u.level * u.shape[(cell+weekHours)%weekHours]
}

// likely returns the logarithm of the probability of x calls where e are expected, up to a term
// that depends on x only.
func likely(x, e float64) float64 {
	e = max(e, clocksLeast)
	return x*math.Log(e/(e+clocksSize)) + clocksSize*math.Log(clocksSize/(e+clocksSize))
}

// moveClocks moves the week from the last change of clocks on if, by hour i, it has certainly
// moved, and reports whether it did.
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

// within reports whether clocks can be off by that much: an hour either way.
func within(moved int) bool { return moved >= -1 && moved <= 1 }

// mayBeClocks reports whether a departure in the hours from first to i may be due to a change of
// clocks; the next busy hour will tell.
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
