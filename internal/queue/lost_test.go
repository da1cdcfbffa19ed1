package queue_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/queue"
	"github.com/ringtrue/ringtrue/internal/store/postgres"
	"github.com/ringtrue/ringtrue/internal/store/sqlite"
)

// TestJobWhoseHandOutBrokeOff is about a job that the database has handed out to
// a living process that never heard of it, because the connection broke.
func TestJobWhoseHandOutBrokeOff(t *testing.T) {
	t.Parallel()
	e := engines["postgres"](t)().(*postgres.Engine)
	s, ids := over(t, e), make(chan string, 2)
	started(t, queue.Options{
		Engine: e, Beat: 100 * time.Millisecond, SilentAfter: 2 * time.Second, Workers: map[string]queue.Worker{"place": {Run: into(ids)}},
	})
	enqueue(t, s, "other", "lost", 0) // a kind that nobody works, until it is handed out
	if _, err := e.Pool().Exec(t.Context(), `UPDATE river_job SET kind = 'place', queue = 'place', state = 'running', attempt = 1,
		attempted_at = now(), attempted_by = ARRAY[(SELECT id FROM queue_processes)]`); err != nil {
		t.Fatal(err)
	}
	if id := next(t, ids); id != "lost" {
		t.Errorf("got %s", id)
	}
}

// TestJobHandedOutTooLate is about a job that SQLite has handed out when nobody waited for it any
// more: it is under way by the database and nobody works it. One that is worked stays.
func TestJobHandedOutTooLate(t *testing.T) {
	t.Parallel()
	e := engines["sqlite"](t)().(*sqlite.Engine)
	s, ids, began, end := over(t, e), make(chan string, 4), make(chan struct{}, 2), make(chan struct{})
	long := func(context.Context, string) error {
		began <- struct{}{}
		<-end
		return nil
	}
	started(t, queue.Options{
		Engine: e, Beat: 20 * time.Millisecond, SilentAfter: 20 * time.Millisecond,
		Workers: map[string]queue.Worker{"place": {Run: into(ids)}, "long": {Run: long, Max: 2}},
	})
	enqueue(t, s, "long", "worked", 0)
	<-began
	enqueue(t, s, "other", "lost", 0) // a kind that nobody works, until it is handed out
	ctx, giveUp := context.WithCancel(t.Context())
	rows, err := e.DB().QueryContext(ctx, `UPDATE river_job SET kind = 'place', queue = 'place', state = 'running', attempt = 1
		WHERE queue = 'other' RETURNING id`)
	if err != nil {
		t.Fatal(err)
	}
	giveUp()
	_ = rows.Close()
	if err := rows.Err(); err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if id := next(t, ids); id != "lost" {
		t.Errorf("got %s", id)
	}
	if len(began) > 0 {
		t.Error("a job that was being worked was put back")
	}
	close(end)
}

// TestJobsFromTheFuture are what a clock leaves behind that is set back.
func TestJobsFromTheFuture(t *testing.T) {
	t.Parallel()
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		e := engines["postgres"](t)().(*postgres.Engine)
		s, ids := over(t, e), make(chan string, 2)
		enqueue(t, s, "place", "one", 0)
		if _, err := e.Pool().Exec(t.Context(), `UPDATE river_job SET created_at = now() + interval '1 day', scheduled_at = now() + interval '1 day'`); err != nil {
			t.Fatal(err)
		}
		started(t, queue.Options{Engine: e, Beat: 100 * time.Millisecond, Workers: map[string]queue.Worker{"place": {Run: into(ids)}}})
		next(t, ids)
	})
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		e := engines["sqlite"](t)().(*sqlite.Engine)
		s, ids := over(t, e), make(chan string, 2)
		enqueue(t, s, "place", "one", 0)
		if _, err := e.DB().ExecContext(t.Context(), `UPDATE river_job SET created_at = datetime('now', '+1 day'), scheduled_at = datetime('now', '+1 day')`); err != nil {
			t.Fatal(err)
		}
		started(t, queue.Options{Engine: e, Workers: map[string]queue.Worker{"place": {Run: into(ids)}}})
		next(t, ids)
	})
}
