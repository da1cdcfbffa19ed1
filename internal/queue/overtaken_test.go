package queue

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"github.com/ringtrue/ringtrue/internal/store/postgres"
	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
)

// A process that stood still gives a job back in the moment in which another frees it: it is told nothing of the
// job, which River would take for a fault that the process cannot outlive.
func TestAJobThatIsFreedAsItIsGivenBack(t *testing.T) {
	t.Parallel()
	engine, err := postgres.Open(t.Context(), pgtest.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = engine.Close() })
	pool := engine.Pool()
	for name, c := range map[string]struct {
		exec riverdriver.Executor
		rows int
	}{"ours": {newOvertakenDriver(pool).GetExecutor(), 0}, "as it is": {riverpgxv5.New(pool).GetExecutor(), 1}} {
		var id int64
		if err := pool.QueryRow(t.Context(), `INSERT INTO river_job (args, kind, max_attempts, queue, state, attempt, attempted_at, attempted_by)
			VALUES ('{}', 'place', 5, 'place', 'running', 1, now(), ARRAY['stood still']) RETURNING id`).Scan(&id); err != nil {
			t.Fatal(err)
		}
		tx, err := pool.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tx.Exec(t.Context(), `UPDATE river_job SET state = 'available', attempt = 0 WHERE id = $1`, id); err != nil {
			t.Fatal(err)
		}
		type answer struct {
			rows []*rivertype.JobRow
			err  error
		}
		given := make(chan answer, 1)
		go func() {
			now := time.Now()
			rows, err := c.exec.JobSetStateIfRunningMany(t.Context(), &riverdriver.JobSetStateIfRunningManyParams{
				ID: []int64{id}, Attempt: []*int{nil}, ErrData: [][]byte{nil}, FinalizedAt: []*time.Time{&now}, MetadataDoMerge: []bool{false},
				MetadataUpdates: [][]byte{nil}, ScheduledAt: []*time.Time{nil}, State: []rivertype.JobState{rivertype.JobStateCompleted},
			})
			given <- answer{rows, err}
		}()
		untilBlocked(t, pool)
		if err := tx.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := <-given; got.err != nil || len(got.rows) != c.rows {
			t.Errorf("%s: %d rows, want %d: %v", name, len(got.rows), c.rows, got.err)
		}
		var state string
		if err := pool.QueryRow(t.Context(), `SELECT state FROM river_job WHERE id = $1`, id).Scan(&state); err != nil || state != "available" {
			t.Errorf("%s: the job is %s: %v", name, state, err)
		}
	}
}

// untilBlocked waits until a statement waits for the lock of another.
func untilBlocked(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for waiting := 0; waiting == 0; {
		if err := pool.QueryRow(ctx, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&waiting); err != nil {
			t.Fatal(err)
		}
	}
}
