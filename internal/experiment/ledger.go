package experiment

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
)

const (
	// placeTries is how often placing a call may fail in a process before the call is given up.
	placeTries = 4
	// outagePause is how soon a call is tried again that could not be placed because the database
	// was away or full.
	outagePause = 2 * time.Second
	// maxRemembered bounds the ledger; beyond it everything is forgotten, and the
	// calls in question get more tries than they should.
	maxRemembered = 10_000
)

// ledger remembers how often placing each call has failed in a row.
type ledger struct {
	mu     sync.Mutex
	failed map[string]int
}

func newLedger() *ledger { return &ledger{failed: map[string]int{}} }

func (l *ledger) fail(callID string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.failed) >= maxRemembered {
		clear(l.failed)
	}
	l.failed[callID]++
	return l.failed[callID]
}

func (l *ledger) forget(callID string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.failed, callID)
}

// failed decides what happens to a call that could not be placed. While the database is away it is
// tried again for as long as that lasts; otherwise it is tried a few times and then given up, so
// that its experiment does not wait for ever. The queue sees none of these tries as failures: it
// adds up those of all processes, and would drop the job before any of them gave the call up.
func (s *Service) failed(ctx context.Context, callID string, cause error) error {
	var again TryAgain
	switch {
	case cause == nil || errors.As(cause, &again):
		s.ledger.forget(callID)
		return cause
	case ctx.Err() != nil:
		return cause
	case problem.Is(cause, problem.Unavailable):
		s.Log.WarnContext(ctx, "a call waits until the database can be used again", "call", callID, "error", cause)
		return TryAgain{After: outagePause}
	}
	if n := s.ledger.fail(callID); n < placeTries {
		s.Log.WarnContext(ctx, "a call could not be placed yet", "call", callID, "try", n, "error", cause)
		return TryAgain{After: time.Duration(n*n) * time.Second}
	}
	s.ledger.forget(callID)
	s.Log.ErrorContext(ctx, "a call could not be placed", "call", callID, "error", cause)
	return s.giveUp(ctx, callID, cause)
}

// giveUp ends a waiting call that can never be placed. The fault is ours alone.
func (s *Service) giveUp(ctx context.Context, callID string, cause error) error {
	why := "the call could not be placed"
	if p := problem.As(cause); p != nil {
		why = p.Message
	}
	return s.Store.Write(ctx, func(tx Tx) error {
		c, err := tx.LockCall(ctx, callID)
		if err != nil || c.Status != call.Queued {
			return err
		}
		c.Status, c.EndedAt = call.Failed, s.Now()
		c.EndReason = call.EndOf(call.EndRingtrueError, why)
		return s.afterLine(ctx, tx, c)
	})
}
