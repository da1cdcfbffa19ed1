package store

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/monitor"
)

const rollKey = "workspace_id, origin, agent_id, dim, value, day"

func rollKeyFields(r *bucket.Roll) []any {
	return []any{&r.WorkspaceID, &r.Origin, &r.Agent, &r.Dim, &r.Value, &r.Day}
}

// rollFields are the places of light, of hours where they are wanted, and of
// those columns of the key that known, with which every row begins, leaves open.
func rollFields(known bucket.Roll, p monitor.Parts, open func(*bucket.Roll) []any) (columns string, fields func(*bucket.Roll) []any) {
	columns = ", light"
	if p == monitor.Full {
		columns += ", hours"
	}
	return columns, func(r *bucket.Roll) []any {
		*r = known
		places := append(open(r), &r.Light)
		if p == monitor.Full {
			places = append(places, &r.Hours)
		}
		return places
	}
}

func rollDay(r *bucket.Roll) []any { return []any{&r.Day} }

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
	return one(ctx, tx, fields, `SELECT light, hours, failed FROM monitor_rolls
		WHERE workspace_id = $1 AND origin = $2 AND agent_id = $3 AND dim = $4 AND value = $5 AND day = $6`,
		workspaceID, origin, s.Agent, s.Dim, s.Value, day)
}

// PutRoll implements monitor.RollRows.
func (tx *Tx) PutRoll(ctx context.Context, r bucket.Roll) error {
	_, err := tx.exec(ctx, `INSERT INTO monitor_rolls (`+rollKey+`, light, hours, failed) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
		ON CONFLICT (`+rollKey+`) DO UPDATE SET light = excluded.light, hours = excluded.hours, failed = excluded.failed`,
		append(rollKeyFields(&r), r.Light, r.Hours, r.Failed)...)
	return err
}

// DeleteRoll implements monitor.RollRows.
func (tx *Tx) DeleteRoll(ctx context.Context, r bucket.Roll) error {
	_, err := tx.exec(ctx, `DELETE FROM monitor_rolls
		WHERE workspace_id = $1 AND origin = $2 AND agent_id = $3 AND dim = $4 AND value = $5 AND day = $6`, rollKeyFields(&r)...)
	return err
}

// Rolls implements monitor.RollRows.
func (tx *Tx) Rolls(ctx context.Context, workspaceID, origin string, s bucket.Series, from, until int, p monitor.Parts) ([]bucket.Roll, error) {
	columns, fields := rollFields(bucket.Roll{WorkspaceID: workspaceID, Origin: origin, Series: s}, p, rollDay)
	return all(ctx, tx, fields, `SELECT day`+columns+` FROM monitor_rolls
		WHERE workspace_id = $1 AND origin = $2 AND agent_id = $3 AND dim = $4 AND value = $5 AND day >= $6 AND day < $7 ORDER BY day`,
		workspaceID, origin, s.Agent, s.Dim, s.Value, from, until)
}

// RollsByValue implements monitor.RollRows. The + keeps SQLite from going through
// the rows of all series by their day: by value they are in their order already.
func (tx *Tx) RollsByValue(ctx context.Context, workspaceID, origin, agent, dim string, from, until int) ([]bucket.Roll, error) {
	known := bucket.Roll{WorkspaceID: workspaceID, Origin: origin, Series: bucket.Series{Agent: agent, Dim: dim}}
	columns, fields := rollFields(known, monitor.Light, func(r *bucket.Roll) []any { return []any{&r.Value, &r.Day} })
	return all(ctx, tx, fields, `SELECT value, day`+columns+` FROM monitor_rolls
		WHERE workspace_id = $1 AND origin = $2 AND agent_id = $3 AND dim = $4 AND +day >= $5 AND +day < $6 ORDER BY value, day`,
		workspaceID, origin, agent, dim, from, until)
}

const weekKey = "workspace_id, origin, agent_id, dim, value, week"

func weekKeyFields(w *bucket.Week) []any {
	return []any{&w.WorkspaceID, &w.Origin, &w.Agent, &w.Dim, &w.Value, &w.Week}
}

