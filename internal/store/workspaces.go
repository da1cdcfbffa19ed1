package store

import (
	"context"
	"time"

	"github.com/ringtrue/ringtrue/internal/workspace"
)

const (
	workspaceColumns = "id, name, created_at"
	keyColumns       = "id, workspace_id, name, prefix, sha256, created_at, last_used_at, revoked_at, made_by, made_by_name"
)

func workspaceFields(w *workspace.Workspace) []any {
	return []any{&w.ID, &w.Name, micros{&w.CreatedAt}}
}

func keyFields(k *workspace.Key) []any {
	return []any{
		&k.ID, &k.WorkspaceID, &k.Name, &k.Prefix, &k.SHA256,
		micros{&k.CreatedAt}, micros{&k.LastUsedAt}, micros{&k.RevokedAt}, &k.MadeBy, &k.MadeByName,
	}
}

// InsertWorkspace implements workspace.Tx.
func (tx *Tx) InsertWorkspace(ctx context.Context, w workspace.Workspace) error {
	return tx.insert(ctx, "workspaces", workspaceColumns, workspaceFields(&w))
}

// Workspaces implements workspace.Tx.
func (tx *Tx) Workspaces(ctx context.Context) ([]workspace.Workspace, error) {
	return all(ctx, tx, workspaceFields, `SELECT `+workspaceColumns+` FROM workspaces ORDER BY id`)
}

// LockFirst implements workspace.Tx.
func (tx *Tx) LockFirst(ctx context.Context) error {
	_, err := tx.lockGate(ctx, "first workspace")
	return err
}

// RenameWorkspace implements people.WorkspaceRows.
func (tx *Tx) RenameWorkspace(ctx context.Context, id, name string) error {
	return tx.mustChange(ctx, "workspace", id, `UPDATE workspaces SET name = $2 WHERE id = $1`, id, name)
}

// InsertKey implements workspace.Tx.
func (tx *Tx) InsertKey(ctx context.Context, k workspace.Key) error {
	return tx.insert(ctx, "api_keys", keyColumns, keyFields(&k))
}

// KeyByPrefix implements workspace.Tx.
func (tx *Tx) KeyByPrefix(ctx context.Context, prefix string) (workspace.Key, bool, error) {
	return one(ctx, tx, keyFields, `SELECT `+keyColumns+` FROM api_keys WHERE prefix = $1 AND revoked_at = 0`, prefix)
}

// Keys implements workspace.Tx: all of them, newest first, revoked ones too.
func (tx *Tx) Keys(ctx context.Context, workspaceID string) ([]workspace.Key, error) {
	return all(ctx, tx, keyFields, `SELECT `+keyColumns+` FROM api_keys WHERE workspace_id = $1 ORDER BY id DESC`, workspaceID)
}

// RevokeKey implements workspace.Tx. A key that is revoked already keeps its time.
func (tx *Tx) RevokeKey(ctx context.Context, workspaceID, id string, now time.Time) error {
	return tx.mustChange(ctx, "key", id,
		`UPDATE api_keys SET revoked_at = CASE revoked_at WHEN 0 THEN $3 ELSE revoked_at END WHERE workspace_id = $1 AND id = $2`,
		workspaceID, id, toMicros(now))
}

// TouchKey implements workspace.Tx.
func (tx *Tx) TouchKey(ctx context.Context, id string, now time.Time) error {
	return tx.mustChange(ctx, "key", id, `UPDATE api_keys SET last_used_at = $2 WHERE id = $1`, id, toMicros(now))
}
