package store

import (
	"context"
	"strings"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

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

// OutcomesOf implements experiment.ResultRows.
func (tx *Tx) OutcomesOf(ctx context.Context, experimentID string) ([]call.Call, error) {
	const columns = "id, item_id, position, repetition, status, scoring_status, verdict, verdict_reason, " +
		"end_code, end_blame, end_detail, started_at, answered_at, ended_at"
	calls, err := all(ctx, tx, func(c *call.Call) []any {
		return []any{
			&c.ID, &c.ItemID, &c.Position, &c.Repetition, &c.Status, &c.ScoringStatus, &c.Verdict, &c.VerdictReason,
			&c.EndReason.Code, &c.EndReason.Blame, &c.EndReason.Detail, micros{&c.StartedAt}, micros{&c.AnsweredAt}, micros{&c.EndedAt},
		}
	}, `SELECT `+columns+` FROM calls WHERE experiment_id = $1 AND experiment_id <> '' ORDER BY position, repetition, id`, experimentID)
	if err != nil {
		return nil, err
	}
	attempts, err := all(ctx, tx, func(a *call.Attempt) []any { return []any{&a.CallID, micros{&a.AnsweredAt}, micros{&a.EndedAt}} },
		`SELECT call_id, answered_at, ended_at FROM attempts`+ofExperiment, experimentID)
	share(calls, attempts)
	return calls, err
}

// ofExperiment are the attempts at the calls of an experiment, by call and number.
const ofExperiment = ` WHERE call_id IN (SELECT id FROM calls WHERE experiment_id = $1 AND experiment_id <> '') ORDER BY call_id, number`

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
	attempts, err := all(ctx, tx, attemptFields, `SELECT `+attemptColumns+` FROM attempts`+ofExperiment, experimentID)
	share(calls, attempts)
	return calls, err
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
