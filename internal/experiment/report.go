package experiment

import (
	"context"
	"iter"
	"slices"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// Report is everything an experiment found out, call by call in the order of their positions.
type Report struct {
	Experiment Experiment
	// Calls are without their reviews, which Reviewed reads.
	Calls []CallResult
	// Reviews reads what was found out of some calls, by call id, as CallRows.ReviewsOf has it.
	Reviews func(ctx context.Context, callIDs []string) (map[string]call.Review, error)
}

// CallResult is one call of a report. Review is nil while there is none.
type CallResult struct {
	Call   call.Call
	Item   scenario.Item
	Review *call.Review
}

// reviewsAtOnce is how many reviews a report holds: each has every figure and
// place of its call, so that those of ten thousand calls take more memory than there may be.
const reviewsAtOnce = 32

// Reviewed goes through the calls, with the reviews of those that are wanted, each
// as it is when its turn comes. The first error is the last thing it gives.
func (r Report) Reviewed(ctx context.Context, wanted func(call.Verdict) bool) iter.Seq2[CallResult, error] {
	return func(yield func(CallResult, error) bool) {
		for some := range slices.Chunk(r.Calls, reviewsAtOnce) {
			var ids []string
			for i := range some {
				if wanted(some[i].Call.Verdict) {
					ids = append(ids, some[i].Call.ID)
				}
			}
			known := map[string]call.Review{}
			if len(ids) > 0 {
				var err error
				if known, err = r.Reviews(ctx, ids); err != nil {
					yield(CallResult{}, err)
					return
				}
			}
			for _, c := range some {
				if review, ok := known[c.Call.ID]; ok {
					c.Review = &review
				}
				if !yield(c, nil) {
					return
				}
			}
		}
	}
}

// Report collects an experiment's results; it may be asked for at any time.
func (s *Service) Report(ctx context.Context, workspaceID, id string) (Report, error) {
	r := Report{Reviews: s.reviews}
	err := s.Store.Read(ctx, func(tx Tx) error {
		e, list, err := playedOf[struct{}](ctx, tx, workspaceID, id, tx.CallsOf, nil)
		r.Experiment, r.Calls = e, make([]CallResult, len(list))
		for i, p := range list {
			r.Calls[i] = CallResult{Call: p.call, Item: p.item}
		}
		return err
	})
	return r, err
}

func (s *Service) reviews(ctx context.Context, callIDs []string) (known map[string]call.Review, err error) {
	err = s.Store.Read(ctx, func(tx Tx) (err error) {
		known, err = tx.ReviewsOf(ctx, callIDs)
		return err
	})
	return known, err
}

// played is a call of an experiment with what it played and what was found of it,
// nil while nothing was.
type played[T any] struct {
	call  call.Call
	item  scenario.Item
	found *T
}

// playedOf is an experiment, its counts of this moment, and its calls in the order
// of its dataset; of reads these and found what their reviews say, as much of either as is
// wanted. found is nil where nothing is.
func playedOf[T any](ctx context.Context, tx Tx, workspaceID, id string, of func(ctx context.Context, experimentID string) ([]call.Call, error), found func(ctx context.Context, experimentID string) (map[string]T, error)) (Experiment, []played[T], error) {
	e, err := tx.ExperimentByID(ctx, workspaceID, id)
	if err != nil {
		return e, nil, err
	}
	calls, err := of(ctx, id)
	if err != nil {
		return e, nil, err
	}
	var known map[string]T
	if found != nil {
		if known, err = found(ctx, id); err != nil {
			return e, nil, err
		}
	}
	items, err := tx.PlayedItems(ctx, id)
	if err != nil {
		return e, nil, err
	}
	slices.SortStableFunc(calls, func(a, b call.Call) int { return a.Position - b.Position })
	e.Counts = tally(calls).Counts
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
	known := map[string]bool{}
	for i := range calls {
		if c := &calls[i]; !known[c.ItemID] && (!onlyFailed || c.Verdict != call.Passed) {
			known[c.ItemID] = true
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
