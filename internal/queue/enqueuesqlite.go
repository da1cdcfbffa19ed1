package queue

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"github.com/ringtrue/ringtrue/internal/store"
)

// sqliteEnqueuer adds jobs without River, which writes all of them as one document for SQLite to
// take apart again; that costs as much as storing the calls they are for. The rows are the same as
// River's, to the last column.
type sqliteEnqueuer struct {
	store.Enqueuer
	clock *clock
}

const (
	insertJob = `INSERT INTO river_job (args, created_at, kind, max_attempts, metadata, priority, queue, scheduled_at, state, tags)
		VALUES (jsonb($1), $2, $3, $4, jsonb('{}'), $5, $6, $7, 'available', jsonb('[]'))`
	// queueTime is how River writes times on SQLite.
	queueTime = "2006-01-02 15:04:05.000"
)

// Enqueue implements store.Enqueuer. A job that is put off is River's to write.
func (e sqliteEnqueuer) Enqueue(ctx context.Context, raw any, kind, id string, after time.Duration) error {
	if after > 0 {
		return e.Enqueuer.Enqueue(ctx, raw, kind, id, after)
	}
	return e.EnqueueAll(ctx, raw, kind, river.PriorityDefault, []string{id})
}

// EnqueueAll implements store.Enqueuer.
func (e sqliteEnqueuer) EnqueueAll(ctx context.Context, raw any, kind string, urgency int, ids []string) error {
	tx, ok := raw.(*sql.Tx)
	if !ok {
		return fmt.Errorf("jobs %s: the transaction is a %T", kind, raw)
	}
	now := e.clock.Now().UTC().Round(time.Millisecond).Format(queueTime)
	for _, id := range ids {
		args, err := json.Marshal(job{ID: id})
		if err != nil {
			return fmt.Errorf("jobs %s: %w", kind, err)
		}
		if _, err := tx.ExecContext(ctx, insertJob, string(args), now, kind, maxAttempts, urgency, kind, now); err != nil {
			return fmt.Errorf("jobs %s: %w", kind, err)
		}
	}
	return nil
}
