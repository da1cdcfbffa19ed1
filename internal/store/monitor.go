package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/monitor"
)

const factColumns = "call_id, workspace_id, origin, agent_id, at, failure, act, upset, quote, figures"

func factFields(f *monitor.Fact) []any {
	return []any{
		&f.CallID, &f.WorkspaceID, &f.Origin, &f.AgentID, micros{&f.At}, &f.Failure, &f.Act, flag{&f.Upset}, &f.Quote, figures{&f.Figures},
	}
}

// figures keeps the numbers of a call in their packed form.
type figures struct{ f *monitor.Figures }

// Scan implements sql.Scanner.
func (f figures) Scan(src any) error {
	b, ok := src.([]byte)
	if !ok {
		return monitor.ErrPacked
	}
	return f.f.Unpack(b)
}

// factRow is the fact as an insert takes it.
func factRow(f *monitor.Fact) []any {
	row := factFields(f)
	row[len(row)-1] = f.Pack()
	return row
}

// PutFact implements monitor.FactRows.
func (tx *Tx) PutFact(ctx context.Context, f monitor.Fact) error {
	_, err := tx.exec(ctx, `INSERT INTO monitor_facts (`+factColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
		ON CONFLICT (call_id) DO UPDATE SET workspace_id = excluded.workspace_id, origin = excluded.origin, agent_id = excluded.agent_id,
		at = excluded.at, failure = excluded.failure, act = excluded.act, upset = excluded.upset, quote = excluded.quote,
		figures = excluded.figures`, factRow(&f)...)
	return err
}

// PutFacts implements monitor.FactRows.
func (tx *Tx) PutFacts(ctx context.Context, facts []monitor.Fact) error {
	rows := make([][]any, len(facts))
	for i := range facts {
		rows[i] = factRow(&facts[i])
	}
	return tx.insert(ctx, "monitor_facts", factColumns, rows...)
}

// FactByCall implements monitor.FactRows.
func (tx *Tx) FactByCall(ctx context.Context, callID string) (monitor.Fact, bool, error) {
	return one(ctx, tx, factFields, `SELECT `+factColumns+` FROM monitor_facts WHERE call_id = $1`, callID)
}

// DeleteFact implements monitor.FactRows.
func (tx *Tx) DeleteFact(ctx context.Context, callID string) error {
	_, err := tx.exec(ctx, `DELETE FROM monitor_facts WHERE call_id = $1`, callID)
	return err
}

// FactsBetween implements monitor.FactRows.
func (tx *Tx) FactsBetween(ctx context.Context, workspaceID, origin string, from, until time.Time) ([]monitor.Fact, error) {
	return all(ctx, tx, factFields, `SELECT `+factColumns+` FROM monitor_facts
		WHERE workspace_id = $1 AND origin = $2 AND at >= $3 AND at < $4 ORDER BY at`, workspaceID, origin, toMicros(from), toMicros(until))
}

// FindFacts implements monitor.FactRows. What the conditions say in words is
// what the partial indices are made for.
func (tx *Tx) FindFacts(ctx context.Context, workspaceID string, q monitor.FactQuery) ([]monitor.Fact, error) {
	var where conditions
	where.add("workspace_id = ?", workspaceID)
	where.add("origin = ?", q.Origin)
	switch q.Agent {
	case "":
	case monitor.NoAgent:
		where.add("agent_id = ''")
	default:
		where.add("agent_id = ?", q.Agent)
	}
	if q.Upset {
		where.add("upset = 1")
	}
	if q.Failure != "" {
		where.add("failure <> '' AND failure = ?", q.Failure)
	}
	where.add("at >= ?", toMicros(q.From))
	until := q.Until
	if !q.Before.IsZero() {
		where.add("(at < ? OR at = ? AND call_id < ?)", toMicros(q.Before), toMicros(q.Before), q.BeforeCall)
		until = q.Before.Add(time.Microsecond)
	}
	where.add("at < ?", toMicros(until))
	if q.Bare {
		bare := func(f *monitor.Fact) []any { return []any{&f.CallID, micros{&f.At}} }
		return all(ctx, tx, bare, `SELECT call_id, at FROM monitor_facts`+where.newest(q.Limit), where.args...)
	}
	return all(ctx, tx, factFields, `SELECT `+factColumns+` FROM monitor_facts`+where.newest(q.Limit), where.args...)
}

// newest closes a list that runs by time.
func (c *conditions) newest(limit int) string {
	c.args = append(c.args, limit)
	return " WHERE " + strings.Join(c.parts, " AND ") + " ORDER BY at DESC, call_id DESC LIMIT " + marks(len(c.args), 1)
}

// NextFact implements monitor.FactRows.
func (tx *Tx) NextFact(ctx context.Context, workspaceID, origin string, from time.Time) (time.Time, bool, error) {
	return one(ctx, tx, func(t *time.Time) []any { return []any{micros{t}} }, `SELECT at FROM monitor_facts
		WHERE workspace_id = $1 AND origin = $2 AND at >= $3 ORDER BY at LIMIT 1`, workspaceID, origin, toMicros(from))
}

func markFields(m *monitor.Mark) []any {
	return []any{&m.ID, &m.WorkspaceID, &m.Origin, micros{&m.Hour}}
}

const markColumns = "id, workspace_id, origin, hour"

// PutMarks implements monitor.MarkRows.
func (tx *Tx) PutMarks(ctx context.Context, added []monitor.Mark) error {
	rows := make([][]any, len(added))
	for i, m := range added {
		m.ID = NewID("mark")
		rows[i] = markFields(&m)
	}
	return tx.insert(ctx, "monitor_marks", markColumns, rows...)
}

// Marks implements monitor.MarkRows.
func (tx *Tx) Marks(ctx context.Context, workspaceID string, limit int) ([]monitor.Mark, error) {
	if workspaceID == "" {
		return all(ctx, tx, markFields, `SELECT `+markColumns+` FROM monitor_marks ORDER BY id LIMIT $1`, limit)
	}
	return all(ctx, tx, markFields, `SELECT `+markColumns+` FROM monitor_marks WHERE workspace_id = $1 ORDER BY id LIMIT $2`, workspaceID, limit)
}

// DeleteMarks implements monitor.MarkRows.
func (tx *Tx) DeleteMarks(ctx context.Context, ids []string) error {
	for chunk := range slices.Chunk(ids, maxParameters) {
		args := make([]any, len(chunk))
		for i, id := range chunk {
			args[i] = id
		}
		if _, err := tx.exec(ctx, `DELETE FROM monitor_marks WHERE id IN `+marks(1, len(args)), args...); err != nil {
			return err
		}
	}
	return nil
}

// HoldMonitor implements monitor.MarkRows.
func (tx *Tx) HoldMonitor(ctx context.Context) error {
	_, err := tx.lockGate(ctx, "monitor")
	return err
}
