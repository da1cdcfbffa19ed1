package store

import (
	"context"

	"github.com/ringtrue/ringtrue/internal/savedview"
)

const (
	viewColumns = "id, workspace_id, person_id, page, name, query, shared, created_at, updated_at"
	viewSelect  = "id, workspace_id, COALESCE(person_id, ''), page, name, query, shared, created_at, updated_at"
)

func viewFields(v *savedview.View) []any {
	return []any{&v.ID, &v.WorkspaceID, &v.PersonID, &v.Page, &v.Name, &v.Query, flag{&v.Shared}, micros{&v.CreatedAt}, micros{&v.UpdatedAt}}
}

// InsertView implements savedview.Tx.
func (tx *Tx) InsertView(ctx context.Context, v savedview.View) error {
	tx.made("", v.ID, 0)
	row := viewFields(&v)
	if v.PersonID == "" {
		row[2] = nil
	}
	return tx.insert(ctx, "saved_views", viewColumns, row)
}

// ViewByID implements savedview.Tx.
func (tx *Tx) ViewByID(ctx context.Context, workspaceID, id string) (savedview.View, error) {
	return need(ctx, tx, "saved view", id, viewFields,
		`SELECT `+viewSelect+` FROM saved_views WHERE workspace_id = $1 AND id = $2`+tx.held(), workspaceID, id)
}

// Views implements savedview.Tx.
func (tx *Tx) Views(ctx context.Context, workspaceID, personID, page string, limit int, cursor string) ([]savedview.View, error) {
	var where conditions
	where.add("workspace_id = ?", workspaceID)
	where.equal("page", page)
	if personID == "" {
		where.add("shared = 1")
	} else {
		where.add("(shared = 1 OR person_id = ?)", personID)
	}
	tail := where.page(limit, cursor)
	return all(ctx, tx, viewFields, `SELECT `+viewSelect+` FROM saved_views`+tail, where.args...)
}

// CountViews implements savedview.Tx.
func (tx *Tx) CountViews(ctx context.Context, workspaceID, personID string) (int, error) {
	n, _, err := one(ctx, tx, scalar[int], `SELECT COUNT(*) FROM saved_views WHERE workspace_id = $1 AND COALESCE(person_id, '') = $2`, workspaceID, personID)
	return n, err
}

// UpdateView implements savedview.Tx.
func (tx *Tx) UpdateView(ctx context.Context, v savedview.View) error {
	return tx.mustChange(ctx, "saved view", v.ID,
		`UPDATE saved_views SET name = $3, query = $4, shared = $5, updated_at = $6 WHERE workspace_id = $1 AND id = $2`,
		v.WorkspaceID, v.ID, v.Name, v.Query, flag{&v.Shared}, micros{&v.UpdatedAt})
}

// DeleteView implements savedview.Tx.
func (tx *Tx) DeleteView(ctx context.Context, workspaceID, id string) error {
	return tx.mustChange(ctx, "saved view", id, `DELETE FROM saved_views WHERE workspace_id = $1 AND id = $2`, workspaceID, id)
}
