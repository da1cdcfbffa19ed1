package store

import (
	"context"
	"fmt"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

const agentColumns = "id, workspace_id, name, source_id, defaults, created_at, updated_at"

func agentFields(a *scenario.Agent) []any {
	return []any{&a.ID, &a.WorkspaceID, &a.Name, &a.SourceID, doc{&a.Defaults}, micros{&a.CreatedAt}, micros{&a.UpdatedAt}}
}

// InsertAgent implements catalog.AgentRows.
func (tx *Tx) InsertAgent(ctx context.Context, a scenario.Agent) error {
	tx.made(a.ID, 0)
	return sourceTaken(a, tx.insert(ctx, "agents", agentColumns, agentFields(&a)))
}

func sourceTaken(a scenario.Agent, err error) error {
	if problem.Is(err, problem.Conflict) {
		return problem.New(problem.Conflict, "there is an agent with the source id %q already", a.SourceID).Because(err)
	}
	return err
}

const agentByID = `SELECT ` + agentColumns + ` FROM agents WHERE workspace_id = $1 AND id = $2 AND deleted_at = 0`

// AgentByID implements catalog.AgentRows. A deleted agent is missing.
func (tx *Tx) AgentByID(ctx context.Context, workspaceID, id string) (scenario.Agent, error) {
	return need(ctx, tx, "agent", id, agentFields, agentByID, workspaceID, id)
}

// LockAgent implements catalog.AgentRows.
func (tx *Tx) LockAgent(ctx context.Context, workspaceID, id string) (scenario.Agent, error) {
	return need(ctx, tx, "agent", id, agentFields, agentByID+tx.store.engine.LockClause(), workspaceID, id)
}

// AgentBySourceID implements calllog.Tx.
func (tx *Tx) AgentBySourceID(ctx context.Context, workspaceID, sourceID string) (scenario.Agent, bool, error) {
	if sourceID == "" {
		return scenario.Agent{}, false, nil
	}
	return one(ctx, tx, agentFields,
		`SELECT `+agentColumns+` FROM agents WHERE workspace_id = $1 AND source_id = $2 AND source_id <> '' AND deleted_at = 0`,
		workspaceID, sourceID)
}

// Agents implements catalog.AgentRows.
func (tx *Tx) Agents(ctx context.Context, workspaceID string, limit int, cursor string) ([]scenario.Agent, error) {
	return listAlive(ctx, tx, "agents", agentColumns, agentFields, workspaceID, limit, cursor)
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
	return tx.deleteSoftly(ctx, "agent", "agents", workspaceID, id, now)
}

func (tx *Tx) deleteSoftly(ctx context.Context, thing, table, workspaceID, id string, now time.Time) error {
	return tx.mustChange(ctx, thing, id, fmt.Sprintf(
		`UPDATE %s SET deleted_at = $3 WHERE workspace_id = $1 AND id = $2 AND deleted_at = 0`, table),
		workspaceID, id, toMicros(now))
}

// listAlive is a page of a table whose rows are deleted softly.
func listAlive[T any](ctx context.Context, tx *Tx, table, columns string, fields func(*T) []any, workspaceID string, limit int, cursor string) ([]T, error) {
	var where conditions
	where.add("workspace_id = ?", workspaceID)
	where.add("deleted_at = 0")
	tail := where.page(limit, cursor)
	return all(ctx, tx, fields, "SELECT "+columns+" FROM "+table+tail, where.args...)
}
