package experiment

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// keepAlive writes the heartbeat of a claimed attempt until end is called. That is after its
// outcome has been stored, because an outcome that waits for the database still belongs to a living
// process.
func (s *Service) keepAlive(ctx context.Context, p *placement, hangUp context.CancelCauseFunc) (end func()) {
	s.own(p.attempt.ID)
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	id := p.attempt.ID
	go func() {
		defer close(done)
		for s.Wait(ctx, s.Beat) == nil {
			s.beat(ctx, id, p.call.ID, hangUp)
		}
	}()
	return func() {
		cancel()
		<-done
		s.disown(id)
	}
}

// beat writes the attempt's heartbeat. It takes the call off the line when
// another process has declared the attempt dead, or when the experiment has
// been canceled from elsewhere.
func (s *Service) beat(ctx context.Context, attemptID, callID string, hangUp context.CancelCauseFunc) {
	alive, canceled := true, false
	err := s.Store.Write(ctx, func(tx Tx) (err error) {
		if alive, err = tx.BeatAttempt(ctx, attemptID, s.Now()); err != nil {
			return err
		}
		c, err := tx.CallByID(ctx, "", callID)
		canceled = c.Status == call.Canceled
		return err
	})
	switch {
	case err != nil && ctx.Err() == nil:
		s.Log.WarnContext(ctx, "a heartbeat could not be written", "call", callID, "error", err)
	case err == nil && canceled:
		hangUp(errCanceled)
	case err == nil && !alive:
		hangUp(errReaped)
	}
}

// own remembers that an attempt is this process's, so that the process never declares it dead
// itself.
func (s *Service) own(attemptID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ours[attemptID] = true
}

func (s *Service) disown(attemptID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.ours, attemptID)
}

func (s *Service) isOwn(attemptID string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ours[attemptID]
}

// Reap ends attempts whose process has fallen silent, and queues the next attempts at their calls.
// It runs in every process, several times within SilentAfter; running twice at once does no harm.
func (s *Service) Reap(ctx context.Context) error {
	open, err := s.open(ctx)
	if err != nil {
		return err
	}
	return s.buryAll(ctx, s.watch.silent(s.Steady(), s.SilentAfter, open))
}

// Recover ends every attempt that is still open. It may only be called before
// the first call is placed by the only process on the database.
func (s *Service) Recover(ctx context.Context) error {
	open, err := s.open(ctx)
	if err != nil {
		return err
	}
	return s.buryAll(ctx, open)
}

// open are the attempts that have not ended. They are read in a transaction that writes: while the
// database takes no writes, a missing heartbeat proves nothing.
func (s *Service) open(ctx context.Context) (open []Pulse, err error) {
	err = s.Store.Write(ctx, func(tx Tx) (err error) {
		open, err = tx.OpenAttempts(ctx)
		return err
	})
	return open, err
}

// buryAll hangs up the calls of dead attempts, and then ends the attempts, which frees their places
// within the limits.
func (s *Service) buryAll(ctx context.Context, dead []Pulse) error {
	dead = slices.DeleteFunc(slices.Clone(dead), func(p Pulse) bool { return s.isOwn(p.ID) })
	s.hangUpAll(ctx, dead)
	for _, p := range dead {
		if err := s.Store.Write(ctx, func(tx Tx) error { return s.bury(ctx, tx, p) }); err != nil {
			return err
		}
		s.Log.WarnContext(ctx, "an attempt's process has fallen silent", "call", p.CallID, "attempt", p.Number)
	}
	return nil
}

// hangUpTime bounds how long hanging up for dead processes may take, for all calls together.
const hangUpTime = 5 * time.Second

// hangUpAll hangs up for processes that no longer can. A far end that waits for it would keep the
// call up, and the trunk would count it.
func (s *Service) hangUpAll(ctx context.Context, dead []Pulse) {
	if s.HangUp == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, hangUpTime)
	defer cancel()
	var all sync.WaitGroup
	for _, p := range dead {
		reference, err := s.referenceOf(ctx, p)
		if err != nil || reference == "" {
			continue
		}
		all.Go(func() {
			if err := s.HangUp(ctx, p.ID, reference); err != nil {
				s.Log.WarnContext(ctx, "the call of a dead process could not be hung up", "call", p.CallID, "error", err)
			}
		})
	}
	all.Wait()
}

// referenceOf is the reference by which the call of a dead attempt is hung up, "" when there is
// nothing to hang up or another process has ended the attempt. In a room it is known before the
// call is answered.
func (s *Service) referenceOf(ctx context.Context, p Pulse) (reference string, err error) {
	err = s.Store.Read(ctx, func(tx Tx) (err error) {
		c, err := tx.CallByID(ctx, "", p.CallID)
		if err != nil || c.Room == "" {
			reference, err = tx.ReferenceOf(ctx, p.ID)
			return err
		}
		attempts, err := tx.AttemptsOf(ctx, p.CallID)
		if slices.ContainsFunc(attempts, func(a call.Attempt) bool { return a.ID == p.ID && a.EndedAt.IsZero() }) {
			reference = c.Room
		}
		return err
	})
	return reference, err
}

// bury ends one dead attempt as interrupted. Its end is now, or the time at which it should have
// been declared dead if that is earlier. It keeps the answer that was noted, from which it is paid
// for.
func (s *Service) bury(ctx context.Context, tx Tx, p Pulse) error {
	a := p.Attempt
	noted, err := tx.CallByID(ctx, "", a.CallID)
	if err != nil {
		return err
	}
	a.AnsweredAt, a.EndedAt = noted.AnsweredAt, p.At.Add(s.SilentAfter)
	if now := s.Now(); a.EndedAt.After(now) {
		a.EndedAt = now
	}
	for _, before := range []time.Time{a.StartedAt, a.AnsweredAt} { // by the clock of another machine
		if a.EndedAt.Before(before) {
			a.EndedAt = before
		}
	}
	a.EndReason = call.EndOf(call.EndInterrupted, "the process that placed the call died")
	ours, err := tx.EndAttempt(ctx, a)
	if err != nil || !ours {
		return err
	}
	c, err := tx.LockCall(ctx, a.CallID)
	if err != nil || c.Status.Over() {
		return err
	}
	if a.Number < maxAttempts {
		return s.again(ctx, tx, c)
	}
	applyAttempt(&c, a)
	return s.afterLine(ctx, tx, c)
}
