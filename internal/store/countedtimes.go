package store

import (
	"context"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/archive"
	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/monitor"
)

// stretch is a time in which calls began, up to until and without it; zero is no bound.
type stretch struct{ from, until time.Time }

// stretches are the times in which the calls that a filter asks for began, the latest first. For a
// value of a dimension they are the ten-minute steps in which monitoring has counted one, and the
// hours that it has not counted yet. So the calls of a rare value are found without a look at all
// others.
func (tx *Tx) stretches(ctx context.Context, workspaceID string, f *archive.Filter) ([]stretch, error) {
	if f.Dimension == "" {
		return []stretch{{f.From, f.Until}}, nil
	}
	value, err := tx.countedUnder(ctx, workspaceID, f.Dimension, f.Value)
	if err != nil {
		return nil, err
	}
	// The marks first: an hour whose mark goes meanwhile has been counted by then.
	tens, err := tx.tensToCount(ctx, workspaceID)
	if err != nil {
		return nil, err
	}
	for _, origin := range []call.Origin{call.Production, call.Simulated} {
		if f.Origin != "" && f.Origin != origin {
			continue
		}
		days, err := tx.rollsWithin(ctx, workspaceID, string(origin), bucket.Series{Dim: f.Dimension, Value: value}, f)
		if err != nil {
			return nil, err
		}
		for i := range days {
			if tens, err = days[i].AppendTens(tens); err != nil {
				return nil, err
			}
		}
	}
	return joined(tens, f), nil
}

// countedUnder is the name under which a value is counted: its own, or Other for a value that has
// none. A value keeps its name, so all its calls are counted under it.
func (tx *Tx) countedUnder(ctx context.Context, workspaceID, dim, value string) (string, error) {
	_, known, err := one(ctx, tx, scalar[int], `SELECT number FROM monitor_texts WHERE workspace_id = $1 AND kind = $2 AND value = $3`,
		workspaceID, monitor.KindDim+dim, value)
	if err != nil || known {
		return value, err
	}
	return monitor.Other, nil
}

// tensToCount are the ten minutes of the hours that are yet to be counted.
func (tx *Tx) tensToCount(ctx context.Context, workspaceID string) (tens []time.Time, err error) {
	hours, err := all(ctx, tx, func(at *time.Time) []any { return []any{micros{at}} },
		`SELECT DISTINCT hour FROM monitor_marks WHERE workspace_id = $1`, workspaceID)
	for _, hour := range hours {
		for ten := range bucket.TensPerHour {
			tens = append(tens, hour.Add(time.Duration(ten)*bucket.TenLength))
		}
	}
	return tens, err
}

// rollsWithin are the counts of a series on the days that a filter asks for.
func (tx *Tx) rollsWithin(ctx context.Context, workspaceID, origin string, s bucket.Series, f *archive.Filter) ([]bucket.Roll, error) {
	from, until := 0, maxDay
	if !f.From.IsZero() {
		from = bucket.DayOf(f.From)
	}
	if !f.Until.IsZero() {
		until = bucket.DayOf(f.Until) + 1
	}
	return tx.Rolls(ctx, monitor.SeriesWindow{WorkspaceID: workspaceID, Origin: origin, Series: s, From: from, Until: until}, monitor.Light)
}

// maxDay lies behind the day of any call.
const maxDay = 1 << 30

// joined makes one stretch of ten minutes that follow each other, within the bounds of the filter, the latest first.
func joined(tens []time.Time, f *archive.Filter) []stretch {
	slices.SortFunc(tens, func(a, b time.Time) int { return b.Compare(a) })
	var out []stretch
	for _, from := range tens {
		until := from.Add(bucket.TenLength)
		if from.Before(f.From) {
			from = f.From
		}
		if !f.Until.IsZero() && f.Until.Before(until) {
			until = f.Until
		}
		if !from.Before(until) {
			continue
		}
		if last := len(out) - 1; last >= 0 && !out[last].from.After(until) {
			out[last].from = from
		} else {
			out = append(out, stretch{from, until})
		}
	}
	return out
}
