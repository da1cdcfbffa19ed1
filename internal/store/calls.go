package store

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ringtrue/ringtrue/internal/archive"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/monitor"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// What stays as a call was made, and what changes as it goes on.
const (
	callFixed = "id, workspace_id, origin, experiment_id, item_id, position, repetition, seed, created_at, room"
	callMoves = "agent_id, line, trunk, status, scoring_status, verdict, verdict_reason, end_code, end_blame, end_detail, " +
		"from_number, to_number, started_at, answered_at, ended_at, recording, external_id, metadata, " +
		"agent_ref, agent_inferred, kept"
	callDerived = "from_digits, to_digits, begun_at" // what lists are searched by, and their order
	callColumns = callFixed + ", " + callMoves
)

func callFixedFields(c *call.Call) []any {
	return []any{
		&c.ID, &c.WorkspaceID, &c.Origin, &c.ExperimentID, &c.ItemID, &c.Position, &c.Repetition, bits{&c.Seed},
		micros{&c.CreatedAt}, &c.Room,
	}
}

func callMoveFields(c *call.Call) []any {
	return []any{
		&c.AgentID, &c.Line, &c.Trunk, &c.Status, &c.ScoringStatus, &c.Verdict, &c.VerdictReason,
		&c.EndReason.Code, &c.EndReason.Blame, &c.EndReason.Detail, &c.From, &c.To,
		micros{&c.StartedAt}, micros{&c.AnsweredAt}, micros{&c.EndedAt},
		doc{&c.Recording}, &c.ExternalID, exactDoc{&c.Metadata},
		&c.AgentRef, flag{&c.AgentInferred}, &c.Keep,
	}
}

func callDerivedFrom(c *call.Call) []any {
	return []any{digits(c.From), digits(c.To), toMicros(c.Begun())}
}

func callFields(c *call.Call) []any { return append(callFixedFields(c), callMoveFields(c)...) }

// InsertCalls implements experiment.CallRows and calllog.Tx: items is nil, or
// holds the item that each call plays. Attempts are not written.
func (tx *Tx) InsertCalls(ctx context.Context, calls []call.Call, items []scenario.Item) error {
	rows, bodies := make([][]any, len(calls)), make([][]any, 0, len(items))
	for i := range calls {
		c := &calls[i]
		rows[i] = append(callFields(c), callDerivedFrom(c)...)
		if i < len(items) {
			body, err := tx.payloadRow(c.ID, payloadItem, items[i])
			if err != nil {
				return err
			}
			bodies = append(bodies, body)
		}
	}
	if err := tx.insert(ctx, "calls", callColumns+", "+callDerived, rows...); err != nil {
		return err
	}
	if err := tx.insert(ctx, "call_metadata", metadataColumns, allMetadata(calls)...); err != nil {
		return err
	}
	return tx.insert(ctx, "payloads", payloadColumns, bodies...)
}

// InsertArrived implements calllog.CallRows.
func (tx *Tx) InsertArrived(ctx context.Context, calls []call.Call, findable bool) error {
	if findable {
		return tx.InsertCalls(ctx, calls, nil)
	}
	rows := make([][]any, len(calls))
	for i := range calls {
		rows[i] = append(callFields(&calls[i]), callDerivedFrom(&calls[i])...)
	}
	return tx.insert(ctx, "calls", callColumns+", "+callDerived, rows...)
}

// MakeFindable implements calllog.CallRows. The calls are held, so that nobody
// changes their metadata meanwhile.
func (tx *Tx) MakeFindable(ctx context.Context, callIDs []string) error {
	for chunk := range slices.Chunk(callIDs, maxParameters) {
		args := make([]any, len(chunk))
		for i, id := range chunk {
			args[i] = id
		}
		args = padded(args)
		calls, err := all(ctx, tx, func(c *call.Call) []any { return []any{&c.ID, exactDoc{&c.Metadata}} },
			`SELECT id, metadata FROM calls WHERE id IN `+marks(1, len(args))+` ORDER BY id`+tx.store.engine.LockClause(), args...)
		if err != nil {
			return err
		}
		rows := allMetadata(calls)
		for some := range slices.Chunk(rows, maxParameters/4) {
			text, args := insertText("call_metadata", metadataColumns, some)
			if _, err := tx.exec(ctx, text+` ON CONFLICT DO NOTHING`, args...); err != nil {
				return err
			}
		}
	}
	return nil
}

func allMetadata(calls []call.Call) (rows [][]any) {
	for i := range calls {
		rows = append(rows, metadataRows(&calls[i])...)
	}
	return rows
}

