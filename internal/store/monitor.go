package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/monitor"
	"github.com/ringtrue/ringtrue/internal/pack"
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
		return pack.ErrUnreadable
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
	if err := tx.dropUpset(ctx, f.CallID); err != nil {
		return err
	}
	_, err := tx.exec(ctx, `INSERT INTO monitor_facts (`+factColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
		ON CONFLICT (call_id) DO UPDATE SET workspace_id = excluded.workspace_id, origin = excluded.origin, agent_id = excluded.agent_id,
		at = excluded.at, failure = excluded.failure, act = excluded.act, upset = excluded.upset, quote = excluded.quote,
		figures = excluded.figures`, factRow(&f)...)
	if err != nil {
		return err
	}
	return tx.putUpset(ctx, []monitor.Fact{f})
}

// PutFacts stores facts of calls that have none, many at a time: it is for whoever fills a
// database with a history to test or measure on. The service stores one with each review.
func (tx *Tx) PutFacts(ctx context.Context, facts []monitor.Fact) error {
	rows := make([][]any, len(facts))
	for i := range facts {
		rows[i] = factRow(&facts[i])
	}
	if err := tx.insert(ctx, "monitor_facts", factColumns, rows...); err != nil {
		return err
	}
	return tx.putUpset(ctx, facts)
}

// putUpset says by dimension which of the facts are of upset callers.
func (tx *Tx) putUpset(ctx context.Context, facts []monitor.Fact) error {
	var rows [][]any
	for i := range facts {
		f := &facts[i]
		if !f.Upset {
			continue
		}
		for dim, value := range f.Dims {
			rows = append(rows, []any{f.WorkspaceID, f.Origin, dim, value, toMicros(f.At), f.CallID, f.AgentID})
		}
	}
	return tx.insert(ctx, "monitor_upset", "workspace_id, origin, dim, value, at, call_id, agent_id", rows...)
}

// dropUpset takes back what putUpset said of the call.
func (tx *Tx) dropUpset(ctx context.Context, callID string) error {
	f, ok, err := one(ctx, tx, factFields, `SELECT `+factColumns+` FROM monitor_facts WHERE call_id = $1 AND upset = 1`, callID)
	if err != nil || !ok {
		return err
	}
	for dim, value := range f.Dims {
		if _, err := tx.exec(ctx, `DELETE FROM monitor_upset
			WHERE workspace_id = $1 AND origin = $2 AND dim = $3 AND value = $4 AND at = $5 AND call_id = $6`,
			f.WorkspaceID, f.Origin, dim, value, toMicros(f.At), callID); err != nil {
			return err
		}
	}
	return nil
}

// FactByCall implements monitor.FactRows.
func (tx *Tx) FactByCall(ctx context.Context, callID string) (monitor.Fact, bool, error) {
	return one(ctx, tx, factFields, `SELECT `+factColumns+` FROM monitor_facts WHERE call_id = $1`, callID)
}

// DeleteFact implements monitor.FactRows.
func (tx *Tx) DeleteFact(ctx context.Context, callID string) error {
	if err := tx.dropUpset(ctx, callID); err != nil {
		return err
	}
	_, err := tx.exec(ctx, `DELETE FROM monitor_facts WHERE call_id = $1`, callID)
	return err
}

// FactsBetween implements monitor.FactRows.
func (tx *Tx) FactsBetween(ctx context.Context, workspaceID, origin string, from, until time.Time) ([]monitor.Fact, error) {
	return tx.factsBetween(ctx, workspaceID, origin, from, until, "")
}

// FactsToChange implements monitor.FactRows.
func (tx *Tx) FactsToChange(ctx context.Context, workspaceID, origin string, from, until time.Time) ([]monitor.Fact, error) {
	return tx.factsBetween(ctx, workspaceID, origin, from, until, tx.held())
}

func (tx *Tx) factsBetween(ctx context.Context, workspaceID, origin string, from, until time.Time, held string) ([]monitor.Fact, error) {
	return all(ctx, tx, factFields, `SELECT `+factColumns+` FROM monitor_facts
		WHERE workspace_id = $1 AND origin = $2 AND at >= $3 AND at < $4 ORDER BY at`+held, workspaceID, origin, toMicros(from), toMicros(until))
}

// HoldFact implements monitor.FactRows.
func (tx *Tx) HoldFact(ctx context.Context, callID string) error {
	_, _, err := one(ctx, tx, scalar[int64], `SELECT 1 FROM monitor_facts WHERE call_id = $1`+tx.held(), callID)
	return err
}

// UpsetFacts implements monitor.FactRows. Without a dimension the condition on
// upset is that of the partial indices.
func (tx *Tx) UpsetFacts(ctx context.Context, workspaceID string, q monitor.UpsetQuery) ([]monitor.Fact, error) {
	var where conditions
	where.add("workspace_id = ?", workspaceID)
	where.add("origin = ?", q.Origin)
	where.agent(q.Agent)
	switch {
	case q.Dim == "":
		where.add("upset = 1")
	case q.Value == monitor.Other: // rows have the value itself, also where it is counted as one of the others
		where.add("dim = ? AND (value = ? OR value NOT IN (SELECT value FROM monitor_texts WHERE workspace_id = ? AND kind = ?))",
			q.Dim, q.Value, workspaceID, monitor.KindDim+q.Dim)
	default:
		where.add("dim = ? AND value = ?", q.Dim, q.Value)
	}
	where.add("at >= ?", toMicros(q.From))
	until := q.Until
	if !q.Before.IsZero() {
		where.add("(at < ? OR at = ? AND call_id < ?)", toMicros(q.Before), toMicros(q.Before), q.BeforeCall)
		until = earlier(q.Before.Add(time.Microsecond), until)
	}
	where.add("at < ?", toMicros(until))
	if q.Dim == "" {
		return all(ctx, tx, factFields, `SELECT `+factColumns+` FROM monitor_facts`+where.newest(q.Limit), where.args...)
	}
	return all(ctx, tx, factFields, `SELECT `+factColumns+` FROM monitor_facts WHERE call_id IN
		(SELECT call_id FROM monitor_upset`+where.newest(q.Limit)+`) ORDER BY at DESC, call_id DESC`, where.args...)
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// newest closes a list that runs by time.
func (c *conditions) newest(limit int) string {
	c.args = append(c.args, limit)
	return " WHERE " + strings.Join(c.parts, " AND ") + " ORDER BY at DESC, call_id DESC LIMIT " + marks(len(c.args), 1)
}

// WaitingBetween implements monitor.WaitingRows.
func (tx *Tx) WaitingBetween(ctx context.Context, workspaceID, origin, agent string, from, until time.Time) (map[time.Time]int, error) {
	type waiting struct {
		hour int64
		n    int
	}
	var where conditions
	where.add("workspace_id = ? AND origin = ?", workspaceID, origin)
	where.add("begun_at >= ? AND begun_at < ?", toMicros(from), toMicros(until))
	where.add("scoring_status IN (?, ?)", string(call.ScoringPending), string(call.ScoringNow))
	where.agent(agent)
	hour := time.Hour.Microseconds()
	rows, err := all(ctx, tx, func(w *waiting) []any { return []any{&w.hour, &w.n} },
		fmt.Sprintf("SELECT begun_at / %d, COUNT(*) FROM calls%s GROUP BY begun_at / %d", hour, where.text(), hour), where.args...)
	if err != nil {
		return nil, err
	}
	out := make(map[time.Time]int, len(rows))
	for _, w := range rows {
		out[time.UnixMicro(w.hour*hour).UTC()] = w.n
	}
	return out, nil
}

// agent narrows to the calls of an agent, or of none.
func (c *conditions) agent(agent string) {
	if agent == bucket.NoAgent {
		c.add("agent_id = ''")
		return
	}
	c.equal("agent_id", agent)
}

// unreviewed is the condition of the index calls_waiting.
const unreviewed = "scoring_status IN ('PENDING', 'SCORING')"

// Waiting implements monitor.WaitingRows. What is asked for is in the words of the index
// calls_waiting, of which only so much is read, however few calls are the agent's.
func (tx *Tx) Waiting(ctx context.Context, workspaceID, origin, agent string, limit int) ([]time.Time, error) {
	const read = 10_000
	var first conditions
	first.add("workspace_id = ? AND origin = ? AND status IN ('ENDED', 'FAILED') AND "+unreviewed, workspaceID, origin)
	text := `SELECT begun_at FROM (SELECT begun_at, agent_id FROM calls` + first.text() + ` ORDER BY id` + first.limit(read) + `) AS first`
	where := conditions{parts: []string{"TRUE"}, args: first.args}
	where.agent(agent)
	return all(ctx, tx, func(t *time.Time) []any { return []any{micros{t}} }, text+where.text()+where.limit(limit), where.args...)
}

// CallersOf implements monitor.CallerRows.
func (tx *Tx) CallersOf(ctx context.Context, callIDs []string) (map[string]string, error) {
	out := make(map[string]string, len(callIDs))
	for chunk := range slices.Chunk(callIDs, maxParameters) {
		args := make([]any, len(chunk))
		for i, id := range chunk {
			args[i] = id
		}
		found, err := all(ctx, tx, func(c *call.Call) []any { return []any{&c.ID, &c.From} },
			`SELECT id, from_number FROM calls WHERE from_number <> '' AND id IN `+marks(1, len(args)), args...)
		if err != nil {
			return nil, err
		}
		for i := range found {
			out[found[i].ID] = found[i].From
		}
	}
	return out, nil
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
