package experiment

import (
	"context"
	"fmt"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// finishTries is how long a finished call's outcome is held in memory while
// the database is away, in tries with growing pauses: about four minutes.
const finishTries = 12

// finish stores the outcome of an attempt: first the recording, then, in one
// transaction, attempt, call and the job that comes next. It must not be lost
// to a shutdown, so it does not heed ctx's end.
func (s *Service) finish(ctx context.Context, p *placement) error {
	ctx = context.WithoutCancel(ctx)
	s.keepRecording(ctx, p)
	var err error
	for try := range finishTries {
		if err = s.Store.Write(ctx, func(tx Tx) error { return s.store(ctx, tx, p) }); err == nil {
			s.dropRecording(ctx, p)
			return nil
		}
		s.Log.ErrorContext(ctx, "the outcome of a call could not be stored yet", "call", p.call.ID, "try", try+1, "error", err)
		if err := s.Wait(ctx, min(30*time.Second, time.Second<<try)); err != nil {
			return err
		}
	}
	return fmt.Errorf("store the outcome of the call: %w", err)
}

// keepRecording stores the tape of an answered attempt. A recording that
// cannot be kept makes the call void, not lost.
func (s *Service) keepRecording(ctx context.Context, p *placement) {
	if p.tape == nil || p.attempt.AnsweredAt.IsZero() {
		return
	}
	key := fmt.Sprintf("%s/%s/%s.wav", p.call.WorkspaceID, p.call.ID, p.attempt.ID)
	rec, err := s.Recordings.Keep(ctx, key, p.tape)
	if err != nil {
		s.Log.ErrorContext(ctx, "a recording could not be kept", "call", p.call.ID, "error", err)
		p.attempt.Timeline = append(p.attempt.Timeline, call.Event{
			At: p.tape.Duration(), Kind: call.KindOurFault, Data: map[string]any{"what": "recording"},
		})
		return
	}
	p.call.Recording = &rec
	p.tape = nil
}

// dropRecording removes the recording of an attempt that the call does not keep.
func (s *Service) dropRecording(ctx context.Context, p *placement) {
	if p.counts || p.call.Recording == nil {
		return
	}
	if err := s.Recordings.Delete(ctx, p.call.Recording.Key); err != nil {
		s.Log.WarnContext(ctx, "a recording nobody needs could not be removed", "call", p.call.ID, "error", err)
	}
}

// store writes the attempt and the call. When the attempt has been declared
// dead meanwhile, the call belongs to its next attempt and nothing is changed.
func (s *Service) store(ctx context.Context, tx Tx, p *placement) error {
	if p.attempt.EndedAt.IsZero() {
		p.attempt.EndedAt = s.Now()
	}
	p.counts = false
	ours, err := tx.EndAttempt(ctx, p.attempt)
	if err != nil || !ours {
		return err
	}
	c, err := tx.CallByID(ctx, "", p.call.ID)
	if err != nil {
		return err
	}
	if c.Status != call.Canceled && p.attempt.EndReason.Code == call.EndInterrupted && p.attempt.Number < maxAttempts {
		return s.again(ctx, tx, c)
	}
	c.Recording, p.counts = p.call.Recording, true
	if c.Status == call.Canceled {
		return s.afterLine(ctx, tx, c)
	}
	applyAttempt(&c, p.attempt)
	return s.afterLine(ctx, tx, c)
}

// applyAttempt lets the attempt that counts decide the call.
func applyAttempt(c *call.Call, a call.Attempt) {
	c.EndReason = a.EndReason
	c.StartedAt, c.AnsweredAt, c.EndedAt = a.StartedAt, a.AnsweredAt, a.EndedAt
	c.Status = call.Ended
	if a.AnsweredAt.IsZero() {
		c.Status = call.Failed
	}
}

// again puts an interrupted call back in the queue.
func (s *Service) again(ctx context.Context, tx Tx, c call.Call) error {
	c.Status, c.AnsweredAt, c.Recording = call.Queued, time.Time{}, nil
	if err := tx.UpdateCall(ctx, c); err != nil {
		return err
	}
	if err := tx.Enqueue(ctx, JobPlace, c.ID, 0); err != nil {
		return err
	}
	return announceCall(ctx, tx, c)
}

// afterLine stores a call that is over on the line and hands it to review. The
// experiment moves to SCORING with its last call.
func (s *Service) afterLine(ctx context.Context, tx Tx, c call.Call) error {
	if c.Status != call.Canceled {
		c.ScoringStatus = call.ScoringNow
		if err := tx.Enqueue(ctx, JobReview, c.ID, 0); err != nil {
			return err
		}
	}
	e, err := tx.LockExperiment(ctx, c.ExperimentID)
	if err != nil {
		return err
	}
	if err := tx.UpdateCall(ctx, c); err != nil {
		return err
	}
	if err := announceCall(ctx, tx, c); err != nil {
		return err
	}
	onLine, unsettled, err := tx.Unsettled(ctx, e.ID)
	if err != nil {
		return err
	}
	if unsettled == 0 {
		return s.close(ctx, tx, e)
	}
	if onLine > 0 || e.Status != Running {
		return nil
	}
	e.Status = Scoring
	if err := tx.UpdateExperiment(ctx, e); err != nil {
		return err
	}
	return announceExperiment(ctx, tx, e)
}