// The metadata of calls stands once more in a table of its own, to filter lists
// by: a row per key. start is the beginning of the value, by which it is found,
// and rest what is behind that.
const (
	metadataColumns = "name, start, call_id, rest"
	// metadataStart is how many characters start has at most.
	metadataStart = 64
	// metadataName is how many bytes a key has at most by which calls can be
	// found: a database bounds what an index holds.
	metadataName = 256
)

func metadataRows(c *call.Call) [][]any {
	rows := make([][]any, 0, len(c.Metadata))
	for name, value := range c.Metadata {
		if len(name) > metadataName {
			continue
		}
		start, rest := metadataParts(metadataText(value))
		rows = append(rows, []any{name, start, c.ID, rest})
	}
	return rows
}

func metadataParts(value string) (start, rest string) {
	n := 0
	for at := range value {
		if n == metadataStart {
			return value[:at], value[at:]
		}
		n++
	}
	return value, ""
}

// metadataText is the form that filters compare: text as it is, anything else as JSON.
func metadataText(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	text, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(text)
}

// UpdateCall implements experiment.CallRows and review.Rows: everything but
// where the call belongs, when it was created, and its attempts.
func (tx *Tx) UpdateCall(ctx context.Context, c call.Call) error {
	before := call.Call{ID: c.ID}
	if err := tx.readMetadata(ctx, &before); err != nil {
		return err
	}
	args := append([]any{c.ID}, callMoveFields(&c)...)
	args = append(args, callDerivedFrom(&c)...)
	if err := tx.mustChange(ctx, "call", c.ID,
		`UPDATE calls SET `+update(callMoves+", "+callDerived, 2)+` WHERE id = $1`, args...); err != nil {
		return err
	}
	return tx.replaceMetadata(ctx, &before, &c)
}

func (tx *Tx) readMetadata(ctx context.Context, c *call.Call) error {
	_, err := need(ctx, tx, "call", c.ID, func(*struct{}) []any { return []any{exactDoc{&c.Metadata}} }, `SELECT metadata FROM calls WHERE id = $1`, c.ID)
	return err
}

// replaceMetadata writes the rows of the metadata anew, if they have changed:
// most changes of a call have nothing to do with them.
func (tx *Tx) replaceMetadata(ctx context.Context, before, after *call.Call) error {
	same := func(a, b any) bool { return metadataText(a) == metadataText(b) }
	if maps.EqualFunc(before.Metadata, after.Metadata, same) {
		return nil
	}
	for _, row := range metadataRows(before) {
		if _, err := tx.exec(ctx, `DELETE FROM call_metadata WHERE name = $1 AND start = $2 AND call_id = $3`, row[:3]...); err != nil {
			return err
		}
	}
	return tx.insert(ctx, "call_metadata", metadataColumns, metadataRows(after)...)
}

// CallByID implements experiment.CallRows, review.Rows and archive.Tx.
func (tx *Tx) CallByID(ctx context.Context, workspaceID, id string) (call.Call, error) {
	return tx.callByID(ctx, workspaceID, id, "")
}

// LockCall implements experiment.CallLocks.
func (tx *Tx) LockCall(ctx context.Context, id string) (call.Call, error) {
	return tx.callByID(ctx, "", id, tx.store.engine.LockClause())
}

func (tx *Tx) callByID(ctx context.Context, workspaceID, id, lock string) (call.Call, error) {
	var where conditions
	where.add("id = ?", id)
	where.equal("workspace_id", workspaceID)
	c, err := need(ctx, tx, "call", id, callFields,
		`SELECT `+callColumns+` FROM calls WHERE `+strings.Join(where.parts, " AND ")+lock, where.args...)
	if err != nil {
		return c, err
	}
	c.Attempts, err = tx.AttemptsOf(ctx, id)
	return c, err
}

// CallsOf implements experiment.CallRows and archive.Tx: by item, then by repetition.
func (tx *Tx) CallsOf(ctx context.Context, experimentID string) ([]call.Call, error) {
	return tx.callsOf(ctx, experimentID, "")
}

// LockCallsOf implements experiment.CallLocks.
func (tx *Tx) LockCallsOf(ctx context.Context, experimentID string) ([]call.Call, error) {
	return tx.callsOf(ctx, experimentID, tx.store.engine.LockClause())
}

