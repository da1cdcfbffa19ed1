package experiment

import (
	"context"

	"github.com/ringtrue/ringtrue/internal/call"
)

// beat writes the attempt's heartbeat until ctx ends. It takes the call off the
// line when another process has declared the attempt dead, or when the
// experiment has been canceled from elsewhere.
func (s *Service) beat(ctx context.Context, p *placement, hangUp context.CancelCauseFunc) {
	for s.Wait(ctx, s.Beat) == nil {
		alive, canceled := true, false
		err := s.Store.Write(ctx, func(tx Tx) (err error) {
			if alive, err = tx.BeatAttempt(ctx, p.attempt.ID, s.Now()); err != nil {
				return err
			}
			c, err := tx.CallByID(ctx, "", p.call.ID)
			canceled = c.Status == call.Canceled
			return err
		})
		switch {
		case err != nil && ctx.Err() == nil:
			s.Log.WarnContext(ctx, "a heartbeat could not be written", "call", p.call.ID, "error", err)
		case err == nil && canceled:
			hangUp(errCanceled)
		case err == nil && !alive:
			hangUp(errReaped)
		}
	}
}

// Reap ends attempts whose process has fallen silent and gives their calls the
// next attempt. It runs every few seconds in every process; doing it twice at
// once is harmless.
func (s *Service) Reap(ctx context.Context) error {
	return s.reap(ctx, false)
}

// Recover ends every attempt that is still open. It may only be called before
// the first call is placed by the only process on the database.
func (s *Service) Recover(ctx context.Context) error {
	return s.reap(ctx, true)
}

func (s *Service) reap(ctx context.Context, all bool) error {
	before := s.Now().Add(-s.SilentAfter)
	if all {
		before = s.Now().Add(s.SilentAfter)
	}
	var silent []call.Attempt
	err := s.Store.Read(ctx, func(tx Tx) (err error) {
		silent, err = tx.SilentAttempts(ctx, before, 1000)
		return err
	})
	if err != nil {
		return err
	}
	for _, a := range silent {
		if err := s.Store.Write(ctx, func(tx Tx) error { return s.bury(ctx, tx, a) }); err != nil {
			return err
		}
		s.Log.WarnContext(ctx, "an attempt's process has fallen silent", "call", a.CallID, "attempt", a.Number)
	}
	return nil
}

// bury ends one dead attempt as interrupted.
func (s *Service) bury(ctx context.Context, tx Tx, a call.Attempt) error {
	a.EndedAt = s.Now()
	a.EndReason = call.EndOf(call.EndInterrupted, "the process that placed the call died")
	ours, err := tx.EndAttempt(ctx, a)
	if err != nil || !ours {
		return err
	}
	c, err := tx.CallByID(ctx, "", a.CallID)
	if err != nil || c.Status.Over() {
		return err
	}
	if a.Number < maxAttempts {
		return s.again(ctx, tx, c)
	}
	a.AnsweredAt = c.AnsweredAt
	applyAttempt(&c, a)
	return s.afterLine(ctx, tx, c)
}
