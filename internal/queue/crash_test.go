package queue_test

import (
	"context"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/queue"
	"github.com/ringtrue/ringtrue/internal/store/postgres"
	"github.com/ringtrue/ringtrue/internal/store/sqlite"
)

// leftBehind is what a process that was killed leaves: its job "running", its
// leadership not given back. It cost as many tries as there are.
const (
	leftBehind = `UPDATE river_job SET state = 'running', attempt = 5, attempted_at = `
	leader     = `INSERT INTO river_leader (elected_at, expires_at, leader_id, name) VALUES `
)

func TestJobOfADeadProcessOnSQLite(t *testing.T) {
	t.Parallel()
	open := engines["sqlite"](t)
	e := open().(*sqlite.Engine)
	enqueue(t, over(t, e), "place", "one", 0)
	for _, text := range []string{
		leftBehind + `datetime('now'), attempted_by = json('["dead"]')`,
		leader + `(datetime('now'), datetime('now', '+1 hour'), 'dead', 'default')`,
	} {
		if _, err := e.DB().ExecContext(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	ids := make(chan string, 1)
	started(t, queue.Options{Engine: open(), Workers: map[string]queue.Worker{"place": {Run: into(ids)}}})
	if id := next(t, ids); id != "one" {
		t.Errorf("got %s", id)
	}
}

func TestJobOfADeadProcessOnPostgres(t *testing.T) {
	t.Parallel()
	open := engines["postgres"](t)
	e := open().(*postgres.Engine)
	s := over(t, e)
	block, running, ids := make(chan struct{}), make(chan string, 1), make(chan string, 1)
	defer close(block)
	started(t, queue.Options{Engine: e, Beat: 200 * time.Millisecond, Workers: map[string]queue.Worker{"alive": {Run: func(_ context.Context, id string) error {
		running <- id
		<-block
		return nil
	}}}})
	enqueue(t, s, "alive", "mine", 0)
	next(t, running)
	enqueue(t, s, "place", "dead", 0)
	// Long ago for both (less than the hour after which River itself steps in); only the owner of the second is gone.
	for _, text := range []string{
		leftBehind + `now() - interval '10 minutes', attempted_by = ARRAY['dead'] WHERE kind = 'place'`,
		`UPDATE river_job SET attempted_at = now() - interval '10 minutes' WHERE kind = 'alive'`,
		`INSERT INTO queue_processes (id, beat_at) VALUES ('dead', now() + interval '1 hour')`, // its clock does not matter
	} {
		if _, err := e.Pool().Exec(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	other := open()
	started(t, queue.Options{
		Engine: other, Workers: map[string]queue.Worker{"place": {Run: into(ids)}},
		Beat: 200 * time.Millisecond, SilentAfter: 2 * time.Second,
	})
	if id := next(t, ids); id != "dead" {
		t.Errorf("got %s", id)
	}
	var state string
	if err := e.Pool().QueryRow(t.Context(), `SELECT state FROM river_job WHERE kind = 'alive'`).Scan(&state); err != nil || state != "running" {
		t.Errorf("the job of a living process is %q, %v", state, err)
	}
}
