package store

import (
	"context"
	"time"
)

// keyLife is how long an idempotency key is remembered.
const keyLife = 24 * time.Hour

// Remembered is what an idempotency key was used for.
type Remembered struct {
	// Digest is that of the request: operation and body.
	Digest string
	// ID is what the request created, "" while that is not known.
	ID string
}

// TakeKey takes the key for a request. When it was taken before, within its
// life of 24 hours, taken is false and m says by what. Of several that take
// the same key at the same time exactly one gets it.
func (s *Store) TakeKey(ctx context.Context, workspaceID, key, digest string, now time.Time) (m Remembered, taken bool, err error) {
	err = s.Write(ctx, func(tx *Tx) error {
		if _, err := tx.exec(ctx, `DELETE FROM idempotency_keys WHERE workspace_id = $1 AND name = $2 AND created_at < $3`,
			workspaceID, key, toMicros(now.Add(-keyLife))); err != nil {
			return err
		}
		n, err := tx.exec(ctx, `INSERT INTO idempotency_keys (workspace_id, name, digest, result_id, created_at)
			VALUES ($1, $2, $3, '', $4) ON CONFLICT DO NOTHING`, workspaceID, key, digest, toMicros(now))
		if taken = n > 0; taken || err != nil {
			return err
		}
		m, err = need(ctx, tx, "idempotency key", key, func(m *Remembered) []any { return []any{&m.Digest, &m.ID} },
			`SELECT digest, result_id FROM idempotency_keys WHERE workspace_id = $1 AND name = $2`, workspaceID, key)
		return err
	})
	return m, taken, err
}

// RememberKey gives a taken key the id of what was created.
func (s *Store) RememberKey(ctx context.Context, workspaceID, key, id string) error {
	return s.Write(ctx, func(tx *Tx) error {
		return tx.mustChange(ctx, "idempotency key", key,
			`UPDATE idempotency_keys SET result_id = $3 WHERE workspace_id = $1 AND name = $2`, workspaceID, key, id)
	})
}

// DropKey gives a key free again, because nothing was created. A key that has its id stays.
func (s *Store) DropKey(ctx context.Context, workspaceID, key string) error {
	return s.Write(ctx, func(tx *Tx) error {
		_, err := tx.exec(ctx, `DELETE FROM idempotency_keys WHERE workspace_id = $1 AND name = $2 AND result_id = ''`, workspaceID, key)
		return err
	})
}
