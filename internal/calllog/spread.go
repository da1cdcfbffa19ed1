package calllog

import (
	"context"
	"strings"
)

// spreadBetween stands between the ids of a JobSpread.
const spreadBetween = " "

// Spread makes one job for the calls of a group a job for each, and has them
// found by their metadata. It may be run again: a call that is reviewed twice is
// the same afterwards.
func (s *Service) Spread(ctx context.Context, callIDs string) error {
	return s.spread(ctx, callIDs, JobReviewLog)
}

// SpreadPast is Spread for a JobSpreadPast.
func (s *Service) SpreadPast(ctx context.Context, callIDs string) error {
	return s.spread(ctx, callIDs, JobReviewPast)
}

func (s *Service) spread(ctx context.Context, callIDs, review string) error {
	ids := strings.Split(callIDs, spreadBetween)
	return s.Store.Write(ctx, func(tx Tx) error {
		if err := tx.MakeFindable(ctx, ids); err != nil {
			return err
		}
		return tx.EnqueueAll(ctx, review, ids)
	})
}
