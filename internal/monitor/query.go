package monitor

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// Limits on the windows of queries.
const (
	maxHourWindow = 35 * bucket.DayLength
	maxDayWindow  = 731 * bucket.DayLength
	maxZoneWindow = 93 * bucket.DayLength
	defaultDays   = 7
	// overlong is by how much a window may exceed its limit: a query without an end arrives a moment
	// after its beginning was chosen, and a local day may have 25 hours.
	overlong = time.Hour
)

// Query restricts a question.
type Query struct {
	// Origin defaults to production.
	Origin call.Origin
	// AgentID is an agent's id, NoAgent for calls without one, "" for all.
	AgentID string
	// From and Until bound when the calls began. Until defaults to now, From to seven days before
	// Until.
	From, Until time.Time
	// Dimension and Value select calls with that value; both are "" or neither.
	Dimension, Value string
	// Zone is where days begin; nil is UTC.
	Zone *time.Location
}

// span is a checked query.
type span struct {
	workspaceID string
	origin      string
	bucket.Series
	agent string
	// from and until are on the hour.
	from, until time.Time
	zone        *time.Location
	// pending is the number of hours still to be recomputed, unreviewed that of calls still to be
	// reviewed.
	pending, unreviewed int
	// inOther says that the calls asked for are counted together with others.
	inOther bool
}

// daysOf selects the days of a series in [from, until).
func (p *span) daysOf(s bucket.Series, from, until int) SeriesWindow {
	return SeriesWindow{WorkspaceID: p.workspaceID, Origin: p.origin, Series: s, From: from, Until: until}
}

// weeksOf selects the weeks of a series that overlap these days.
func (p *span) weeksOf(s bucket.Series, from, until int) SeriesWindow {
	return p.daysOf(s, bucket.WeekOf(from), bucket.WeekOf(until-1)+1)
}

// check validates and completes the query; most is the longest window allowed.
func (s *Service) check(ctx context.Context, tx Tx, workspaceID string, q Query, most time.Duration) (span, error) {
	out := span{workspaceID: workspaceID, origin: string(q.Origin), zone: q.Zone, agent: q.AgentID}
	if out.origin == "" {
		out.origin = string(call.Production)
	}
	if out.zone == nil {
		out.zone = time.UTC
	}
	out.until = q.Until
	if out.until.IsZero() {
		out.until = s.o.Now()
	}
	out.from = q.From
	if out.from.IsZero() {
		out.from = out.until.Add(-defaultDays * bucket.DayLength)
	}
	var faults []problem.Field
	if !out.from.Before(out.until) {
		faults = append(faults, problem.Field{Path: "from", Message: "must lie before until"})
	} else if out.until.Sub(out.from) > most+overlong {
		faults = append(faults, problem.Field{Path: "from", Message: "must not lie more than " + strconv.Itoa(int(most/bucket.DayLength)) + " days before until"})
	}
	q.Value = asCounted(q.Value)
	fault, err := s.checkDimension(ctx, tx, workspaceID, q)
	if err != nil {
		return out, err
	}
	if faults = append(faults, fault...); len(faults) > 0 {
		return out, problem.Invalid(faults...)
	}
	out.from = out.from.UTC().Truncate(time.Hour)
	if end := out.until.UTC().Truncate(time.Hour); end.Before(out.until) {
		out.until = end.Add(time.Hour)
	}
	out.Series = seriesFor(q.AgentID, q.Dimension, q.Value)
	return out, nil
}

// seriesFor returns the series that a filter selects.
func seriesFor(agent, dim, value string) bucket.Series {
	switch {
	case dim != "":
		return bucket.Series{Agent: agent, Dim: dim, Value: value}
	case agent != "":
		return bucket.Series{Dim: DimAgent, Value: agent}
	}
	return bucket.Series{}
}

func (s *Service) checkDimension(ctx context.Context, tx Tx, workspaceID string, q Query) ([]problem.Field, error) {
	if q.Dimension == "" {
		if q.Value != "" {
			return []problem.Field{{Path: "value", Message: "needs a dimension"}}, nil
		}
		return nil, nil
	}
	known, err := s.knownDims(ctx, tx, workspaceID)
	switch {
	case err != nil:
		return nil, err
	case !slices.Contains(known, q.Dimension):
		return []problem.Field{unknownDim("dimension", known)}, nil
	case q.Value == "":
		return []problem.Field{{Path: "value", Message: "is missing: which value of the dimension"}}, nil
	}
	return nil, nil
}

