package store

import (
	"context"
	"strings"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/monitor"
)

// seriesRows is a table that holds a row for each series and stretch of time: a day
// or a week, which the column at counts.
type seriesRows struct{ table, at, parts string }

func dayRows() seriesRows  { return seriesRows{"monitor_rolls", "day", "light, hours, failed"} }
func weekRows() seriesRows { return seriesRows{"monitor_weeks", "week", "whole, days, failed"} }

// ofSeries finds the rows of a series, byValue those of every value of a dimension.
const (
	ofSeries = "workspace_id = $1 AND origin = $2 AND agent_id = $3 AND dim = $4 AND value = $5"
	byValue  = "workspace_id = $1 AND origin = $2 AND agent_id = $3 AND dim = $4"
)

// one selects the parts of a row.
func (t seriesRows) one() string {
	return "SELECT " + t.parts + " FROM " + t.table + " WHERE " + ofSeries + " AND " + t.at + " = $6"
}

// put stores a row in the place of an earlier one: its key, and its three parts.
func (t seriesRows) put() string {
	key := "workspace_id, origin, agent_id, dim, value, " + t.at
	set := make([]string, 0, 3)
	for part := range strings.SplitSeq(t.parts, ", ") {
		set = append(set, part+" = excluded."+part)
	}
	return "INSERT INTO " + t.table + " (" + key + ", " + t.parts + ") VALUES " + marks(1, 9) +
		" ON CONFLICT (" + key + ") DO UPDATE SET " + strings.Join(set, ", ")
}

// remove deletes a row.
func (t seriesRows) remove() string {
	return "DELETE FROM " + t.table + " WHERE " + ofSeries + " AND " + t.at + " = $6"
}

// between selects from the rows of a series, from $6 up to and without $7.
func (t seriesRows) between(columns string) string {
	return "SELECT " + columns + " FROM " + t.table + " WHERE " + ofSeries + " AND " + t.at + " >= $6 AND " + t.at + " < $7 ORDER BY " + t.at
}

// valuesBetween selects from the rows of a dimension's values, from $5 up to and without
// $6. The + keeps SQLite from going through the rows of all series by their
// time: by value they are in their order already.
func (t seriesRows) valuesBetween(columns string) string {
	return "SELECT " + columns + " FROM " + t.table + " WHERE " + byValue + " AND +" + t.at + " >= $5 AND +" + t.at + " < $6 ORDER BY value, " + t.at
}

// RollsOfDay implements monitor.RollRows.
func (tx *Tx) RollsOfDay(ctx context.Context, workspaceID, origin string, day int) ([]bucket.Roll, error) {
	fields := func(r *bucket.Roll) []any {
		*r = bucket.Roll{WorkspaceID: workspaceID, Origin: origin, Day: day}
		return []any{&r.Agent, &r.Dim, &r.Value, &r.Light, &r.Hours, &r.Failed}
	}
	return all(ctx, tx, fields, `SELECT agent_id, dim, value, light, hours, failed FROM monitor_rolls
		WHERE workspace_id = $1 AND origin = $2 AND day = $3`, workspaceID, origin, day)
}

// RollOf implements monitor.RollRows.
func (tx *Tx) RollOf(ctx context.Context, workspaceID, origin string, s bucket.Series, day int) (bucket.Roll, bool, error) {
	fields := func(r *bucket.Roll) []any {
		*r = bucket.Roll{WorkspaceID: workspaceID, Origin: origin, Series: s, Day: day}
		return []any{&r.Light, &r.Hours, &r.Failed}
	}
	return one(ctx, tx, fields, dayRows().one(), workspaceID, origin, s.Agent, s.Dim, s.Value, day)
}

// PutRoll implements monitor.RollRows.
func (tx *Tx) PutRoll(ctx context.Context, r bucket.Roll) error {
	_, err := tx.exec(ctx, dayRows().put(), r.WorkspaceID, r.Origin, r.Agent, r.Dim, r.Value, r.Day, r.Light, r.Hours, r.Failed)
	return err
}

// DeleteRoll implements monitor.RollRows.
func (tx *Tx) DeleteRoll(ctx context.Context, r bucket.Roll) error {
	_, err := tx.exec(ctx, dayRows().remove(), r.WorkspaceID, r.Origin, r.Agent, r.Dim, r.Value, r.Day)
	return err
}

// Rolls implements monitor.RollRows.
func (tx *Tx) Rolls(ctx context.Context, w monitor.SeriesWindow, p monitor.Parts) ([]bucket.Roll, error) {
	columns := "day, light"
	if p == monitor.Full {
		columns += ", hours"
	}
	fields := func(r *bucket.Roll) []any {
		*r = bucket.Roll{WorkspaceID: w.WorkspaceID, Origin: w.Origin, Series: w.Series}
		if p == monitor.Full {
			return []any{&r.Day, &r.Light, &r.Hours}
		}
		return []any{&r.Day, &r.Light}
	}
	return all(ctx, tx, fields, dayRows().between(columns), w.WorkspaceID, w.Origin, w.Agent, w.Dim, w.Value, w.From, w.Until)
}

// RollsByValue implements monitor.RollRows.
func (tx *Tx) RollsByValue(ctx context.Context, w monitor.SeriesWindow) ([]bucket.Roll, error) {
	fields := func(r *bucket.Roll) []any {
		*r = bucket.Roll{WorkspaceID: w.WorkspaceID, Origin: w.Origin, Series: bucket.Series{Agent: w.Agent, Dim: w.Dim}}
		return []any{&r.Value, &r.Day, &r.Light}
	}
	return all(ctx, tx, fields, dayRows().valuesBetween("value, day, light"), w.WorkspaceID, w.Origin, w.Agent, w.Dim, w.From, w.Until)
}
