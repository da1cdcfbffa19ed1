package store

import (
	"context"

	"github.com/ringtrue/ringtrue/internal/scenario"
)

// AgentOf implements calllog.LinkRows.
func (tx *Tx) AgentOf(ctx context.Context, id string) (scenario.Agent, bool, error) {
	return one(ctx, tx, agents().fields, agents().alive(`id = $1`), id)
}

// LinkCalls implements calllog.LinkRows.
func (tx *Tx) LinkCalls(ctx context.Context, a scenario.Agent, limit int) ([]string, error) {
	if a.SourceID == "" {
		return nil, nil
	}
	ids, err := all(ctx, tx, scalar[string], `SELECT id FROM calls
		WHERE workspace_id = $1 AND agent_ref = $2 AND agent_id = '' AND agent_ref <> '' ORDER BY id LIMIT $3`+tx.store.engine.LockClause(),
		a.WorkspaceID, a.SourceID, limit)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		if _, err := tx.exec(ctx, `UPDATE calls SET agent_id = $2 WHERE id = $1`, id, a.ID); err != nil {
			return nil, err
		}
	}
	return ids, nil
}
