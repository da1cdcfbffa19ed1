package calllog

import "context"

// Spread replaces a JobSpread by one JobReviewLog per call, and makes the calls
// findable by their metadata. It can be repeated: a call that is reviewed twice
// stays the same.
func (s *Service) Spread(ctx context.Context, callIDs string) error {
	return s.spread(ctx, callIDs, JobReviewLog)
}

// SpreadPast is Spread for a JobSpreadPast.
func (s *Service) SpreadPast(ctx context.Context, callIDs string) error {
	return s.spread(ctx, callIDs, JobReviewPast)
}

func (s *Service) spread(ctx context.Context, callIDs, review string) error {
	urgency, ids := readSpreadID(callIDs)
	return s.Store.Write(ctx, func(tx Tx) error {
		if err := tx.MakeFindable(ctx, ids); err != nil {
			return err
		}
		return tx.EnqueueAll(ctx, review, urgency, ids)
	})
}
