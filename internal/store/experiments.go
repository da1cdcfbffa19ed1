package store

import (
	"context"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
)

const experimentColumns = "id, workspace_id, agent_id, dataset_id, dataset_version, line, to_number, status, verdict, " +
	"reason, rerun_of, plan, counts, created_at, started_at, finished_at"

func experimentFields(e *experiment.Experiment) []any {
	return []any{
		&e.ID, &e.WorkspaceID, &e.AgentID, &e.DatasetID, &e.DatasetVersion, &e.Line, &e.To, &e.Status, &e.Verdict,
		&e.Reason, &e.RerunOf, doc{&e.Plan}, doc{&e.Counts}, micros{&e.CreatedAt}, micros{&e.StartedAt}, micros{&e.FinishedAt},
	}
}

// InsertExperiment implements experiment.ExperimentRows.
func (tx *Tx) InsertExperiment(ctx context.Context, e experiment.Experiment) error {
	tx.made("experiment", e.ID, 0)
	return tx.insert(ctx, "experiments", experimentColumns, experimentFields(&e))
}

// ExperimentByID implements experiment.ExperimentRows.
func (tx *Tx) ExperimentByID(ctx context.Context, workspaceID, id string) (experiment.Experiment, error) {
	return need(ctx, tx, "experiment", id, experimentFields,
		`SELECT `+experimentColumns+` FROM experiments WHERE workspace_id = $1 AND id = $2`, workspaceID, id)
}

// LockExperiment implements experiment.ExperimentRows.
func (tx *Tx) LockExperiment(ctx context.Context, id string) (experiment.Experiment, error) {
	return need(ctx, tx, "experiment", id, experimentFields,
		`SELECT `+experimentColumns+` FROM experiments WHERE id = $1`+tx.store.engine.LockClause(), id)
}

// UpdateExperiment implements experiment.ExperimentRows: how far it has come;
// what was asked for and planned stays.
func (tx *Tx) UpdateExperiment(ctx context.Context, e experiment.Experiment) error {
	return tx.mustChange(ctx, "experiment", e.ID,
		`UPDATE experiments SET status = $2, verdict = $3, reason = $4, counts = $5, started_at = $6, finished_at = $7
		WHERE id = $1`,
		e.ID, e.Status, e.Verdict, e.Reason, doc{&e.Counts}, micros{&e.StartedAt}, micros{&e.FinishedAt})
}

// Experiments implements experiment.ExperimentRows.
func (tx *Tx) Experiments(ctx context.Context, workspaceID string, f experiment.Filter, limit int, cursor string) ([]experiment.Experiment, error) {
	var where conditions
	where.add("workspace_id = ?", workspaceID)
	where.equal("agent_id", f.AgentID)
	where.equal("dataset_id", f.DatasetID)
	where.equal("status", string(f.Status))
	where.equal("verdict", string(f.Verdict))
	tail := where.page(limit, cursor)
	return all(ctx, tx, experimentFields, `SELECT `+experimentColumns+` FROM experiments`+tail, where.args...)
}

// PastCalls implements experiment.ResultRows.
func (tx *Tx) PastCalls(ctx context.Context, workspaceID, agentID string, limit int) ([]experiment.PastCall, error) {
	if agentID == "" {
		return nil, nil
	}
	return all(ctx, tx, func(c *experiment.PastCall) []any {
		return []any{&c.ItemID, micros{&c.StartedAt}, micros{&c.AnsweredAt}, micros{&c.EndedAt}}
	}, `SELECT item_id, started_at, answered_at, ended_at FROM calls
		WHERE workspace_id = $1 AND agent_id = $2 AND origin = 'simulated' AND status = 'ENDED' AND answered_at > 0 AND ended_at > answered_at
		ORDER BY id DESC LIMIT $3`, workspaceID, agentID, limit)
}

// Tally implements experiment.CallRows. It is answered from the index calls_tallied
// alone: whoever moves one of ten thousand calls has all of them counted.
func (tx *Tx) Tally(ctx context.Context, experimentID string) (experiment.Tally, error) {
	type alike struct {
		call.Call
		n int
	}
	groups, err := all(ctx, tx, func(a *alike) []any { return []any{&a.Status, &a.ScoringStatus, &a.Verdict, &a.n} },
		`SELECT status, scoring_status, verdict, COUNT(*) FROM calls
		WHERE experiment_id = $1 AND experiment_id <> '' GROUP BY status, scoring_status, verdict`, experimentID)
	var n experiment.Tally
	for i := range groups {
		n.Add(&groups[i].Call, groups[i].n)
	}
	return n, err
}
