package store

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
)

const (
	writeTries = 12
	firstPause = 2 * time.Millisecond
	maxPause   = 250 * time.Millisecond
	// awayTries is how often a database that does not answer is asked, with
	// awayPause between: a restart of the connections passes unnoticed, and
	// whoever waits for an answer is told after about three seconds.
	awayTries = 13
	awayPause = 250 * time.Millisecond
	// comeBack is when a client is told to try again.
	comeBack = 2 * time.Second
)

// Write runs f in a transaction and commits when f returns nil; then the
// changes are on disk. f is run again, in a new transaction, after a
// serialisation failure or when the connection broke before the commit: it must
// have no effect but through tx. f must not begin another transaction. When the
// database stays away or its disk is full or fails, the error is a problem.Unavailable
// and nothing was changed, unless IsUncertain says otherwise.
func (s *Store) Write(ctx context.Context, f func(*Tx) error) error {
	return s.persist(ctx, func() error { return s.once(ctx, true, f) })
}

// Read runs f over one consistent state of the database. f must change nothing
// and may be run again when the connection broke.
func (s *Store) Read(ctx context.Context, f func(*Tx) error) error {
	return s.persist(ctx, func() error { return s.once(ctx, false, f) })
}

// persist tries until it works, fails for good, or has been tried often enough.
func (s *Store) persist(ctx context.Context, try func() error) error {
	transient, away, pause := 0, 0, firstPause
	for {
		err := try()
		if err == nil {
			return nil
		}
		wait, failure := awayPause, s.engine.Classify(err)
		s.noteFailure(failure)
		switch failure {
		case Transient:
			if transient++; transient == writeTries {
				return tooBusy(err)
			}
			wait, pause = pause/2+rand.N(pause/2+1), min(2*pause, maxPause)
		case Away:
			if away++; away == awayTries {
				return s.told(err)
			}
		case Final, Duplicate, Unfit, Hung, Full, Broken, Uncertain:
			return s.told(err)
		}
		if err := sleep(ctx, wait); err != nil {
			return err
		}
	}
}

func tooBusy(why error) error {
	e := problem.New(problem.Unavailable, "the database is too busy").WithHint("nothing was changed; try again in a moment")
	e.RetryAfter = comeBack
	return e.Because(why)
}

// noteFailure tells of what is no mistake of whoever asked.
func (s *Store) noteFailure(f Failure) {
	if s.tell.Failed == nil {
		return
	}
	switch f {
	case Transient, Away, Hung, Full, Broken, Uncertain:
		s.tell.Failed(f)
	case Final, Duplicate, Unfit:
	}
}

// told turns the failures of the database as a whole into what a person
// understands, and leaves everything else alone.
func (s *Store) told(err error) error {
	if err == nil || problem.As(err) != nil {
		return err
	}
	if known, ok := s.engine.(Explainer); ok {
		if e := known.Explain(err); e != nil {
			e.RetryAfter = comeBack
			return e.Because(err)
		}
	}
	var e *problem.Error
	switch s.engine.Classify(err) {
	case Away, Hung:
		e = problem.New(problem.Unavailable, "the database does not answer").
			WithHint("nothing was changed; try again in a moment: the service goes on by itself once its database is back")
	case Full:
		e = problem.New(problem.Unavailable, "there is no room left for the database to write").
			WithHint("nothing was changed; free space on the disk of the database: the service goes on by itself then")
	case Broken:
		e = problem.New(problem.Unavailable, "the files of the database cannot be read or written").
			WithHint("nothing was changed; see whether their disk is full, fails or may not be written. The service goes on by itself once they can be; files that stay damaged have to come from a backup")
	case Uncertain:
		e = problem.New(problem.Unavailable, "the database failed before it said whether this is stored").
			WithHint("look whether it is there before you try again")
	case Final, Transient, Duplicate, Unfit:
		return err
	}
	e.RetryAfter = comeBack
	return e.Because(err)
}

// IsUncertain reports whether an error of Write leaves open if the changes were made.
func (s *Store) IsUncertain(err error) bool {
	return err != nil && s.engine.Classify(err) == Uncertain
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
