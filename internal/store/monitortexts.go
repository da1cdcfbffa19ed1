package store

import (
	"context"
	"strconv"
	"strings"

	"github.com/ringtrue/ringtrue/internal/monitor"
)

// Texts implements monitor.TextRows.
func (tx *Tx) Texts(ctx context.Context, workspaceID string, kinds ...string) ([]monitor.Value, error) {
	var where conditions
	where.add("workspace_id = ?", workspaceID)
	if len(kinds) > 0 {
		wanted := make([]any, len(kinds))
		for i, kind := range kinds {
			wanted[i] = kind
		}
		where.args = append(where.args, wanted...)
		where.parts = append(where.parts, "kind IN "+marks(2, len(kinds)))
	}
	return all(ctx, tx, func(v *monitor.Value) []any { return []any{&v.Kind, &v.ID, &v.Text, &v.Detail} },
		`SELECT kind, number, value, detail FROM monitor_texts WHERE `+strings.Join(where.parts, " AND "), where.args...)
}

// PutTexts implements monitor.TextRows.
func (tx *Tx) PutTexts(ctx context.Context, workspaceID string, values []monitor.Value) error {
	rows := make([][]any, len(values))
	for i, v := range values {
		rows[i] = []any{workspaceID, v.Kind, v.ID, v.Text, v.Detail}
	}
	return tx.insert(ctx, "monitor_texts", "workspace_id, kind, number, value, detail", rows...)
}

// ForgetText implements monitor.TextRows.
func (tx *Tx) ForgetText(ctx context.Context, workspaceID, act, failure string) error {
	if err := tx.forgetText(ctx, workspaceID, monitor.KindAct, "act", act); err != nil {
		return err
	}
	return tx.forgetText(ctx, workspaceID, monitor.KindFailure, "failure", failure)
}

// forgetText blots out a text that no fact has in the column.
func (tx *Tx) forgetText(ctx context.Context, workspaceID, kind, column, value string) error {
	if value == "" {
		return nil
	}
	_, held, err := one(ctx, tx, scalar[int64], `SELECT 1 FROM monitor_facts
		WHERE workspace_id = $1 AND `+column+` <> '' AND `+column+` = $2 LIMIT 1`, workspaceID, value)
	if err != nil || held {
		return err
	}
	return tx.blotOut(ctx, workspaceID, kind, value)
}

// ForgetValue implements monitor.TextRows. Whatever series holds the value, that of
// all agents holds it too.
func (tx *Tx) ForgetValue(ctx context.Context, workspaceID, dim, value string) error {
	_, held, err := one(ctx, tx, scalar[int64], `SELECT 1 FROM monitor_rolls
		WHERE workspace_id = $1 AND origin IN ('production', 'simulated') AND agent_id = '' AND dim = $2 AND value = $3 LIMIT 1`,
		workspaceID, dim, value)
	if err != nil || held {
		return err
	}
	if _, err := tx.exec(ctx, `DELETE FROM monitor_reports WHERE workspace_id = $1 AND dim = $2 AND value = $3`, workspaceID, dim, value); err != nil {
		return err
	}
	return tx.blotOut(ctx, workspaceID, monitor.KindDim+dim, value)
}

// blotOut puts the number of a text in its place.
func (tx *Tx) blotOut(ctx context.Context, workspaceID, kind, value string) error {
	number, ok, err := one(ctx, tx, scalar[int], `SELECT number FROM monitor_texts
		WHERE workspace_id = $1 AND kind = $2 AND value = $3`, workspaceID, kind, value)
	if err != nil || !ok {
		return err
	}
	_, err = tx.exec(ctx, `UPDATE monitor_texts SET value = $4, detail = '' WHERE workspace_id = $1 AND kind = $2 AND number = $3`,
		workspaceID, kind, number, monitor.Erased+strconv.Itoa(number))
	return err
}
