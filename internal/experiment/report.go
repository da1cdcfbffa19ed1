package experiment

import (
	"context"
	"slices"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// Report is everything an experiment found out, call by call in dataset order.
type Report struct {
	Experiment Experiment
	Calls      []CallResult
}

// CallResult is one call of a report. Review is nil while there is none.
type CallResult struct {
	Call   call.Call
	Item   scenario.Item
	Review *call.Review
}

// Report collects an experiment's results; it may be asked for at any time.
func (s *Service) Report(ctx context.Context, workspaceID, id string) (Report, error) {
	var r Report
	err := s.Store.Read(ctx, func(tx Tx) (err error) {
		r = Report{}
		if r.Experiment, err = tx.ExperimentByID(ctx, workspaceID, id); err != nil {
			return err
		}
		calls, err := tx.CallsOf(ctx, id)
		if err != nil {
			return err
		}
		reviews, err := tx.ReviewsOf(ctx, id)
		if err != nil {
			return err
		}
		items, err := tx.PlayedItems(ctx, id)
		if err != nil {
			return err
		}
		for _, c := range calls {
			result := CallResult{Call: c, Item: items[c.ID]}
			if review, ok := reviews[c.ID]; ok {
				result.Review = &review
			}
			r.Calls = append(r.Calls, result)
		}
		return nil
	})
	slices.SortFunc(r.Calls, func(a, b CallResult) int { return a.Call.Position - b.Call.Position })
	r.Experiment.Counts = countsOf(r)
	return r, err
}

func countsOf(r Report) Counts {
	calls := make([]call.Call, len(r.Calls))
	for i := range r.Calls {
		calls[i] = r.Calls[i].Call
	}
	return count(calls)
}

// itemsToRerun are the items of the calls, in order, each once.
func itemsToRerun(calls []call.Call, onlyFailed bool) []string {
	var ids []string
	for _, c := range calls {
		if onlyFailed && c.Verdict == call.Passed {
			continue
		}
		if !slices.Contains(ids, c.ItemID) {
			ids = append(ids, c.ItemID)
		}
	}
	return ids
}

func stillRunning(e Experiment) error {
	return problem.New(problem.Conflict, "the experiment is still %s", e.Status).
		WithHint("wait until it is over, or cancel it first")
}

func nothingFailed() error {
	return problem.New(problem.Conflict, "every call of the experiment passed").
		WithHint("rerun all of it instead")
}
