package queue

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"

	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/postgres"
	"github.com/ringtrue/ringtrue/internal/store/sqlite"
)

// NewEnqueuer returns what store.New needs so that transactions can add jobs.
func NewEnqueuer(engine store.Engine, now func() time.Time) (store.Enqueuer, error) {
	switch engine := engine.(type) {
	case *sqlite.Engine:
		c := &clock{now: now, own: true}
		river, err := newEnqueuer[*sql.Tx](riversqlite.New(engine.DB()), c)
		return sqliteEnqueuer{river, c}, err
	case *postgres.Engine:
		c := &clock{now: now}
		river, err := newEnqueuer[pgx.Tx](riverpgxv5.New(engine.Pool()), c)
		return &postgresEnqueuer{Enqueuer: river, clock: c, told: map[string]time.Time{}}, err
	}
	return nil, fmt.Errorf("the queue does not run on a %T", engine)
}

type enqueuer[T any] struct {
	client *river.Client[T]
	now    func() time.Time
}

func newEnqueuer[T any](driver riverdriver.Driver[T], clock *clock) (store.Enqueuer, error) {
	client, err := river.NewClient(driver, &river.Config{
		MaxAttempts: maxAttempts, Logger: slog.New(slog.DiscardHandler), Test: river.TestConfig{Time: clock},
	})
	if err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	return enqueuer[T]{client, clock.Now}, nil
}

// Enqueue implements store.Enqueuer.
func (e enqueuer[T]) Enqueue(ctx context.Context, raw any, kind, id string, after time.Duration) error {
	tx, ok := raw.(T)
	if !ok {
		return fmt.Errorf("job %s: the transaction is a %T", kind, raw)
	}
	options := &river.InsertOpts{Queue: kind}
	if after > 0 {
		options.ScheduledAt = e.now().Add(after)
	}
	if _, err := e.client.InsertTx(ctx, tx, job{kind: kind, ID: id}, options); err != nil {
		return fmt.Errorf("job %s: %w", kind, err)
	}
	return nil
}

// EnqueueAll implements store.Enqueuer.
func (e enqueuer[T]) EnqueueAll(ctx context.Context, raw any, kind string, urgency int, ids []string) error {
	tx, ok := raw.(T)
	if !ok {
		return fmt.Errorf("jobs %s: the transaction is a %T", kind, raw)
	}
	jobs := make([]river.InsertManyParams, len(ids))
	for i, id := range ids {
		jobs[i] = river.InsertManyParams{Args: job{kind: kind, ID: id}, InsertOpts: &river.InsertOpts{Queue: kind, Priority: urgency}}
	}
	if _, err := e.client.InsertManyFastTx(ctx, tx, jobs); err != nil {
		return fmt.Errorf("jobs %s: %w", kind, err)
	}
	return nil
}
