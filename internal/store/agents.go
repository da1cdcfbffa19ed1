package store

import (
	"context"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// agents is how agents are kept, see deletable.
func agents() deletable[scenario.Agent] {
	return deletable[scenario.Agent]{
		thing: "agent", table: "agents",
		columns: "id, workspace_id, name, source_id, defaults, created_at, updated_at",
		fields: func(a *scenario.Agent) []any {
			return []any{&a.ID, &a.WorkspaceID, &a.Name, &a.SourceID, doc{&a.Defaults}, micros{&a.CreatedAt}, micros{&a.UpdatedAt}}
		},
	}
}

// InsertAgent implements catalog.AgentRows.
func (tx *Tx) InsertAgent(ctx context.Context, a scenario.Agent) error {
	tx.made("agent", a.ID, 0)
	return sourceTaken(a, agents().insert(ctx, tx, a))
}

func sourceTaken(a scenario.Agent, err error) error {
	if problem.Is(err, problem.Conflict) {
		return problem.New(problem.Conflict, "there is an agent with the source id %q already", a.SourceID).Because(err)
	}
	return err
}

// AgentByID implements catalog.AgentRows. A deleted agent is missing.
func (tx *Tx) AgentByID(ctx context.Context, workspaceID, id string) (scenario.Agent, error) {
	return agents().byID(ctx, tx, workspaceID, id)
}

// LockAgent implements catalog.AgentRows.
func (tx *Tx) LockAgent(ctx context.Context, workspaceID, id string) (scenario.Agent, error) {
	return agents().lock(ctx, tx, workspaceID, id)
}

// AgentBySourceID implements calllog.Tx.
func (tx *Tx) AgentBySourceID(ctx context.Context, workspaceID, sourceID string) (scenario.Agent, bool, error) {
	if sourceID == "" {
		return scenario.Agent{}, false, nil
	}
	return one(ctx, tx, agents().fields, agents().alive(`workspace_id = $1 AND source_id = $2 AND source_id <> ''`), workspaceID, sourceID)
}

// Agents implements catalog.AgentRows.
func (tx *Tx) Agents(ctx context.Context, workspaceID string, limit int, cursor string) ([]scenario.Agent, error) {
	return agents().newest(ctx, tx, workspaceID, limit, cursor)
}

// UpdateAgent implements catalog.AgentRows.
func (tx *Tx) UpdateAgent(ctx context.Context, a scenario.Agent) error {
	return sourceTaken(a, tx.mustChange(ctx, "agent", a.ID,
		`UPDATE agents SET name = $3, source_id = $4, defaults = $5, updated_at = $6
		WHERE workspace_id = $1 AND id = $2 AND deleted_at = 0`,
		a.WorkspaceID, a.ID, a.Name, a.SourceID, doc{&a.Defaults}, micros{&a.UpdatedAt}))
}

// DeleteAgent implements catalog.AgentRows. The row stays for the experiments that used it.
func (tx *Tx) DeleteAgent(ctx context.Context, workspaceID, id string, now time.Time) error {
	return agents().remove(ctx, tx, workspaceID, id, now)
}
