package store

import (
	"context"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/monitor"
)

// WeekOf implements monitor.WeekRows.
func (tx *Tx) WeekOf(ctx context.Context, workspaceID, origin string, s bucket.Series, week int) (bucket.Week, bool, error) {
	fields := func(w *bucket.Week) []any {
		*w = bucket.Week{WorkspaceID: workspaceID, Origin: origin, Series: s, Week: week}
		return []any{&w.Whole, &w.Days, &w.Failed}
	}
	return one(ctx, tx, fields, weekRows().one(), workspaceID, origin, s.Agent, s.Dim, s.Value, week)
}

// PutWeek implements monitor.WeekRows.
func (tx *Tx) PutWeek(ctx context.Context, w bucket.Week) error {
	_, err := tx.exec(ctx, weekRows().put(), w.WorkspaceID, w.Origin, w.Agent, w.Dim, w.Value, w.Week, w.Whole, w.Days, w.Failed)
	return err
}

// DeleteWeek implements monitor.WeekRows.
func (tx *Tx) DeleteWeek(ctx context.Context, w bucket.Week) error {
	_, err := tx.exec(ctx, weekRows().remove(), w.WorkspaceID, w.Origin, w.Agent, w.Dim, w.Value, w.Week)
	return err
}

// weekParts are the columns of the parts that are wanted, and their places.
func weekParts(p monitor.WeekParts) (columns string, places func(*bucket.Week) []any) {
	switch p {
	case monitor.WithDays:
		return "whole, days", func(w *bucket.Week) []any { return []any{&w.Whole, &w.Days} }
	case monitor.WithFailed:
		return "whole, failed", func(w *bucket.Week) []any { return []any{&w.Whole, &w.Failed} }
	case monitor.WholeWeek:
	}
	return "whole", func(w *bucket.Week) []any { return []any{&w.Whole} }
}

// Weeks implements monitor.WeekRows.
func (tx *Tx) Weeks(ctx context.Context, workspaceID, origin string, s bucket.Series, from, until int, p monitor.WeekParts) ([]bucket.Week, error) {
	columns, places := weekParts(p)
	fields := func(w *bucket.Week) []any {
		*w = bucket.Week{WorkspaceID: workspaceID, Origin: origin, Series: s}
		return append([]any{&w.Week}, places(w)...)
	}
	return all(ctx, tx, fields, weekRows().between("week, "+columns), workspaceID, origin, s.Agent, s.Dim, s.Value, from, until)
}

// WeeksByValue implements monitor.WeekRows.
func (tx *Tx) WeeksByValue(
	ctx context.Context, workspaceID, origin, agent, dim string, from, until int, days bool,
) ([]bucket.Week, error) {
	p := monitor.WholeWeek
	if days {
		p = monitor.WithDays
	}
	columns, places := weekParts(p)
	fields := func(w *bucket.Week) []any {
		*w = bucket.Week{WorkspaceID: workspaceID, Origin: origin, Series: bucket.Series{Agent: agent, Dim: dim}}
		return append([]any{&w.Value, &w.Week}, places(w)...)
	}
	return all(ctx, tx, fields, weekRows().valuesBetween("value, week, "+columns), workspaceID, origin, agent, dim, from, until)
}
