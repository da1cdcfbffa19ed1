package calllog

import (
	"context"
	"strings"
)

// spreadBetween stands between the ids of a JobSpread.
const spreadBetween = " "

// Spread makes one job for the calls of a group a job for each. It may be run
// again: a call that is reviewed twice is the same afterwards.
func (s *Service) Spread(ctx context.Context, callIDs string) error {
	return s.Store.Write(ctx, func(tx Tx) error {
		return tx.EnqueueAll(ctx, JobReviewLog, strings.Split(callIDs, spreadBetween))
	})
}
