package bucket

import "time"

// ZoneDays adds up the days of a zone, one after the other, from the stored days of UTC and the
// hours between the zone's midnights and UTC's. A day with an offset of two hours then costs five
// additions instead of 24.
type ZoneDays struct {
	Gathering
	rows  map[int]Roll
	weeks map[int]splitWeek
	// begin is the rim at the beginning of the next day, spare one to be reused for its end.
	begin, spare *rim
}

// splitWeek is a week separated into its parts.
type splitWeek struct {
	ShortWeek
	days [DaysPerWeek][]byte
}

// rim holds the calls between a time and the nearest midnight (UTC).
type rim struct {
	Gathering
	// day begins at that midnight; behind means that the time is after it.
	day    int
	behind bool
}

// NewZoneDays begins at begin; rows and weeks are those of all days of UTC that overlap the days to
// come.
func NewZoneDays(rows []Roll, weeks []Week, begin time.Time) (*ZoneDays, error) {
	z := &ZoneDays{
		Gathering: Gathering{depth: WithSpreads}, rows: make(map[int]Roll, len(rows)), weeks: make(map[int]splitWeek, len(weeks)),
		begin: &rim{Gathering: Gathering{depth: WithSpreads}}, spare: &rim{Gathering: Gathering{depth: WithSpreads}},
	}
	for _, r := range rows {
		z.rows[r.Day] = r
	}
	for i := range weeks {
		whole, err := OpenWeek(weeks[i].Whole)
		if err != nil {
			return nil, err
		}
		days, err := weeks[i].days()
		if err != nil {
			return nil, err
		}
		z.weeks[weeks[i].Week] = splitWeek{whole, days}
	}
	return z, z.fill(z.begin, begin)
}

// fill makes to the rim of a time.
func (z *ZoneDays) fill(to *rim, at time.Time) error {
	to.reset()
	day := DayOf(at)
	row, start, end := z.rows[day], DayStart(day), DayStart(day+1)
	if to.behind = at.Sub(start) <= end.Sub(at); to.behind {
		to.day = day
		return to.Hours(&row, start, at)
	}
	to.day = day + 1
	return to.Hours(&row, at, end)
}

// Next adds up the day that ends at end. Subtractions come last, because only what was added can be
// subtracted.
func (z *ZoneDays) Next(end time.Time) error {
	from, until := z.begin, z.spare
	if err := z.fill(until, end); err != nil {
		return err
	}
	z.begin, z.spare = until, from
	for day := from.day; day < until.day; day++ {
		if err := z.whole(day); err != nil {
			return err
		}
	}
	var less []*rim
	for _, r := range []*rim{from, until} {
		if r.behind != (r == until) {
			less = append(less, r)
			continue
		}
		if err := z.Plus(&r.Sums); err != nil {
			return err
		}
	}
	for _, r := range less {
		if err := z.minus(&r.Sums); err != nil {
			return err
		}
	}
	return nil
}

// whole adds a day of UTC.
func (z *ZoneDays) whole(day int) error {
	week, at := z.weeks[WeekOf(day)], DayOfWeek(day)
	s, err := week.Day(at)
	if err != nil {
		return err
	}
	z.Add(&s.Counts)
	return z.shape(week.days[at])
}
