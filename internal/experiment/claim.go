package experiment

import (
	"context"
	"errors"
	"slices"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// errTaken rolls a claim back when the call is no longer waiting.
var errTaken = errors.New("the call is taken")

// claim takes a place within the limits and marks the call as dialing, in one transaction. It
// returns false when another process has the call.
func (s *Service) claim(ctx context.Context, p *placement) (bool, error) {
	if p.attempt.ID == "" {
		p.attempt = call.Attempt{ID: s.NewID("att"), CallID: p.call.ID, Process: s.Process}
	}
	p.attempt.StartedAt = s.Now()
	var got Claim
	err := s.Store.Write(ctx, func(tx Tx) (err error) {
		got, err = s.claimIn(ctx, tx, p)
		return err
	})
	switch {
	case errors.Is(err, errTaken), problem.Is(err, problem.Conflict): // of two at the same moment, the other one has it
		return false, nil
	case problem.Is(err, problem.Unavailable):
		s.Log.WarnContext(ctx, "a call waits until the database can be used again", "call", p.call.ID, "error", err)
		return false, TryAgain{After: outagePause}
	case err != nil:
		return false, err
	case !got.OK:
		return false, TryAgain{After: got.Wait}
	}
	return true, nil
}

// claimIn is claim within its transaction, which may be run more than once.
func (s *Service) claimIn(ctx context.Context, tx Tx, p *placement) (Claim, error) {
	before, err := tx.AttemptsOf(ctx, p.call.ID)
	if err != nil {
		return Claim{}, err
	}
	if slices.ContainsFunc(before, func(a call.Attempt) bool { return a.ID == p.attempt.ID }) {
		// It was claimed after all when the database could not say so.
		p.slot = slot{due: s.Steady()}
		p.call, err = tx.CallByID(ctx, "", p.call.ID)
		return Claim{OK: true}, err
	}
	p.attempt.Number = len(before) + 1
	got, err := tx.Claim(ctx, p.attempt, s.limits(p), s.LimitTime())
	if err != nil || !got.OK {
		return got, err
	}
	p.slot = s.slotOf(got)
	return got, s.markDialing(ctx, tx, p)
}

// slotOf is the turn that was just given.
func (s *Service) slotOf(got Claim) slot {
	return slot{at: got.At, due: s.Steady() - got.Since + lead}
}

func (s *Service) limits(p *placement) Limits {
	d := p.experiment.Plan.Defaults
	return Limits{
		Trunk: p.trunk.Name, TrunkCallsPerSecond: p.trunk.CallsPerSecond, TrunkConcurrentCalls: p.trunk.ConcurrentCalls,
		AgentID: p.call.AgentID, AgentCallsPerSecond: d.CallsPerSecond, AgentConcurrentCalls: d.ConcurrentCalls,
	}
}

// markDialing moves a call that waits to DIALING, and its experiment with it.
func (s *Service) markDialing(ctx context.Context, tx Tx, p *placement) error {
	c, err := tx.LockCall(ctx, p.call.ID)
	if err != nil {
		return err
	}
	if c.Status != call.Queued {
		return errTaken
	}
	c.Status, c.StartedAt = call.Dialing, p.attempt.StartedAt
	p.call = c
	if err := tx.UpdateCall(ctx, c); err != nil {
		return err
	}
	return s.begin(ctx, tx, p)
}

// begin moves the experiment to RUNNING with its first call.
func (s *Service) begin(ctx context.Context, tx Tx, p *placement) error {
	if err := announceCall(ctx, tx, p.call); err != nil {
		return err
	}
	if p.experiment.Status != Created {
		return nil
	}
	e, err := tx.LockExperiment(ctx, p.experiment.ID)
	if err != nil || e.Status != Created {
		return err
	}
	e.Status, e.StartedAt = Running, p.attempt.StartedAt
	if err := tx.UpdateExperiment(ctx, e); err != nil {
		return err
	}
	return announceExperiment(ctx, tx, e)
}
