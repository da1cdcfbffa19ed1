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
	err := s.Store.Read(ctx, func(tx Tx) error {
		e, reviewed, err := playedOf(ctx, tx, workspaceID, id, tx.ReviewsOf)
		r = Report{Experiment: e, Calls: make([]CallResult, len(reviewed))}
		for i, p := range reviewed {
			r.Calls[i] = CallResult{Call: p.call, Item: p.item, Review: p.found}
		}
		return err
	})
	return r, err
}

// played is a call of an experiment with what it played and what was found of it,
// nil while nothing was.
type played[T any] struct {
	call  call.Call
	item  scenario.Item
	found *T
}

// playedOf is an experiment, its counts of this moment, and its calls in the order
// of its dataset; found reads what their reviews say, as much of it as is wanted.
func playedOf[T any](ctx context.Context, tx Tx, workspaceID, id string, found func(ctx context.Context, experimentID string) (map[string]T, error)) (Experiment, []played[T], error) {
	e, err := tx.ExperimentByID(ctx, workspaceID, id)
	if err != nil {
		return e, nil, err
	}
	calls, err := tx.CallsOf(ctx, id)
	if err != nil {
		return e, nil, err
	}
	known, err := found(ctx, id)
	if err != nil {
		return e, nil, err
	}
	items, err := tx.PlayedItems(ctx, id)
	if err != nil {
		return e, nil, err
	}
	slices.SortStableFunc(calls, func(a, b call.Call) int { return a.Position - b.Position })
	e.Counts = count(calls)
	list := make([]played[T], len(calls))
	for i, c := range calls {
		list[i] = played[T]{call: c, item: items[c.ItemID]}
		if list[i].item.ID == "" {
			list[i].item.ID = c.ItemID
		}
		if f, ok := known[c.ID]; ok {
			list[i].found = &f
		}
	}
	return e, list, nil
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
