package review

import (
	"context"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// Again queues a new review of a call, on a person's request. A recording that
// could not be fetched is tried again.
func (s *Service) Again(ctx context.Context, workspaceID, callID string) error {
	return s.o.Store.Write(ctx, func(tx Tx) error {
		c, err := tx.CallByID(ctx, workspaceID, callID)
		if err != nil {
			return err
		}
		if !c.Status.Over() {
			return problem.New(problem.Conflict, "the call is not over yet").WithHint("it is reviewed as soon as it is")
		}
		f, ok, err := tx.FetchOf(ctx, callID)
		if err != nil {
			return err
		}
		told, _, err := tx.ReportedOf(ctx, callID)
		if err != nil {
			return err
		}
		if ok && f.State == FetchFailed && told.RecordingURL != "" { // a call with an opt-out has no recording left
			f.State, f.Tries, f.FirstAt = FetchWanted, 0, s.o.Now()
			if err := tx.SaveFetch(ctx, f); err != nil {
				return err
			}
			return tx.Enqueue(ctx, JobFetch, callID, 0)
		}
		return tx.Enqueue(ctx, JobReview, callID, 0)
	})
}
