package sqlite

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestScrubsAreShared has many ask while the pages are being gone over: all of
// them wait for one more time, which begins after they have asked.
func TestScrubsAreShared(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var times atomic.Int32
		broken := errors.New("the second one fails")
		s := newScrubs(func(ctx context.Context) error {
			n := times.Add(1)
			if err := rest(ctx, time.Minute); err != nil {
				return err
			}
			if n == 2 {
				return broken
			}
			return nil
		})
		first := s.join()
		time.Sleep(time.Second)
		others := []*scrub{s.join(), s.join(), s.join()}
		<-first.over
		if first.err != nil || times.Load() > 2 {
			t.Errorf("the first one: %v, after %d times", first.err, times.Load())
		}
		for _, other := range others {
			if <-other.over; !errors.Is(other.err, broken) || times.Load() != 2 {
				t.Errorf("of the others one got %v, after %d times", other.err, times.Load())
			}
		}
		synctest.Wait()
		last := s.join()
		time.Sleep(time.Second)
		s.close()
		if <-last.over; !errors.Is(last.err, context.Canceled) || times.Load() != 3 {
			t.Errorf("the one that was broken off: %v, after %d times", last.err, times.Load())
		}
	})
}
