package experiment

import (
	"context"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// onAnswered stores that the call has been answered. It does so in the background, because the line
// must not wait for a database that is away.
func (s *Service) onAnswered(ctx context.Context, p *placement, reference string) {
	at := s.Now()
	p.notes.Go(func() {
		for {
			err := s.noteAnswer(ctx, p, at, reference)
			if err == nil || ctx.Err() != nil {
				return
			}
			s.Log.WarnContext(ctx, "the answer of a call could not be noted yet", "call", p.call.ID, "error", err)
			if s.Wait(ctx, outagePause) != nil {
				return
			}
		}
	})
}

// noteAnswer stores the answer, together with the reference by which another process can hang the
// call up. It does nothing when the call is no longer this attempt's.
func (s *Service) noteAnswer(ctx context.Context, p *placement, at time.Time, reference string) error {
	return s.Store.Write(ctx, func(tx Tx) error {
		if ours, err := tx.BeatAttempt(ctx, p.attempt.ID, s.Now()); err != nil || !ours {
			return err
		}
		if reference != "" {
			if err := tx.SaveReference(ctx, p.attempt.ID, reference); err != nil {
				return err
			}
		}
		c, err := tx.LockCall(ctx, p.call.ID)
		if err != nil || c.Status != call.Dialing {
			return err
		}
		c.Status, c.AnsweredAt = call.InProgress, at
		if err := tx.UpdateCall(ctx, c); err != nil {
			return err
		}
		return announceCall(ctx, tx, c)
	})
}
