package queue

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/riverqueue/river"

	"github.com/ringtrue/ringtrue/internal/store"
)

// postgresEnqueuer adds jobs without River, each of whose statements would be waited for: it holds
// its own back and sends them with the commit. The rows are the same as River's, to the last
// column.
type postgresEnqueuer struct {
	store.Enqueuer
	clock *clock

	mu sync.Mutex
	// told is when processes were last told of jobs, by kind.
	told map[string]time.Time
}

const (
	insertJobs = `INSERT INTO river_job (args, created_at, kind, max_attempts, metadata, priority, queue, scheduled_at, state, tags)
		SELECT jsonb_build_object('id', unnest($1::text[])), $2, $3, $4, '{}', $5, $3, $2, 'available', '{}'`
	// tellOfJobs wakes those who work them, as River does.
	tellOfJobs = `SELECT pg_notify(current_schema() || '.river_insert', $1)`
)

// postponer is a transaction that puts statements off.
type postponer interface {
	Postpone(text string, args ...any)
}

// Enqueue implements store.Enqueuer. A job that is put off is River's to write.
func (e *postgresEnqueuer) Enqueue(ctx context.Context, raw any, kind, id string, after time.Duration) error {
	if after > 0 {
		return e.Enqueuer.Enqueue(ctx, raw, kind, id, after)
	}
	return e.EnqueueAll(ctx, raw, kind, river.PriorityDefault, []string{id})
}

// EnqueueAll implements store.Enqueuer.
func (e *postgresEnqueuer) EnqueueAll(_ context.Context, raw any, kind string, urgency int, ids []string) error {
	tx, ok := raw.(postponer)
	if !ok {
		return fmt.Errorf("jobs %s: the transaction is a %T", kind, raw)
	}
	now := e.clock.Now().UTC()
	tx.Postpone(insertJobs, ids, now, kind, maxAttempts, urgency)
	if e.tell(kind, now) {
		tx.Postpone(tellOfJobs, fmt.Sprintf(`{"queue": %q}`, kind))
	}
	return nil
}

// tell reports whether to notify the workers of a kind of job: not if that was done a moment ago,
// since they look for more jobs a moment later anyway.
func (e *postgresEnqueuer) tell(kind string, now time.Time) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if now.Sub(e.told[kind]).Abs() < cooldown {
		return false
	}
	e.told[kind] = now
	return true
}
