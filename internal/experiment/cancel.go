package experiment

import (
	"context"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// Cancel ends an experiment: calls that wait are canceled, calls on the line
// are hung up, and calls already over keep their reviews. Canceling a canceled
// experiment again is no error; one that has ended otherwise is a Conflict.
func (s *Service) Cancel(ctx context.Context, workspaceID, id string) (Experiment, error) {
	var e Experiment
	var onLine []string
	err := s.Store.Write(ctx, func(tx Tx) (err error) {
		onLine = nil
		if _, err = tx.ExperimentByID(ctx, workspaceID, id); err != nil {
			return err
		}
		waiting, err := tx.LockCallsOf(ctx, id)
		if err != nil {
			return err
		}
		if e, err = tx.LockExperiment(ctx, id); err != nil || e.Status == Canceled {
			return err
		}
		if err := notOver(e); err != nil {
			return err
		}
		if onLine, err = s.cancelCalls(ctx, tx, id, waiting); err != nil {
			return err
		}
		n, err := tx.Tally(ctx, id)
		if err != nil {
			return err
		}
		e.Status, e.FinishedAt, e.Reason, e.Counts = Canceled, s.Now(), "canceled", n.Counts
		if err := tx.UpdateExperiment(ctx, e); err != nil {
			return err
		}
		return announceExperiment(ctx, tx, e)
	})
	if err == nil {
		s.hangUp(onLine)
	}
	return e, err
}

// cancelCalls marks every call that is not over as canceled and returns those on the line.
// They are changed together: nobody else writes to an SQLite file meanwhile.
func (s *Service) cancelCalls(ctx context.Context, tx Tx, id string, calls []call.Call) (onLine []string, err error) {
	as := call.Call{
		Status: call.Canceled, ScoringStatus: call.ScoringSkipped, EndedAt: s.Now(),
		EndReason: call.EndReason{Code: call.EndUnknown, Blame: call.BlameNobody, Detail: "canceled"},
	}
	if err := tx.EndCallsOf(ctx, id, as); err != nil {
		return nil, err
	}
	for _, c := range calls {
		if c.Status.Over() {
			continue
		}
		if c.Status != call.Queued {
			onLine = append(onLine, c.ID)
		}
		c.Status, c.ScoringStatus, c.EndReason = as.Status, as.ScoringStatus, as.EndReason
		if err := endRoom(ctx, tx, c); err != nil {
			return nil, err
		}
		if err := announceCall(ctx, tx, c); err != nil {
			return nil, err
		}
	}
	return onLine, nil
}

// hangUp takes calls off this process's lines; other processes notice at their next heartbeat.
func (s *Service) hangUp(callIDs []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range callIDs {
		if hangUp := s.onLine[id]; hangUp != nil {
			hangUp(errCanceled)
		}
	}
}

// Rerun starts a new experiment like an ended one: with all its items, or with
// those whose calls did not pass.
func (s *Service) Rerun(ctx context.Context, workspaceID, id string, onlyFailed bool) (Experiment, error) {
	var old Experiment
	var items []string
	err := s.Store.Read(ctx, func(tx Tx) (err error) {
		if old, err = tx.ExperimentByID(ctx, workspaceID, id); err != nil {
			return err
		}
		calls, err := tx.OutcomesOf(ctx, id)
		items = itemsToRerun(calls, onlyFailed)
		return err
	})
	if err != nil {
		return Experiment{}, err
	}
	if !old.Status.Over() {
		return Experiment{}, stillRunning(old)
	}
	if len(items) == 0 {
		return Experiment{}, nothingFailed()
	}
	if old.Line == LineRoom {
		return s.rerunInRooms(ctx, workspaceID, old, items, onlyFailed)
	}
	settings := old.Plan.Asked
	settings.Trunk, settings.Repetitions = old.Plan.Defaults.Trunk, old.Plan.Defaults.Repetitions
	return s.Start(ctx, workspaceID, StartRequest{
		AgentID: old.AgentID, DatasetID: old.DatasetID, To: old.To, ItemIDs: items, RerunOf: old.ID, OnlyFailed: onlyFailed, Settings: settings,
	})
}

// rerunInRooms repeats an experiment in rooms, which works by itself only where the
// media server sends the agent: an agent that comes by itself needs new tokens.
func (s *Service) rerunInRooms(ctx context.Context, workspaceID string, old Experiment, items []string, onlyFailed bool) (Experiment, error) {
	if old.Plan.Rooms == nil || old.Plan.Rooms.AgentName == "" {
		return Experiment{}, problem.New(problem.Conflict, "the agent would need tokens for new rooms").
			WithHint("create media rooms for these items again")
	}
	e, _, err := s.StartInRooms(ctx, workspaceID, RoomsRequest{
		DatasetID: old.DatasetID, ItemIDs: items, AgentName: old.Plan.Rooms.AgentName, AgentID: old.AgentID, RerunOf: old.ID, OnlyFailed: onlyFailed,
	})
	return e, err
}
