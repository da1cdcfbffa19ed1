package bucket

import "time"

// ZoneDays puts the days of a zone together one after the other: of days of UTC,
// which are kept as a whole, and of the hours by which the zone's beginnings lie
// beside UTC's. So a day two hours off costs five things to add and not 24.
type ZoneDays struct {
	Gathering
	rows  map[int]Roll
	weeks map[int]splitWeek
	// begin is the rim of the next day's beginning, spare one to be filled.
	begin, spare *rim
}

// splitWeek is a week taken apart.
type splitWeek struct {
	ShortWeek
	days [DaysPerWeek][]byte
}

// rim is what lies between a time and the midnight (UTC) that is nearest to it.
type rim struct {
	Gathering
	// day begins at that midnight; behind says that the time lies behind it.
	day    int
	behind bool
}

// NewZoneDays begins at begin with the rows and weeks of all days of UTC that are touched.
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

// fill makes the rim that of a time.
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

// Next adds up the day that ends then. What is to be taken off comes last.
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
