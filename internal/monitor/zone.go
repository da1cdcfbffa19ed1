package monitor

import (
	"context"

	"github.com/ringtrue/ringtrue/internal/bucket"
)

// widen takes in the whole of the first and the last day.
func (p *span) widen() {
	p.from = bucket.DayBegin(p.from, p.zone)
	if end := bucket.DayBegin(p.until, p.zone); end.Before(p.until) {
		p.until = bucket.NextDay(end, p.zone)
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

// zoneDays reads what the span's days need, which lie within the days of UTC from
// from up to and without until.
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