func (tx *Tx) callsOf(ctx context.Context, experimentID, lock string) ([]call.Call, error) {
	if experimentID == "" {
		return nil, nil
	}
	calls, err := all(ctx, tx, callFields, `SELECT `+callColumns+` FROM calls
		WHERE experiment_id = $1 AND experiment_id <> '' ORDER BY position, repetition, id`+lock, experimentID)
	if err != nil {
		return nil, err
	}
	attempts, err := all(ctx, tx, attemptFields, `SELECT `+attemptColumns+` FROM attempts
		WHERE call_id IN (SELECT id FROM calls WHERE experiment_id = $1 AND experiment_id <> '')
		ORDER BY call_id, number`, experimentID)
	share(calls, attempts)
	return calls, err
}

// Calls implements archive.Tx.
func (tx *Tx) Calls(ctx context.Context, workspaceID string, f archive.Filter, limit int, after archive.Place) ([]call.Call, error) {
	const order = " ORDER BY begun_at DESC, id DESC"
	if f.Left != nil || f.Dimension != "" {
		ids, err := tx.counted(ctx, workspaceID, f, limit, after)
		if err != nil || len(ids) == 0 {
			return nil, err
		}
		var calls []call.Call
		for chunk := range slices.Chunk(ids, maxParameters) { // in the order of the ids
			some, err := all(ctx, tx, callFields, `SELECT `+callColumns+` FROM calls WHERE id IN `+marks(1, len(chunk))+order, chunk...)
			if err != nil {
				return nil, err
			}
			calls = append(calls, some...)
		}
		return calls, tx.withAttempts(ctx, calls)
	}
	where, err := tx.narrowedBehind(ctx, workspaceID, f, after)
	if err != nil {
		return nil, err
	}
	// The inner query is answered from the index calls_listed alone.
	calls, err := all(ctx, tx, callFields, `SELECT `+callColumns+` FROM calls
		WHERE id IN (SELECT id FROM calls`+where.text()+order+where.limit(limit)+`)`+order, where.args...)
	if err != nil {
		return nil, err
	}
	return calls, tx.withAttempts(ctx, calls)
}

// withAttempts gives the calls of a list their attempts.
func (tx *Tx) withAttempts(ctx context.Context, calls []call.Call) error {
	ids := make([]any, len(calls))
	for i := range calls {
		ids[i] = calls[i].ID
	}
	for chunk := range slices.Chunk(ids, maxParameters) {
		attempts, err := all(ctx, tx, attemptFields, `SELECT `+attemptColumns+` FROM attempts
			WHERE call_id IN `+marks(1, len(chunk))+` ORDER BY call_id, number`, chunk...)
		if err != nil {
			return err
		}
		share(calls, attempts)
	}
	return nil
}

// Glances implements archive.Tx.
func (tx *Tx) Glances(ctx context.Context, ids []string) (map[string]archive.Glance, error) {
	type seen struct {
		id      string
		glance  archive.Glance
		figures monitor.Figures
	}
	out := make(map[string]archive.Glance, len(ids))
	for chunk := range slices.Chunk(ids, maxParameters) {
		args := make([]any, len(chunk))
		for i, id := range chunk {
			args[i] = id
		}
		felt, err := all(ctx, tx, func(s *seen) []any { return []any{&s.id, &s.glance.Sentiment, flag{&s.glance.Upset}} },
			`SELECT id, sentiment, upset FROM calls WHERE id IN `+marks(1, len(args)), args...)
		if err != nil {
			return nil, err
		}
		for _, s := range felt {
			out[s.id] = s.glance
		}
		timed, err := all(ctx, tx, func(s *seen) []any { return []any{&s.id, figures{&s.figures}} },
			`SELECT call_id, figures FROM monitor_facts WHERE call_id IN `+marks(1, len(args)), args...)
		if err != nil {
			return nil, err
		}
		for _, s := range timed {
			glance := out[s.id]
			glance.TurnLatency = median(s.figures.Latencies)
			out[s.id] = glance
		}
	}
	return out, nil
}

