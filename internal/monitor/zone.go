package monitor

import (
	"context"
	"time"
)

// widen takes in the whole of the first and the last day.
func (p *span) widen() {
	p.from = firstHour(midnight(p.from, p.zone, 0))
	if end := firstHour(midnight(p.until, p.zone, 0)); end.Before(p.until) {
		p.until = nextDay(end, p.zone)
	}
}

// midnight is the beginning of the day that t lies in, or of a later one.
func midnight(t time.Time, zone *time.Location, later int) time.Time {
	y, m, d := t.In(zone).Date()
	return time.Date(y, m, d+later, 0, 0, 0, 0, zone)
}

// firstHour is the first whole hour (UTC) that begins at t or later: where a
// zone lies off by parts of an hour, an hour belongs to the day it begins in.
func firstHour(t time.Time) time.Time {
	if down := t.UTC().Truncate(time.Hour); !down.Before(t) {
		return down
	}
	return t.UTC().Truncate(time.Hour).Add(time.Hour)
}

// nextDay is the beginning of the day after the one that begins at begin. Some zones
// have left a day out: its midnight is that of the day before.
func nextDay(begin time.Time, zone *time.Location) time.Time {
	for later := 1; ; later++ {
		if end := firstHour(midnight(begin, zone, later)); end.After(begin) {
			return end
		}
	}
}

// dailyInZone are the days of the span where they do not begin as those of UTC do.
func (p *span) dailyInZone(ctx context.Context, tx Tx, wanted []figure) ([]TrendLine, Summary, error) {
	from, until := p.days()
	z, err := p.zoneDays(ctx, tx, from, until)
	if err != nil {
		return nil, Summary{}, err
	}
	lines := linesFor(wanted, until-from)
	total := gather(withSpreads)
	for begin := p.from; begin.Before(p.until); {
		end := nextDay(begin, p.zone)
		if err := z.next(end); err != nil {
			return nil, Summary{}, err
		}
		if err := total.plus(&z.sums); err != nil {
			return nil, Summary{}, err
		}
		day := z.take()
		for i := range wanted {
			v, ok := wanted[i].seen(&day.Counts, &day.Shape)
			lines[i].Points = append(lines[i].Points, wanted[i].shown(begin, &day.Counts, v, ok))
		}
		begin = end
	}
	return lines, summaryOf(total.take()), nil
}

// zoneDays puts the days of a zone together one after the other: of days of UTC,
// which are kept as a whole, and of the hours by which the zone's beginnings lie
// beside UTC's. So a day two hours off costs five things to add and not 24.
type zoneDays struct {
	gathering
	rows  map[int]Roll
	weeks map[int]openWeek
	// begin is the rim of the next day's beginning, spare one to be filled.
	begin, spare *rim
}

// openWeek is a week taken apart.
type openWeek struct {
	wholeWeek
	days [daysPerWeek][]byte
}

// rim is what lies between a time and the midnight (UTC) that is nearest to it.
type rim struct {
	gathering
	// day begins at that midnight; behind says that the time lies behind it.
	day    int
	behind bool
}

// zoneDays reads what the span's days need, which lie within the days of UTC from
// from up to and without until.
func (p *span) zoneDays(ctx context.Context, tx Tx, from, until int) (*zoneDays, error) {
	rows, err := tx.Rolls(ctx, p.workspaceID, p.origin, p.Series, from, until, Full)
	if err != nil {
		return nil, err
	}
	weeks, err := tx.Weeks(ctx, p.workspaceID, p.origin, p.Series, weekOf(from), weekOf(until-1)+1, WithDays)
	if err != nil {
		return nil, err
	}
	return zoneDaysOf(rows, weeks, p.from)
}

func zoneDaysOf(rows []Roll, weeks []Week, begin time.Time) (*zoneDays, error) {
	z := &zoneDays{
		gathering: gathering{depth: withSpreads}, rows: make(map[int]Roll, len(rows)), weeks: make(map[int]openWeek, len(weeks)),
		begin: &rim{gathering: gathering{depth: withSpreads}}, spare: &rim{gathering: gathering{depth: withSpreads}},
	}
	for _, r := range rows {
		z.rows[r.Day] = r
	}
	for i := range weeks {
		whole, err := openWhole(weeks[i].Whole)
		if err != nil {
			return nil, err
		}
		days, err := weeks[i].days()
		if err != nil {
			return nil, err
		}
		z.weeks[weeks[i].Week] = openWeek{whole, days}
	}
	return z, z.fill(z.begin, begin)
}

// fill makes the rim that of a time.
func (z *zoneDays) fill(to *rim, at time.Time) error {
	to.reset()
	day := dayOf(at)
	row, start, end := z.rows[day], dayStart(day), dayStart(day+1)
	if to.behind = at.Sub(start) <= end.Sub(at); to.behind {
		to.day = day
		return to.hours(&row, start, at)
	}
	to.day = day + 1
	return to.hours(&row, at, end)
}

// next adds up the day that ends then. What is to be taken off comes last.
func (z *zoneDays) next(end time.Time) error {
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
		if err := z.plus(&r.sums); err != nil {
			return err
		}
	}
	for _, r := range less {
		if err := z.minus(&r.sums); err != nil {
			return err
		}
	}
	return nil
}

// whole adds a day of UTC.
func (z *zoneDays) whole(day int) error {
	week, at := z.weeks[weekOf(day)], dayOfWeek(day)
	s, err := week.day(at)
	if err != nil {
		return err
	}
	z.Add(&s.Counts)
	return z.shape(week.days[at])
}
