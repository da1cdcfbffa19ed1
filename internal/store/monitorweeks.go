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
func (tx *Tx) Weeks(ctx context.Context, q monitor.SeriesWindow, p monitor.WeekParts) ([]bucket.Week, error) {
	columns, places := weekParts(p)
	fields := func(w *bucket.Week) []any {
		*w = bucket.Week{WorkspaceID: q.WorkspaceID, Origin: q.Origin, Series: q.Series}
		return append([]any{&w.Week}, places(w)...)
	}
	return all(ctx, tx, fields, weekRows().between("week, "+columns), q.WorkspaceID, q.Origin, q.Agent, q.Dim, q.Value, q.From, q.Until)
}

// EachWeekByValue implements monitor.WeekRows. A window of a hundred values has more than a
// thousand rows of some thousand bytes: none is copied once more, and one is held at a time.
func (tx *Tx) EachWeekByValue(ctx context.Context, q monitor.WeekWindow, give func(*bucket.Week) error) error {
	first, last := bucket.WeekOf(q.From), bucket.WeekOf(q.Until-1)
	cut := func(week int) int {
		if bucket.Within(week, q.From, q.Until) {
			return first - 1 // no row has it
		}
		return week
	}
	const columns = "value, week, whole, CASE WHEN week IN ($7, $8) THEN days END"
	rows, err := tx.conn.Query(ctx, weekRows().valuesBetween(columns), q.WorkspaceID, q.Origin, q.Agent, q.Dim, first, last+1, cut(first), cut(last))
	if err != nil {
		return tx.explain(err)
	}
	defer func() { _ = rows.Close() }()
	w := bucket.Week{WorkspaceID: q.WorkspaceID, Origin: q.Origin, Series: bucket.Series{Agent: q.Agent, Dim: q.Dim}}
	places := []any{&w.Value, &w.Week, lent{&w.Whole}, lent{&w.Days}}
	for rows.Next() {
		if err := rows.Scan(places...); err != nil {
			return tx.explain(err)
		}
		if err := give(&w); err != nil {
			return err
		}
	}
	return tx.explain(rows.Err())
}
