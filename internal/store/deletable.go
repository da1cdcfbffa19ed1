package store

import (
	"context"
	"time"
)

// deletable is what agents and datasets have in common: rows of a workspace that are
// marked as deleted and stay, because experiments refer to them. A row that is marked
// is missing for everybody who reads through it.
type deletable[T any] struct {
	thing, table, columns string
	fields                func(*T) []any
}

// alive selects the rows that meet the condition and are not deleted.
func (d deletable[T]) alive(condition string) string {
	return `SELECT ` + d.columns + ` FROM ` + d.table + ` WHERE ` + condition + ` AND deleted_at = 0`
}

func (d deletable[T]) insert(ctx context.Context, tx *Tx, row T) error {
	return tx.insert(ctx, d.table, d.columns, d.fields(&row))
}

func (d deletable[T]) byID(ctx context.Context, tx *Tx, workspaceID, id string) (T, error) {
	return need(ctx, tx, d.thing, id, d.fields, d.alive(`workspace_id = $1 AND id = $2`), workspaceID, id)
}

// lock is byID of a row that nobody else changes until the end of the transaction.
func (d deletable[T]) lock(ctx context.Context, tx *Tx, workspaceID, id string) (T, error) {
	return need(ctx, tx, d.thing, id, d.fields, d.alive(`workspace_id = $1 AND id = $2`)+tx.store.engine.LockClause(), workspaceID, id)
}

// newest is a page of the list, newest first.
func (d deletable[T]) newest(ctx context.Context, tx *Tx, workspaceID string, limit int, cursor string) ([]T, error) {
	var where conditions
	where.add("workspace_id = ?", workspaceID)
	where.add("deleted_at = 0")
	tail := where.page(limit, cursor)
	return all(ctx, tx, d.fields, "SELECT "+d.columns+" FROM "+d.table+tail, where.args...)
}

// remove marks the row as deleted.
func (d deletable[T]) remove(ctx context.Context, tx *Tx, workspaceID, id string, now time.Time) error {
	return tx.mustChange(ctx, d.thing, id,
		`UPDATE `+d.table+` SET deleted_at = $3 WHERE workspace_id = $1 AND id = $2 AND deleted_at = 0`,
		workspaceID, id, toMicros(now))
}
