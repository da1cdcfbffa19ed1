package archive

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// sweeping is how far sweeps have come.
type sweeping struct {
	mu sync.Mutex
	// since is the time from which on attempts have yet to be looked at.
	since time.Time
}

const (
	// sweepMargin is how far a sweep looks back behind the last: another process
	// may have removed too little, or have another time.
	sweepMargin = 10 * time.Minute
	sweepPage   = 500
)

// Sweep removes the recordings that a crash left behind: the process had
// written one, or begun to, and died before its attempt was stored. Such an
// attempt is interrupted, and its call goes on with the next. What is not known
// to be discarded stays: a file that the database knows nothing of may belong
// to another one.
//
// The first sweep looks at all attempts that were ever interrupted, further
// ones at those since. One that cannot be removed keeps none of the others, and
// the next sweep tries it again. It is harmless in several processes at once.
func (s *Service) Sweep(ctx context.Context) error {
	s.sweeping.mu.Lock()
	defer s.sweeping.mu.Unlock()
	next, err := s.nextSince(ctx)
	if err != nil {
		return err
	}
	var failed error
	for after := ""; ; {
		var page []Discarded
		err := s.store.Read(ctx, func(tx Tx) (err error) {
			page, err = tx.Discarded(ctx, s.sweeping.since, after, sweepPage)
			return err
		})
		if err != nil {
			return fmt.Errorf("look for recordings that nobody keeps: %w", err)
		}
		for _, d := range page {
			if err := s.recordings.Delete(ctx, keyOf(d)); err != nil && failed == nil {
				failed = fmt.Errorf("remove a recording that nobody keeps: %w", err)
			}
			after = d.AttemptID
		}
		if len(page) < sweepPage {
			break
		}
	}
	if failed == nil {
		s.sweeping.since = next
	}
	return failed
}

// nextSince is from when on the attempts end that this sweep cannot see. One whose process has
// died ends soon after its last beat, however late somebody notices.
func (s *Service) nextSince(ctx context.Context) (since time.Time, err error) {
	since = s.now()
	err = s.store.Read(ctx, func(tx Tx) error {
		beat, open, err := tx.OldestBeat(ctx)
		if open && beat.Before(since) {
			since = beat
		}
		return err
	})
	if err != nil {
		return since, fmt.Errorf("look for attempts that have not ended: %w", err)
	}
	return since.Add(-sweepMargin), nil
}

// keyOf is where package experiment keeps the recording of an attempt.
func keyOf(d Discarded) string {
	return fmt.Sprintf("%s/%s/%s.wav", d.WorkspaceID, d.CallID, d.AttemptID)
}
