package catalog

import (
	"context"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// syncBatch is how many agents one transaction takes, so that nobody waits long for it.
const syncBatch = 200

// SyncAgents takes in agents that live elsewhere, by their source ids: new ones are
// created, known ones get the name that they have there, none is deleted. Of the
// listed agents SourceID and Name count. One whose id or name cannot be kept is
// passed over and counted. What a later batch fails on, earlier ones keep: the next
// time goes on from there.
func (s *Service) SyncAgents(ctx context.Context, workspaceID string, listed []scenario.Agent) (created, updated []scenario.Agent, skipped int, err error) {
	for len(listed) > 0 {
		n := min(len(listed), syncBatch)
		var b batch
		err := s.store.Write(ctx, func(tx Tx) error {
			b = batch{} // it may be run again
			for _, l := range listed[:n] {
				if err := s.sync(ctx, tx, workspaceID, l, &b); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return created, updated, skipped, err
		}
		created, updated, skipped = append(created, b.created...), append(updated, b.updated...), skipped+b.skipped
		listed = listed[n:]
	}
	return created, updated, skipped, nil
}

// batch is what came of one transaction.
type batch struct {
	created, updated []scenario.Agent
	skipped          int
}

// sync takes one agent in.
func (s *Service) sync(ctx context.Context, tx Tx, workspaceID string, listed scenario.Agent, b *batch) error {
	if fields := (scenario.Agent{Name: listed.Name, SourceID: listed.SourceID}).Validate(""); len(fields) > 0 || listed.SourceID == "" {
		b.skipped++
		return nil
	}
	a, known, err := tx.AgentBySourceID(ctx, workspaceID, listed.SourceID)
	switch {
	case err != nil:
		return err
	case !known:
		now := s.now()
		a = scenario.Agent{
			ID: s.newID(agentPrefix), WorkspaceID: workspaceID, Name: listed.Name, SourceID: listed.SourceID, CreatedAt: now, UpdatedAt: now,
		}
		b.created = append(b.created, a)
		if err := tx.InsertAgent(ctx, a); err != nil {
			return raced(err)
		}
		return relink(ctx, tx, a, "")
	case a.Name == listed.Name:
		return nil
	}
	a, err = tx.LockAgent(ctx, workspaceID, a.ID)
	switch {
	case problem.Is(err, problem.NotFound), err == nil && a.SourceID != listed.SourceID:
		return raced(problem.New(problem.Conflict, "the agent is another one now"))
	case err != nil:
		return err
	}
	a.Name, a.UpdatedAt = listed.Name, s.now()
	b.updated = append(b.updated, a)
	return tx.UpdateAgent(ctx, a)
}

// raced says what to do when somebody else made or changed the agent between our look and our row.
func raced(err error) error {
	if problem.Is(err, problem.Conflict) {
		return problem.New(problem.Conflict, "the agents were changed by somebody else at the same time").WithHint("ask again").Because(err)
	}
	return err
}
