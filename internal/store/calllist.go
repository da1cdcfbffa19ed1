package store

import (
	"context"
	"slices"

	"github.com/ringtrue/ringtrue/internal/archive"
	"github.com/ringtrue/ringtrue/internal/call"
)

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
