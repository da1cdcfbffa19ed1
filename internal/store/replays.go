package store

import (
	"context"
	"strings"

	"github.com/ringtrue/ringtrue/internal/review"
)

const replayColumns = "id, workspace_id, scope, state, last_call, total, reviewed, skipped, failed, created_at, updated_at, finished_at"

func replayFields(r *review.Replay) []any {
	return []any{
		&r.ID, &r.WorkspaceID, doc{&r.Scope}, &r.State, &r.LastCall, &r.Total, &r.Reviewed, &r.Skipped, &r.Failed,
		micros{&r.CreatedAt}, micros{&r.UpdatedAt}, micros{&r.FinishedAt},
	}
}

// InsertReplay implements review.ReplayRows.
func (tx *Tx) InsertReplay(ctx context.Context, r review.Replay) error {
	tx.made("", r.ID, 0)
	return tx.insert(ctx, "replays", replayColumns, replayFields(&r))
}

// ReplayByID implements review.ReplayRows.
func (tx *Tx) ReplayByID(ctx context.Context, workspaceID, id string) (review.Replay, error) {
	return tx.replayByID(ctx, workspaceID, id, "")
}

// LockReplay implements review.ReplayRows.
func (tx *Tx) LockReplay(ctx context.Context, workspaceID, id string) (review.Replay, error) {
	return tx.replayByID(ctx, workspaceID, id, tx.store.engine.LockClause())
}

func (tx *Tx) replayByID(ctx context.Context, workspaceID, id, lock string) (review.Replay, error) {
	var where conditions
	where.add("id = ?", id)
	where.equal("workspace_id", workspaceID)
	return need(ctx, tx, "replay", id, replayFields, `SELECT `+replayColumns+` FROM replays
		WHERE `+strings.Join(where.parts, " AND ")+lock, where.args...)
}

// SaveReplay implements review.ReplayRows: how far it has come.
func (tx *Tx) SaveReplay(ctx context.Context, r review.Replay) error {
	return tx.mustChange(ctx, "replay", r.ID, `UPDATE replays SET state = $2, last_call = $3, total = $4, reviewed = $5, skipped = $6,
		failed = $7, updated_at = $8, finished_at = $9 WHERE id = $1`, r.ID, &r.State, r.LastCall, r.Total, r.Reviewed, r.Skipped,
		r.Failed, micros{&r.UpdatedAt}, micros{&r.FinishedAt})
}

// Replays implements review.ReplayRows.
func (tx *Tx) Replays(ctx context.Context, workspaceID string, limit int, cursor string) ([]review.Replay, error) {
	var where conditions
	where.add("workspace_id = ?", workspaceID)
	tail := where.page(limit, cursor)
	return all(ctx, tx, replayFields, `SELECT `+replayColumns+` FROM replays`+tail, where.args...)
}

// ToReplay implements review.ReplayRows.
func (tx *Tx) ToReplay(ctx context.Context, workspaceID string, s review.Scope, after string, limit int) ([]string, error) {
	where := reach(workspaceID, s)
	where.add("id > ?", after)
	where.args = append(where.args, limit)
	return all(ctx, tx, scalar[string], `SELECT id FROM calls WHERE `+strings.Join(where.parts, " AND ")+
		` ORDER BY id LIMIT `+place(len(where.args)), where.args...)
}

// CountToReplay implements review.ReplayRows.
func (tx *Tx) CountToReplay(ctx context.Context, workspaceID string, s review.Scope) (int, error) {
	where := reach(workspaceID, s)
	n, _, err := one(ctx, tx, scalar[int], `SELECT COUNT(*) FROM calls WHERE `+strings.Join(where.parts, " AND "), where.args...)
	return n, err
}

// reach narrows calls to those a replay is about: over, reviewed before, and
// begun within its times. A call whose beginning is not known counts from when it was stored.
func reach(workspaceID string, s review.Scope) *conditions {
	var where conditions
	where.add("workspace_id = ?", workspaceID)
	where.add("scoring_status IN ('SCORED', 'SCORING_FAILED')")
	where.equal("agent_id", s.AgentID)
	where.equal("origin", string(s.Origin))
	if !s.Since.IsZero() {
		where.add("begun_at >= ?", toMicros(s.Since))
	}
	if !s.Until.IsZero() {
		where.add("begun_at < ?", toMicros(s.Until))
	}
	if !s.Before.IsZero() {
		where.add("created_at < ?", toMicros(s.Before))
	}
	return &where
}
