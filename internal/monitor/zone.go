package monitor

import (
	"context"

	"github.com/ringtrue/ringtrue/internal/bucket"
)

// widen extends the span to whole days.
func (p *span) widen() {
	p.from = bucket.DayBegin(p.from, p.zone)
	if end := bucket.DayBegin(p.until, p.zone); end.Before(p.until) {
		p.until = bucket.NextDay(end, p.zone)
	}
}

// dailyInZone is daily for days that do not begin with those of UTC.
func (p *span) dailyInZone(ctx context.Context, tx Tx, wanted []figure) ([]TrendLine, Summary, error) {
	from, until := p.days()
	z, err := p.zoneDays(ctx, tx, from, until)
	if err != nil {
		return nil, Summary{}, err
	}
	lines := linesFor(wanted, until-from)
	total := bucket.Gather(bucket.WithSpreads)
	for begin := p.from; begin.Before(p.until); {
		end := bucket.NextDay(begin, p.zone)
		if err := z.Next(end); err != nil {
			return nil, Summary{}, err
		}
		if err := total.Plus(&z.Sums); err != nil {
			return nil, Summary{}, err
		}
		day := z.Take()
		for i := range wanted {
			v, ok := wanted[i].seen(&day.Counts, &day.Shape)
			lines[i].Points = append(lines[i].Points, wanted[i].shown(begin, &day.Counts, v, ok))
		}
		begin = end
	}
	return lines, summaryOf(total.Take()), nil
}

// zoneDays reads the data for the span's days, which lie within the UTC days
// [from, until).
func (p *span) zoneDays(ctx context.Context, tx Tx, from, until int) (*bucket.ZoneDays, error) {
	rows, err := tx.Rolls(ctx, p.daysOf(p.Series, from, until), Full)
	if err != nil {
		return nil, err
	}
	weeks, err := tx.Weeks(ctx, p.weeksOf(p.Series, from, until), WithDays)
	if err != nil {
		return nil, err
	}
	return bucket.NewZoneDays(rows, weeks, p.from)
}
