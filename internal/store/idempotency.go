package store

import (
	"context"
	"fmt"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// keyLife is how long an idempotency key is remembered.
const keyLife = 24 * time.Hour

// Remembered is what an idempotency key stands for.
type Remembered struct {
	// BodyHash is that of the request that made the things.
	BodyHash string
	// IDs are the things that were made.
	IDs []string
}

// Recall is what the key was remembered with; ok is false when it is new or
// older than 24 hours. It belongs at the start of the transaction that creates.
func (tx *Tx) Recall(ctx context.Context, workspaceID, operation, key string) (r Remembered, ok bool, err error) {
	return one(ctx, tx, func(r *Remembered) []any { return []any{&r.BodyHash, doc{&r.IDs}} },
		`SELECT body_hash, result_ids FROM idempotency_keys
		WHERE workspace_id = $1 AND operation = $2 AND name = $3 AND created_at >= $4`,
		workspaceID, operation, key, toMicros(tx.store.now().Add(-keyLife)))
}

// RememberKey keeps what was made under the key, with the transaction. When
// another transaction has remembered the same key meanwhile, this one is
// undone and Write runs its function again, whose Recall then finds it.
func (tx *Tx) RememberKey(ctx context.Context, workspaceID, operation, key, bodyHash string, resultIDs []string) error {
	now := tx.store.now()
	if _, err := tx.exec(ctx, `DELETE FROM idempotency_keys
		WHERE workspace_id = $1 AND operation = $2 AND name = $3 AND created_at < $4`,
		workspaceID, operation, key, toMicros(now.Add(-keyLife))); err != nil {
		return err
	}
	err := tx.insert(ctx, "idempotency_keys", "workspace_id, operation, name, body_hash, result_ids, created_at",
		[]any{workspaceID, operation, key, bodyHash, doc{&resultIDs}, micros{&now}})
	if problem.Is(err, problem.Conflict) {
		return fmt.Errorf("%w: %w", errAgain, err)
	}
	return err
}
