package monitor

import (
	"context"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/trend"
)

// Step is the length of time of a trend's points.
type Step string

// The steps of a trend.
const (
	Hourly Step = "hour"
	Daily  Step = "day"
)

// Trends are figures over time.
type Trends struct {
	About
	Step     Step        `json:"step" enum:"hour,day" doc:"Length of a point: hour or day"`
	TimeZone string      `json:"time_zone" doc:"IANA name of the time zone in which days begin"`
	Total    Summary     `json:"total" doc:"All figures of the whole window"`
	Series   []TrendLine `json:"series" doc:"One for each metric asked for"`
}

// TrendLine is one figure over time.
type TrendLine struct {
	Metric string       `json:"metric" doc:"Name of the metric"`
	Unit   string       `json:"unit" enum:"calls,share,score,s,usd" doc:"Unit of the values: calls, share (0 to 1), score, s (seconds) or usd"`
	Points []TrendPoint `json:"points" doc:"In order of time, including hours and days without calls"`
}

// TrendPoint is a figure of one hour or day. Expected, Low and High are its
// baseline, null if unknown.
type TrendPoint struct {
	At       int64    `json:"at" doc:"Start of the hour or day, milliseconds since 1970"`
	N        int64    `json:"n" doc:"How many calls (or values, for a percentile) the value rests on"`
	Count    *int64   `json:"count" doc:"For a share, how many of the n calls; null for other metrics"`
	Value    *float64 `json:"value" doc:"The metric; null when there is nothing to measure, and for a share of fewer than 10"`
	Expected *float64 `json:"expected" doc:"What is usual at this hour of the week; null for days, and while too little is known"`
	Low      *float64 `json:"low" doc:"Lower end of the range that 19 of 20 usual hours lie in; null when expected is"`
	High     *float64 `json:"high" doc:"Upper end of that range; null when expected is"`
}

// Trends returns metrics over time; with none given, all of them.
func (s *Service) Trends(ctx context.Context, workspaceID string, q Query, step Step, metrics []string) (Trends, error) {
	wanted, err := pick(metrics)
	if err != nil {
		return Trends{}, err
	}
	most := maxHourWindow
	if step == Daily {
		most = maxDayWindow
		if !isUTC(q.Zone) {
			most = maxZoneWindow
		}
	}
	return ask(ctx, s, workspaceID, q, most, func(tx Tx, p span) (Trends, error) {
		return s.trends(ctx, tx, p, step, wanted)
	})
}

func isUTC(zone *time.Location) bool { return zone == nil || zone == time.UTC }

func pick(metrics []string) ([]figure, error) {
	if len(metrics) == 0 {
		return figures(), nil
	}
	out := make([]figure, 0, len(metrics))
	for _, name := range metrics {
		f, ok := figureOf(name)
		if !ok {
			return nil, problem.Invalid(problem.Field{Path: "metrics", Message: "must be some of " + strings.Join(figureNames(), ", ")})
		}
		out = append(out, f)
	}
	return out, nil
}

func (s *Service) trends(ctx context.Context, tx Tx, p span, step Step, wanted []figure) (Trends, error) {
	if step == Daily {
		p.widen()
	}
	out := Trends{About: p.about(), Step: step, TimeZone: p.zone.String()}
	if step == Daily {
		var err error
		out.Series, out.Total, err = p.daily(ctx, tx, wanted)
		return out, err
	}
	whole, err := p.bucket(ctx, tx, p.Series, bucket.WithSpreads)
	if err != nil {
		return Trends{}, err
	}
	out.Total = summaryOf(whole)
	out.Series, err = p.hourly(ctx, tx, wanted)
	if err != nil {
		return Trends{}, err
	}
	return out, s.bands(ctx, tx, p, out.Series)
}

func (p *span) hourly(ctx context.Context, tx Tx, wanted []figure) ([]TrendLine, error) {
	found, err := hours(ctx, tx, *p, p.Series, p.from, p.until)
	if err != nil {
		return nil, err
	}
	lines := linesFor(wanted, int(p.until.Sub(p.from)/time.Hour))
	next := 0
	for at := p.from; at.Before(p.until); at = at.Add(time.Hour) {
		var here bucket.Slot
		if next < len(found) && found[next].At.Equal(at) {
			here = found[next].Slot
			next++
		}
		for i := range wanted {
			v, ok := wanted[i].quickly(&here)
			lines[i].Points = append(lines[i].Points, wanted[i].shown(at, &here.Counts, v, ok))
		}
	}
	return lines, nil
}

func linesFor(wanted []figure, n int) []TrendLine {
	lines := make([]TrendLine, len(wanted))
	for i, f := range wanted {
		lines[i] = TrendLine{Metric: f.Name, Unit: f.unit, Points: make([]TrendPoint, 0, n)}
	}
	return lines
}

// shown returns the point in the form in which it may be shown.
func (f *figure) shown(at time.Time, c *bucket.Counts, v float64, ok bool) TrendPoint {
	point := TrendPoint{At: millis(at), N: f.on(c)}
	if f.Kind == trend.Rate {
		hits := f.point(c, nil).Hits
		point.Count = &hits
		ok = ok && trend.Share{Hits: hits, N: point.N}.Shown()
	}
	if ok {
		point.Value = &v
	}
	return point
}

// daily returns the days of the span, and a summary of all of them.
func (p *span) daily(ctx context.Context, tx Tx, wanted []figure) ([]TrendLine, Summary, error) {
	if !isUTC(p.zone) {
		return p.dailyInZone(ctx, tx, wanted)
	}
	whole, err := p.bucket(ctx, tx, p.Series, bucket.WithSpreads)
	if err != nil {
		return nil, Summary{}, err
	}
	from, until := p.wholeDays()
	rows, err := tx.Weeks(ctx, p.weeksOf(p.Series, from, until), WholeWeek)
	if err != nil {
		return nil, Summary{}, err
	}
	weeks := make(map[int]bucket.ShortWeek, len(rows))
	for i := range rows {
		if weeks[rows[i].Week], err = bucket.OpenWeek(rows[i].Whole); err != nil {
			return nil, Summary{}, err
		}
	}
	lines := linesFor(wanted, until-from)
	for day := from; day < until; day++ {
		week := weeks[bucket.WeekOf(day)]
		s, err := week.Day(bucket.DayOfWeek(day))
		if err != nil {
			return nil, Summary{}, err
		}
		for i := range wanted {
			v, ok := wanted[i].quickly(&s.Slot)
			lines[i].Points = append(lines[i].Points, wanted[i].shown(bucket.DayStart(day), &s.Counts, v, ok))
		}
	}
	return lines, summaryOf(whole), nil
}