// WeekOf implements monitor.WeekRows.
func (tx *Tx) WeekOf(ctx context.Context, workspaceID, origin string, s bucket.Series, week int) (bucket.Week, bool, error) {
	fields := func(w *bucket.Week) []any {
		*w = bucket.Week{WorkspaceID: workspaceID, Origin: origin, Series: s, Week: week}
		return []any{&w.Whole, &w.Days, &w.Failed}
	}
	return one(ctx, tx, fields, `SELECT whole, days, failed FROM monitor_weeks
		WHERE workspace_id = $1 AND origin = $2 AND agent_id = $3 AND dim = $4 AND value = $5 AND week = $6`,
		workspaceID, origin, s.Agent, s.Dim, s.Value, week)
}

// PutWeek implements monitor.WeekRows.
func (tx *Tx) PutWeek(ctx context.Context, w bucket.Week) error {
	_, err := tx.exec(ctx, `INSERT INTO monitor_weeks (`+weekKey+`, whole, days, failed) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
		ON CONFLICT (`+weekKey+`) DO UPDATE SET whole = excluded.whole, days = excluded.days, failed = excluded.failed`,
		append(weekKeyFields(&w), w.Whole, w.Days, w.Failed)...)
	return err
}

// DeleteWeek implements monitor.WeekRows.
func (tx *Tx) DeleteWeek(ctx context.Context, w bucket.Week) error {
	_, err := tx.exec(ctx, `DELETE FROM monitor_weeks
		WHERE workspace_id = $1 AND origin = $2 AND agent_id = $3 AND dim = $4 AND value = $5 AND week = $6`, weekKeyFields(&w)...)
	return err
}

// Weeks implements monitor.WeekRows.
func (tx *Tx) Weeks(ctx context.Context, workspaceID, origin string, s bucket.Series, from, until int, p monitor.WeekParts) ([]bucket.Week, error) {
	columns := "week, whole"
	switch p {
	case monitor.WithDays:
		columns += ", days"
	case monitor.WithFailed:
		columns += ", failed"
	case monitor.WholeWeek:
	}
	fields := func(w *bucket.Week) []any {
		*w = bucket.Week{WorkspaceID: workspaceID, Origin: origin, Series: s}
		places := []any{&w.Week, &w.Whole}
		switch p {
		case monitor.WithDays:
			places = append(places, &w.Days)
		case monitor.WithFailed:
			places = append(places, &w.Failed)
		case monitor.WholeWeek:
		}
		return places
	}
	return all(ctx, tx, fields, `SELECT `+columns+` FROM monitor_weeks
		WHERE workspace_id = $1 AND origin = $2 AND agent_id = $3 AND dim = $4 AND value = $5 AND week >= $6 AND week < $7 ORDER BY week`,
		workspaceID, origin, s.Agent, s.Dim, s.Value, from, until)
}

// WeeksByValue implements monitor.WeekRows.
func (tx *Tx) WeeksByValue(
	ctx context.Context, workspaceID, origin, agent, dim string, from, until int, days bool,
) ([]bucket.Week, error) {
	columns := "value, week, whole"
	if days {
		columns += ", days"
	}
	fields := func(w *bucket.Week) []any {
		*w = bucket.Week{WorkspaceID: workspaceID, Origin: origin, Series: bucket.Series{Agent: agent, Dim: dim}}
		places := []any{&w.Value, &w.Week, &w.Whole}
		if days {
			places = append(places, &w.Days)
		}
		return places
	}
	return all(ctx, tx, fields, `SELECT `+columns+` FROM monitor_weeks
		WHERE workspace_id = $1 AND origin = $2 AND agent_id = $3 AND dim = $4 AND week >= $5 AND week < $6 ORDER BY value, week`,
		workspaceID, origin, agent, dim, from, until)
}

// Texts implements monitor.TextRows.
func (tx *Tx) Texts(ctx context.Context, workspaceID string, kinds ...string) ([]monitor.Value, error) {
	var where conditions
	where.add("workspace_id = ?", workspaceID)
	if len(kinds) > 0 {
		wanted := make([]any, len(kinds))
		for i, kind := range kinds {
			wanted[i] = kind
		}
		where.args = append(where.args, wanted...)
		where.parts = append(where.parts, "kind IN "+marks(2, len(kinds)))
	}
	return all(ctx, tx, func(v *monitor.Value) []any { return []any{&v.Kind, &v.ID, &v.Text, &v.Detail} },
		`SELECT kind, number, value, detail FROM monitor_texts WHERE `+strings.Join(where.parts, " AND "), where.args...)
}

