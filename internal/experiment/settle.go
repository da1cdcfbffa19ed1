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
	if err := announceCall(ctx, tx, c); err != nil {
		return err
	}
	n, err := tx.Tally(ctx, e.ID)
	if err != nil {
		return err
	}
	if n.Unsettled == 0 {
		return s.close(ctx, tx, e)
	}
	e.Counts = n.Counts
	return tx.UpdateExperiment(ctx, e)
}

// close counts the calls and ends the experiment.
func (s *Service) close(ctx context.Context, tx Tx, e Experiment) error {
	calls, err := tx.CallsOf(ctx, e.ID)
	if err != nil {
		return err
	}
	e.Counts = count(calls)
	if e.Status == Canceled {
		return tx.UpdateExperiment(ctx, e)
	}
	e.Status, e.Verdict, e.Reason = judge(calls, e.Counts, e.Plan)
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
	t.Counts.Calls += n
	switch c.Verdict {
	case call.Passed:
		t.Counts.Passed += n
	case call.NotPassed:
		t.Counts.Failed += n
	case call.Void:
		t.Counts.Void += n
	case call.NotEvaluated:
		t.Counts.NotEvaluated += n
	}
}

func count(calls []call.Call) Counts {
	var n Tally
	for i := range calls {
		n.Add(&calls[i], 1)
	}
	return n.Counts
}

// judge turns counts into the experiment's end: it passes when enough calls
// were evaluated and enough of those passed. With nothing evaluated it has not passed.
func judge(calls []call.Call, n Counts, plan Plan) (Status, call.Verdict, string) {
	if allScoringFailed(calls) {
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
			fmt.Sprintf("only %d of the %d calls that are needed were evaluated", evaluated, plan.Defaults.MinEvaluated)
	}
	rate := float64(n.Passed) / float64(evaluated)
	reason := fmt.Sprintf("%d of %d evaluated calls passed; %g %% are needed", n.Passed, evaluated, 100*plan.Defaults.PassThreshold)
	if rate < plan.Defaults.PassThreshold {
		return Finished, call.NotPassed, reason
	}
	return Finished, call.Passed, reason
}

func allScoringFailed(calls []call.Call) bool {
	for _, c := range calls {
		if c.ScoringStatus != call.ScoringFailed {
			return false
		}
	}
	return len(calls) > 0
}