// median is that of times in seconds, interpolated as all percentiles are; nil of none.
func median(seconds []float64) *time.Duration {
	if len(seconds) == 0 {
		return nil
	}
	sorted := slices.Sorted(slices.Values(seconds))
	middle := (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
	d := time.Duration(middle * float64(time.Second))
	return &d
}

func narrow(workspaceID string, f archive.Filter) *conditions {
	var where conditions
	where.add("workspace_id = ?", workspaceID)
	where.equal("origin", string(f.Origin))
	if f.AgentID == monitor.NoAgent {
		where.add("agent_id = ''")
	} else {
		where.equal("agent_id", f.AgentID)
	}
	if f.ExperimentID != "" { // the second condition is that of the index, as below
		where.add("experiment_id = ? AND experiment_id <> ''", f.ExperimentID)
	}
	where.equal("status", string(f.Status))
	where.equal("scoring_status", string(f.ScoringStatus))
	where.equal("verdict", string(f.Verdict))
	where.equal("end_code", string(f.EndCode))
	where.equal("end_blame", string(f.Blame))
	where.equal("item_id", f.ItemID)
	if f.Sentiment != "" {
		where.add("sentiment = ? AND sentiment <> ''", string(f.Sentiment))
	}
	switch {
	case f.Upset == nil:
	case *f.Upset:
		where.add("upset = 1")
	default:
		where.add("upset = 0")
	}
	if !f.From.IsZero() {
		where.add("begun_at >= ?", toMicros(f.From))
	}
	if !f.Until.IsZero() {
		where.add("begun_at < ?", toMicros(f.Until))
	}
	where.search(f.Search)
	return &where
}

// rareValue is with how many calls a metadata value is worth to begin with.
const rareValue = 2000

// withMetadata narrows to calls with these values. Of a rare value the calls are
// looked up; where many calls have it each call is asked, as a page is full soon.
func (tx *Tx) withMetadata(ctx context.Context, where *conditions, metadata map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(metadata)) {
		start, rest := metadataParts(metadata[name])
		n, _, err := one(ctx, tx, scalar[int], `SELECT COUNT(*) FROM (SELECT 1 FROM call_metadata
			WHERE name = $1 AND start = $2 LIMIT $3) few`, name, start, rareValue+1)
		if err != nil {
			return err
		}
		if n <= rareValue {
			where.add("id IN (SELECT call_id FROM call_metadata WHERE name = ? AND start = ? AND rest = ?)", name, start, rest)
			continue
		}
		where.add("EXISTS (SELECT 1 FROM call_metadata m WHERE m.name = ? AND m.start = ? AND m.call_id = calls.id AND m.rest = ?)", name, start, rest)
	}
	return nil
}

// leastDigits is how many digits of a number it takes to search by them.
const leastDigits = 3

// search narrows to calls whose id, or whose platform's id for them, begins
// with the text, or one of whose numbers holds its digits.
func (c *conditions) search(text string) {
	text = strings.TrimSpace(text)
	if text == "" {
		return
	}
	n := utf8.RuneCountInString(text)
	either, args := "substr(id, 1, ?) = ? OR substr(external_id, 1, ?) = ?", []any{n, text, n, text}
	if number := digits(text); len(number) >= leastDigits && strings.Trim(text, "+0123456789 ()-./") == "" {
		either += " OR from_digits LIKE ? OR to_digits LIKE ?"
		args = append(args, "%"+number+"%", "%"+number+"%")
	}
	c.add("("+either+")", args...)
}

// share gives each call its attempts.
func share(calls []call.Call, attempts []call.Attempt) {
	byCall := make(map[string][]call.Attempt, len(calls))
	for _, a := range attempts {
		byCall[a.CallID] = append(byCall[a.CallID], a)
	}
	for i := range calls {
		if own := byCall[calls[i].ID]; own != nil {
			calls[i].Attempts = own
		}
	}
}

// ItemOf implements experiment.CallRows.
func (tx *Tx) ItemOf(ctx context.Context, callID string) (item scenario.Item, err error) {
	ok, err := tx.payload(ctx, callID, payloadItem, &item)
	if err == nil && !ok {
		err = problem.Missing("item of call", callID)
	}
	return item, err
}

// Tally implements experiment.CallRows.
func (tx *Tx) Tally(ctx context.Context, experimentID string) (experiment.Tally, error) {
	const over = `status IN ('ENDED', 'FAILED', 'CANCELED')`
	number := func(condition string) string {
		return `COALESCE(SUM(CASE WHEN ` + condition + ` THEN 1 ELSE 0 END), 0)`
	}
	verdict := func(v call.Verdict) string { return number(`verdict = '` + string(v) + `'`) }
	n, _, err := one(ctx, tx, func(n *experiment.Tally) []any {
		c := &n.Counts
		return []any{&n.OnLine, &n.Unsettled, &c.Calls, &c.Passed, &c.Failed, &c.Void, &c.NotEvaluated}
	}, `SELECT `+number(`NOT `+over)+`,
		`+number(`NOT (`+over+` AND scoring_status IN ('SCORED', 'SCORING_FAILED', 'SKIPPED'))`)+`, COUNT(*),
		`+verdict(call.Passed)+`, `+verdict(call.NotPassed)+`, `+verdict(call.Void)+`, `+verdict(call.NotEvaluated)+`
		FROM calls WHERE experiment_id = $1 AND experiment_id <> ''`, experimentID)
	return n, err
}
