package review

import (
	"context"
	"errors"
	"time"
)

// beat writes the review's heartbeat until stop is called.
func (s *Service) beat(ctx context.Context, callID string) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		ticker := time.NewTicker(s.o.BeatEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			err := s.o.Store.Write(ctx, func(tx Tx) error { return tx.BeatReview(ctx, callID, s.o.BeatTime()) })
			if err != nil && !errors.Is(err, context.Canceled) {
				s.o.Log.WarnContext(ctx, "a review could not say that it is at work", "call", callID, "error", err)
			}
		}
	}()
	return ctx, func() {
		cancel()
		<-done
	}
}

// Rescue queues reviews again that nobody has been working on for the given time, and returns how
// many. Calls that have only just ended are left to the job that their end queued.
func (s *Service) Rescue(ctx context.Context, silent time.Duration) (int, error) {
	const most = 500
	n := 0
	err := s.o.Store.Write(ctx, func(tx Tx) error {
		n = 0
		ids, err := tx.StalledReviews(ctx, s.o.BeatTime(), silent, most)
		if err != nil {
			return err
		}
		for _, id := range ids {
			again, err := s.rescue(ctx, tx, id, silent)
			if err != nil {
				return err
			}
			if again {
				n++
			}
		}
		return nil
	})
	return n, err
}

func (s *Service) rescue(ctx context.Context, tx Tx, id string, silent time.Duration) (bool, error) {
	c, err := tx.CallByID(ctx, "", id)
	if err != nil || s.justNow(c.EndedAt, silent) {
		return false, err
	}
	if err := tx.BeatReview(ctx, id, s.o.BeatTime()); err != nil {
		return false, err
	}
	return true, tx.Enqueue(ctx, reviewJob(&c), id, 0)
}
