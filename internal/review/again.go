package review

import (
	"context"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// Again has a call reviewed once more because a person asks for it. A recording
// that could not be had is tried again.
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
		if ok && f.State == FetchFailed && told.RecordingURL != "" { // none is left of a call with an opt-out
			f.State, f.Tries, f.FirstAt = FetchWanted, 0, s.o.Now()
			if err := tx.SaveFetch(ctx, f); err != nil {
				return err
			}
			return tx.Enqueue(ctx, JobFetch, callID, 0)
		}
		return tx.Enqueue(ctx, JobReview, callID, 0)
	})
}
