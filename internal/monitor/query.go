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

// What bounds the windows of questions.
const (
	maxHourWindow = 35 * bucket.DayLength
	maxDayWindow  = 731 * bucket.DayLength
	maxZoneWindow = 93 * bucket.DayLength
	defaultDays   = 7
	// overlong is by how much a window may be longer than that: whoever names its beginning alone is
	// heard a moment later, and of local days one may have 25 hours.
	overlong = time.Hour
)

// Query narrows a question.
type Query struct {
	// Origin is production when it is "".
	Origin call.Origin
	// AgentID is an agent's id, NoAgent for calls that none is linked to, "" for all.
	AgentID string
	// From and Until bound when the calls began; a zero Until is now, a zero From seven days before Until.
	From, Until time.Time
	// Dimension and Value narrow to the calls with the value; both are "" or neither.
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
	// from and until are whole hours.
	from, until time.Time
	zone        *time.Location
	// pending is how many hours are yet to be counted anew, unreviewed how many calls are yet
	// to be reviewed.
	pending, unreviewed int
}

// daysOf are the days of a series in the span's workspace, from one up to and without another.
func (p *span) daysOf(s bucket.Series, from, until int) SeriesWindow {
	return SeriesWindow{WorkspaceID: p.workspaceID, Origin: p.origin, Series: s, From: from, Until: until}
}

// weeksOf are the weeks of a series that have any of those days.
func (p *span) weeksOf(s bucket.Series, from, until int) SeriesWindow {
	return p.daysOf(s, bucket.WeekOf(from), bucket.WeekOf(until-1)+1)
}

// check completes the query; most is the longest window that the question allows.
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

// seriesFor is the series of a filter.
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

// asCounted is a value as the calls that have it are counted under it.
func asCounted(value string) string { return cut(value, maxText) }

// ValueOf is the value of a dimension as the calls that have it are counted under it. It refuses the
// name of a dimension that the workspace has not, at the path "dimension", and a value that is none.
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

// days are the days (UTC) that a span touches: from the first up to and without the last.
func (p *span) days() (from, until int) {
	return bucket.DayOf(p.from), bucket.DayOf(p.until.Add(-time.Second)) + 1
}

// hours are the hours of the series from from to until that have calls.
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

// bucket is what a series holds between the span's two hours. It reads from the
// latest on, for the sake of the examples.
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

// wholeDays are the days (UTC) that lie wholly within the span, from the first up
// to and without the last; until is at most from when there is none.
func (p *span) wholeDays() (from, until int) {
	from, until = bucket.DayOf(p.from), bucket.DayOf(p.until)
	if bucket.DayStart(from).Before(p.from) {
		from++
	}
	return from, until
}

// weeks gathers days of a series, whole weeks of them at once.
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
