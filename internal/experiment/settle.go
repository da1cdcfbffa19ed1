package experiment

import (
	"context"
	"fmt"

	"github.com/ringtrue/ringtrue/internal/call"
)

// CallSettled is told, inside the transaction that settles it, that the review
// of a call is over. The last one closes the experiment; a call that is
// reviewed again later moves the figures of a closed one.
func (s *Service) CallSettled(ctx context.Context, tx Tx, c call.Call) error {
	if c.ExperimentID == "" {
		return nil
	}
	e, err := tx.LockExperiment(ctx, c.ExperimentID)
	if err != nil {
		return err
	}
	n, err := s.advance(ctx, tx, e, c)
	if err != nil || n.Unsettled == 0 {
		return err
	}
	e.Counts = n.Counts
	return tx.UpdateExperiment(ctx, e)
}

// advance announces a call that is a step further and counts how far all of its locked
// experiment are; the last one that is settled closes it.
func (s *Service) advance(ctx context.Context, tx Tx, e Experiment, c call.Call) (Tally, error) {
	if err := announceCall(ctx, tx, c); err != nil {
		return Tally{}, err
	}
	n, err := tx.Tally(ctx, e.ID)
	if err == nil && n.Unsettled == 0 {
		err = s.close(ctx, tx, e, n)
	}
	return n, err
}

// close ends the experiment, all calls of which are settled. It does so again whenever one
// of them has been reviewed again, and therefore reads none of the others.
func (s *Service) close(ctx context.Context, tx Tx, e Experiment, n Tally) error {
	e.Counts = n.Counts
	if e.Status == Canceled {
		return tx.UpdateExperiment(ctx, e)
	}
	e.Status, e.Verdict, e.Reason = judge(n, e.Plan)
	if e.FinishedAt.IsZero() {
		e.FinishedAt = s.Now()
	}
	if err := tx.UpdateExperiment(ctx, e); err != nil {
		return err
	}
	return announceExperiment(ctx, tx, e)
}

// Add counts n calls that are all as far as c.
func (t *Tally) Add(c *call.Call, n int) {
	if !c.Status.Over() {
		t.OnLine += n
	}
	if !c.Status.Over() || !c.ScoringStatus.Over() {
		t.Unsettled += n
	}
	if c.ScoringStatus == call.ScoringFailed {
		t.ScoringFailed += n
	}
	t.Calls += n
	switch c.Verdict {
	case call.Passed:
		t.Passed += n
	case call.NotPassed:
		t.Failed += n
	case call.Void:
		t.Void += n
	case call.NotEvaluated:
		t.NotEvaluated += n
	}
}

func tally(calls []call.Call) (n Tally) {
	for i := range calls {
		n.Add(&calls[i], 1)
	}
	return n
}

// judge turns counts into the experiment's end: it passes when enough calls
// were evaluated and enough of those passed. With nothing evaluated it has not passed.
func judge(n Tally, plan Plan) (Status, call.Verdict, string) {
	if n.Calls > 0 && n.ScoringFailed == n.Calls {
		return ScoringFailed, call.Void, "no call could be scored"
	}
	evaluated := n.Passed + n.Failed
	if evaluated == 0 {
		verdict := call.NotEvaluated
		if n.Void > 0 {
			verdict = call.Void
		}
		return Finished, verdict, "no call was evaluated"
	}
	if evaluated < plan.Defaults.MinEvaluated {
		return Finished, call.NotEvaluated,
			fmt.Sprintf("only %d of %d calls could be evaluated; at least %d are needed", evaluated, n.Calls, plan.Defaults.MinEvaluated)
	}
	rate := float64(n.Passed) / float64(evaluated)
	reason := fmt.Sprintf("%d of %d evaluated calls passed; %.12g %% are needed", n.Passed, evaluated, 100*plan.Defaults.PassThreshold)
	if rate < plan.Defaults.PassThreshold {
		return Finished, call.NotPassed, reason
	}
	return Finished, call.Passed, reason
}
