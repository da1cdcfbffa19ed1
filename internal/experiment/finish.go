package experiment

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
)

const (
	// finishTries is how often storing the outcome of a call is tried after errors that waiting may
	// not cure. While the database is away or full, the outcome is held for as long as the process
	// lives.
	finishTries = 12
	finishPause = 10 * time.Second
	// lastTries is how many tries an outcome has left once the process is told to end.
	lastTries = 2
)

// finish stores the outcome of an attempt: first the recording, then attempt, call and the next job
// in one transaction. A shutdown must not lose the outcome, so finish goes on for a while after ctx
// has ended. If it cannot be stored even then, the attempt stays open: it counts as interrupted,
// and the call is placed again.
func (s *Service) finish(ctx context.Context, p *placement) error {
	stopping, ctx := ctx, context.WithoutCancel(ctx)
	last := lastTries
	for try := 1; ; try++ {
		s.keepRecording(ctx, p)
		err := s.Store.Write(ctx, func(tx Tx) error { return s.store(ctx, tx, p) })
		if err == nil {
			if p.ours && s.Ended != nil {
				s.Ended(p.call.Line, p.attempt)
			}
			s.dropRecording(ctx, p)
			return nil
		}
		if stopping.Err() != nil {
			last--
		}
		if last <= 0 || try >= finishTries && !problem.Is(err, problem.Unavailable) {
			return fmt.Errorf("store the outcome of the call: %w", err)
		}
		s.Log.ErrorContext(ctx, "the outcome of a call could not be stored yet", "call", p.call.ID, "try", try, "error", err)
		if err := s.rest(ctx, stopping, min(finishPause, time.Second<<min(try-1, 4))); err != nil {
			return err
		}
	}
}

// rest waits for d, less when stopping ends meanwhile.
func (s *Service) rest(ctx, stopping context.Context, d time.Duration) error {
	if stopping.Err() != nil {
		return s.Wait(ctx, min(d, time.Second))
	}
	waiting, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(stopping, cancel)()
	if err := s.Wait(waiting, d); err != nil && stopping.Err() == nil {
		return err
	}
	return nil
}

// keepRecording stores the tape of an answered attempt, if that has not been done. A call whose
// recording cannot be stored is void, not lost.
func (s *Service) keepRecording(ctx context.Context, p *placement) {
	if p.tape == nil || p.attempt.AnsweredAt.IsZero() {
		return
	}
	key := fmt.Sprintf("%s/%s/%s.wav", p.call.WorkspaceID, p.call.ID, p.attempt.ID)
	rec, err := s.Recordings.Keep(ctx, key, p.tape)
	if p.unkept = err; err != nil {
		s.Log.ErrorContext(ctx, "a recording could not be kept", "call", p.call.ID, "error", err)
		return
	}
	p.call.Recording = &rec
	p.tape = nil
}

// outcome is the attempt in the form in which it is stored.
func (p *placement) outcome() call.Attempt {
	a := p.attempt
	if p.unkept == nil {
		return a
	}
	a.Timeline = append(slices.Clone(a.Timeline), call.Event{
		At: p.tape.Duration(), Kind: call.KindOurFault, Data: map[string]any{"what": problem.Behind("recording", p.unkept)},
	})
	return a
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

// store writes the attempt and the call. It changes nothing when the attempt has been declared
// dead, because the call then belongs to its next attempt.
func (s *Service) store(ctx context.Context, tx Tx, p *placement) error {
	if p.attempt.EndedAt.IsZero() {
		p.attempt.EndedAt = s.Now()
	}
	p.counts, p.ours = false, false
	ours, err := tx.EndAttempt(ctx, p.outcome())
	p.ours = ours
	if err != nil {
		return err
	}
	c, err := tx.LockCall(ctx, p.call.ID)
	if err != nil {
		return err
	}
	if !ours {
		// Either another process has ended it, or an earlier try of ours has, and the database could not say so.
		p.counts = p.call.Recording != nil && c.Recording != nil && p.call.Recording.Key == c.Recording.Key
		return nil
	}
	if c.Status != call.Canceled && p.attempt.EndReason.Code == call.EndInterrupted && p.attempt.Number < maxAttempts {
		return s.again(ctx, tx, c)
	}
	c.Recording, p.counts = p.call.Recording, true
	if c.Status == call.Canceled { // it keeps its state and why, but was on the line for as long as its recording tells
		c.StartedAt, c.AnsweredAt, c.EndedAt = p.attempt.StartedAt, p.attempt.AnsweredAt, p.attempt.EndedAt
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
	var err error
	if c.Line == LineRoom {
		err = againInRoom(ctx, tx, c)
	} else {
		err = tx.Enqueue(ctx, JobPlace, c.ID, 0)
	}
	if err != nil {
		return err
	}
	return announceCall(ctx, tx, c)
}

// afterLine stores a locked call that is over on the line and hands it to review. The
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
	if err := endRoom(ctx, tx, c); err != nil {
		return err
	}
	n, err := s.advance(ctx, tx, e, c)
	if err != nil || n.Unsettled == 0 || n.OnLine > 0 || e.Status == Canceled {
		return err
	}
	e.Status = Scoring
	if err := tx.UpdateExperiment(ctx, e); err != nil {
		return err
	}
	return announceExperiment(ctx, tx, e)
}