// PutTexts implements monitor.TextRows.
func (tx *Tx) PutTexts(ctx context.Context, workspaceID string, values []monitor.Value) error {
	rows := make([][]any, len(values))
	for i, v := range values {
		rows[i] = []any{workspaceID, v.Kind, v.ID, v.Text, v.Detail}
	}
	return tx.insert(ctx, "monitor_texts", "workspace_id, kind, number, value, detail", rows...)
}

// ForgetText implements monitor.TextRows.
func (tx *Tx) ForgetText(ctx context.Context, workspaceID, act, failure string) error {
	if err := tx.forgetText(ctx, workspaceID, monitor.KindAct, "act", act); err != nil {
		return err
	}
	return tx.forgetText(ctx, workspaceID, monitor.KindFailure, "failure", failure)
}

// forgetText blots out a text that no fact has in the column.
func (tx *Tx) forgetText(ctx context.Context, workspaceID, kind, column, value string) error {
	if value == "" {
		return nil
	}
	_, held, err := one(ctx, tx, scalar[int64], `SELECT 1 FROM monitor_facts
		WHERE workspace_id = $1 AND `+column+` <> '' AND `+column+` = $2 LIMIT 1`, workspaceID, value)
	if err != nil || held {
		return err
	}
	number, ok, err := one(ctx, tx, scalar[int], `SELECT number FROM monitor_texts
		WHERE workspace_id = $1 AND kind = $2 AND value = $3`, workspaceID, kind, value)
	if err != nil || !ok {
		return err
	}
	_, err = tx.exec(ctx, `UPDATE monitor_texts SET value = $4, detail = '' WHERE workspace_id = $1 AND kind = $2 AND number = $3`,
		workspaceID, kind, number, monitor.Erased+strconv.Itoa(number))
	return err
}

const dimensionColumns = "workspace_id, names, changed_at, origin, since, time_zone"

func dimensionFields(d *monitor.Dimensions) []any {
	return []any{&d.WorkspaceID, doc{&d.Keys}, micros{&d.ChangedAt}, &d.Origin, micros{&d.From}, &d.Zone}
}

// Dimensions implements monitor.DimensionRows.
func (tx *Tx) Dimensions(ctx context.Context, workspaceID string) (monitor.Dimensions, error) {
	d, _, err := one(ctx, tx, dimensionFields, `SELECT `+dimensionColumns+` FROM monitor_dimensions WHERE workspace_id = $1`, workspaceID)
	d.WorkspaceID = workspaceID
	return d, err
}

// PutDimensions implements monitor.DimensionRows.
func (tx *Tx) PutDimensions(ctx context.Context, d monitor.Dimensions) error {
	_, err := tx.exec(ctx, `INSERT INTO monitor_dimensions (`+dimensionColumns+`) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (workspace_id) DO UPDATE SET names = excluded.names, changed_at = excluded.changed_at,
		origin = excluded.origin, since = excluded.since, time_zone = excluded.time_zone`, dimensionFields(&d)...)
	return err
}

// OldDimensions implements monitor.DimensionRows.
func (tx *Tx) OldDimensions(ctx context.Context, limit int) ([]monitor.Dimensions, error) {
	return all(ctx, tx, dimensionFields, `SELECT `+dimensionColumns+` FROM monitor_dimensions WHERE origin <> '' ORDER BY changed_at LIMIT $1`, limit)
}

// MetadataOf implements monitor.DimensionRows.
func (tx *Tx) MetadataOf(ctx context.Context, callIDs, keys []string) (map[string]map[string]string, error) {
	out := map[string]map[string]string{}
	if len(keys) == 0 {
		return out, nil
	}
	for chunk := range slices.Chunk(callIDs, maxParameters) {
		args := make([]any, len(chunk))
		for i, id := range chunk {
			args[i] = id
		}
		found, err := all(ctx, tx, func(c *call.Call) []any { return []any{&c.ID, exactDoc{&c.Metadata}} },
			`SELECT id, metadata FROM calls WHERE id IN `+marks(1, len(args)), args...)
		if err != nil {
			return nil, err
		}
		for i := range found {
			if values := valuesOf(&found[i], keys); len(values) > 0 {
				out[found[i].ID] = values
			}
		}
	}
	return out, nil
}

// valuesOf are those of the call's metadata under the keys, as filters compare them.
func valuesOf(c *call.Call, keys []string) map[string]string {
	out := map[string]string{}
	for _, key := range keys {
		if value, ok := c.Metadata[key]; ok {
			out[key] = metadataText(value)
		}
	}
	return out
}