// asCounted returns a value as it is counted.
func asCounted(value string) string { return cut(value, maxText) }

// ValueOf returns a dimension's value as it is counted. A dimension that the workspace does not
// have is a problem at the path "dimension", an empty value one at "value".
func (s *Service) ValueOf(ctx context.Context, workspaceID, dim, value string) (string, error) {
	q := Query{Dimension: dim, Value: asCounted(value)}
	return q.Value, s.o.Store.Read(ctx, func(tx Tx) error {
		faults, err := s.checkDimension(ctx, tx, workspaceID, q)
		if err == nil && len(faults) > 0 {
			err = problem.Invalid(faults...)
		}
		return err
	})
}

func unknownDim(path string, known []string) problem.Field {
	return problem.Field{
		Path:    path,
		Message: "must be one of " + strings.Join(known, ", ") + "; a metadata key has to be declared first (PUT /monitoring/dimensions)",
	}
}

func (s *Service) knownDims(ctx context.Context, tx Tx, workspaceID string) ([]string, error) {
	declared, err := tx.Dimensions(ctx, workspaceID)
	if err != nil {
		return nil, err
	}
	known := []string{DimVersion, DimPrompt, DimModel}
	for _, key := range declared.Keys {
		known = append(known, DimKey+key)
	}
	return known, nil
}

// days returns the UTC days that the span overlaps, as [from, until).
func (p *span) days() (from, until int) {
	return bucket.DayOf(p.from), bucket.DayOf(p.until.Add(-time.Second)) + 1
}

// hours returns the hours of the series in [from, until) that have calls.
func hours(ctx context.Context, tx Tx, p span, s bucket.Series, from, until time.Time) ([]bucket.Hour, error) {
	rows, err := tx.Rolls(ctx, p.daysOf(s, bucket.DayOf(from), bucket.DayOf(until.Add(-time.Second))+1), Light)
	if err != nil {
		return nil, err
	}
	var out []bucket.Hour
	for i := range rows {
		if out, err = rows[i].AppendHours(out, from, until); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// bucket returns the series' bucket for the whole span. It reads the latest rows first, because
// examples are taken from those.
func (p *span) bucket(ctx context.Context, tx Tx, s bucket.Series, d bucket.Depth) (*bucket.Bucket, error) {
	g := bucket.Gather(d)
	from, until := p.wholeDays()
	for day := bucket.DayOf(p.until.Add(-time.Second)); day >= bucket.DayOf(p.from); day-- {
		if day >= from && day < until {
			if err := p.weeks(ctx, tx, s, g, d, from, until); err != nil {
				return nil, err
			}
			day = from
			continue
		}
		row, ok, err := tx.RollOf(ctx, p.workspaceID, p.origin, s, day)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		if err := g.Hours(&row, p.from, p.until); err != nil {
			return nil, err
		}
	}
	return g.Take(), nil
}

// wholeDays returns the UTC days that lie entirely within the span, as [from, until). until is at
// most from if there are none.
func (p *span) wholeDays() (from, until int) {
	from, until = bucket.DayOf(p.from), bucket.DayOf(p.until)
	if bucket.DayStart(from).Before(p.from) {
		from++
	}
	return from, until
}

// weeks adds days of a series to g, whole weeks at once.
func (p *span) weeks(ctx context.Context, tx Tx, s bucket.Series, g *bucket.Gathering, d bucket.Depth, from, until int) error {
	parts := WholeWeek
	if d == bucket.Everything {
		parts = WithFailed
	}
	rows, err := tx.Weeks(ctx, p.weeksOf(s, from, until), parts)
	if err != nil {
		return err
	}
	for i := range slices.Backward(rows) {
		row := &rows[i]
		if !bucket.Within(row.Week, from, until) {
			full, ok, err := tx.WeekOf(ctx, p.workspaceID, p.origin, s, row.Week)
			if err != nil || !ok {
				return err
			}
			row = &full
		}
		if err := g.Week(row, from, until); err != nil {
			return err
		}
	}
	return nil
}
