package monitor

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// What bounds the windows of questions.
const (
	maxHourWindow = 35 * dayLength
	maxDayWindow  = 731 * dayLength
	maxZoneWindow = 93 * dayLength
	defaultDays   = 7
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
	Series
	agent string
	// from and until are whole hours.
	from, until time.Time
	zone        *time.Location
	// waiting is how many hours are yet to be counted anew.
	waiting int
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
		out.from = out.until.Add(-defaultDays * dayLength)
	}
	var faults []problem.Field
	if !out.from.Before(out.until) {
		faults = append(faults, problem.Field{Path: "from", Message: "must lie before until"})
	} else if out.until.Sub(out.from) > most {
		faults = append(faults, problem.Field{Path: "from", Message: "must not lie more than " + strconv.Itoa(int(most/dayLength)) + " days before until"})
	}
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
func seriesFor(agent, dim, value string) Series {
	switch {
	case dim != "":
		return Series{Agent: agent, Dim: dim, Value: value}
	case agent != "":
		return Series{Dim: DimAgent, Value: agent}
	}
	return Series{}
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
	return dayOf(p.from), dayOf(p.until.Add(-time.Second)) + 1
}

// hour is one hour of a series.
type hour struct {
	at time.Time
	slot
}

// hours are the hours of the series from from to until that have calls.
func hours(ctx context.Context, tx Tx, p span, s Series, from, until time.Time) ([]hour, error) {
	rows, err := tx.Rolls(ctx, p.workspaceID, p.origin, s, dayOf(from), dayOf(until.Add(-time.Second))+1, Light)
	if err != nil {
		return nil, err
	}
	var out []hour
	for i := range rows {
		if out, err = appendHours(out, &rows[i], from, until); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func appendHours(out []hour, r *Roll, from, until time.Time) ([]hour, error) {
	slots, err := split(r.Light)
	if err != nil {
		return nil, err
	}
	day := dayStart(r.Day)
	for i, b := range slots {
		at := day.Add(time.Duration(i) * time.Hour)
		if len(b) == 0 || at.Before(from) || !at.Before(until) {
			continue
		}
		h := hour{at: at}
		if err := h.unpack(b); err != nil {
			return nil, err
		}
		out = append(out, h)
	}
	return out, nil
}

// bucket is what a series holds between the span's two hours. It reads from the
// latest on, for the sake of the examples.
func (p *span) bucket(ctx context.Context, tx Tx, s Series, d depth) (*Bucket, error) {
	g := gather(d)
	from, until := p.wholeDays()
	for day := dayOf(p.until.Add(-time.Second)); day >= dayOf(p.from); day-- {
		if day >= from && day < until {
			if err := p.weeks(ctx, tx, s, g, from, until); err != nil {
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
		if err := g.hours(&row, p.from, p.until); err != nil {
			return nil, err
		}
	}
	return g.take(), nil
}

// wholeDays are the days (UTC) that lie wholly within the span, from the first up
// to and without the last; until is at most from when there is none.
func (p *span) wholeDays() (from, until int) {
	from, until = dayOf(p.from), dayOf(p.until)
	if dayStart(from).Before(p.from) {
		from++
	}
	return from, until
}

// weeks gathers days of a series, whole weeks of them at once.
func (p *span) weeks(ctx context.Context, tx Tx, s Series, g *gathering, from, until int) error {
	parts := WholeWeek
	if g.depth == everything {
		parts = WithFailed
	}
	rows, err := tx.Weeks(ctx, p.workspaceID, p.origin, s, weekOf(from), weekOf(until-1)+1, parts)
	if err != nil {
		return err
	}
	for i := range slices.Backward(rows) {
		row := &rows[i]
		if !within(row.Week, from, until) {
			full, ok, err := tx.WeekOf(ctx, p.workspaceID, p.origin, s, row.Week)
			if err != nil || !ok {
				return err
			}
			row = &full
		}
		if err := g.week(row, from, until); err != nil {
			return err
		}
	}
	return nil
}

// within reports whether the whole week lies between the two days.
func within(week, from, until int) bool {
	return firstDay(week) >= from && firstDay(week+1) <= until
}

// week adds the days of a week that lie between the two.
func (g *gathering) week(w *Week, from, until int) error {
	whole, err := openWhole(w.Whole)
	if err != nil {
		return err
	}
	failed, err := w.failed()
	if err != nil {
		return err
	}
	if within(w.Week, from, until) {
		g.Add(&whole.Counts)
		return errors.Join(g.shape(whole.shape), g.failed(failed[daysPerWeek]))
	}
	days, err := w.days()
	if err != nil {
		return err
	}
	for i := daysPerWeek - 1; i >= 0; i-- {
		if day := firstDay(w.Week) + i; day < from || day >= until {
			continue
		}
		s, err := whole.day(i)
		if err != nil {
			return err
		}
		g.Add(&s.Counts)
		if err := errors.Join(g.shape(days[i]), g.failed(failed[i])); err != nil {
			return err
		}
	}
	return nil
}

// hours adds the hours of the day that begin between from and until.
func (g *gathering) hours(r *Roll, from, until time.Time) error {
	slots, err := split(r.Light)
	if err != nil {
		return err
	}
	shapes, err := split(r.Hours)
	if err != nil {
		return err
	}
	failed, err := split(r.Failed)
	if err != nil {
		return err
	}
	day := dayStart(r.Day)
	for i := range slots {
		at := day.Add(time.Duration(i) * time.Hour)
		if len(slots[i]) == 0 || at.Before(from) || !at.Before(until) {
			continue
		}
		if err := g.hour(slots[i], shapes[i], failed[i]); err != nil {
			return err
		}
	}
	return nil
}

// hour adds a packed slot, a packed shape and examples.
func (g *gathering) hour(slot, shape, failed []byte) error {
	u := unpacker{b: slot}
	if u.counts(&g.Counts); u.err != nil {
		return u.err
	}
	return errors.Join(g.shape(shape), g.failed(failed))
}
