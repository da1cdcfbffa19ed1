package store

import (
	"context"

	"github.com/ringtrue/ringtrue/internal/call"
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
	rows := make([][]any, len(calls))
	for i := range calls {
		rows[i] = append(callFields(&calls[i]), callDerivedFrom(&calls[i])...)
	}
	err := tx.insertLater(ctx, "calls", callColumns+", "+callDerived, rows...)
	if err != nil || !findable {
		return err
	}
	return tx.insertLater(ctx, "call_metadata", metadataColumns, allMetadata(calls)...)
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

// EndCallsOf implements experiment.CallRows.
func (tx *Tx) EndCallsOf(ctx context.Context, experimentID string, as call.Call) error {
	_, err := tx.exec(ctx, `UPDATE calls SET status = $2, scoring_status = $3, end_code = $4, end_blame = $5, end_detail = $6, ended_at = $7
		WHERE experiment_id = $1 AND experiment_id <> '' AND status NOT IN ('ENDED', 'FAILED', 'CANCELED')`,
		experimentID, as.Status, as.ScoringStatus, as.EndReason.Code, as.EndReason.Blame, as.EndReason.Detail, micros{&as.EndedAt})
	return err
}
