package queue

import (
	"context"
	"database/sql"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// recovery takes up jobs whose process has died. River leaves them "running",
// and its own rescue goes by how long a job has run, which says nothing here:
// a call may take an hour.
type recovery interface {
	// begin runs before the queue starts.
	begin(ctx context.Context, clientID string) error
	// periodic is what has to be done while it runs.
	periodic(clientID string) []Periodic
}

// loneProcess is the recovery on SQLite: whatever runs when this process
// starts was run by one that is dead, and so is the leader. A crash does not
// count as a try.
type loneProcess struct{ db *sql.DB }

func (p loneProcess) begin(ctx context.Context, _ string) error {
	if _, err := p.db.ExecContext(ctx, `DELETE FROM river_leader`); err != nil {
		return err
	}
	_, err := p.db.ExecContext(ctx,
		`UPDATE river_job SET state = 'available', attempt = max(attempt - 1, 0) WHERE state = 'running'`)
	return err
}

func (p loneProcess) periodic(string) []Periodic { return nil }

// manyProcesses is the recovery on PostgreSQL: every process beats on a row of
// its own, by the database's clock, and whoever notices puts the jobs of one
// that has fallen silent back.
type manyProcesses struct{ pool *pgxpool.Pool }

const beatEvery = 5 * time.Second

func (p manyProcesses) begin(ctx context.Context, clientID string) error {
	return p.beat(ctx, clientID)
}

func (p manyProcesses) periodic(clientID string) []Periodic {
	return []Periodic{
		{Name: "queue_beat", Every: beatEvery, Run: func(ctx context.Context) error { return p.beat(ctx, clientID) }},
		{Name: "queue_recovery", Every: beatEvery, Run: p.putBack},
	}
}

func (p manyProcesses) beat(ctx context.Context, clientID string) error {
	_, err := p.pool.Exec(ctx, `INSERT INTO queue_processes (id, beat_at) VALUES ($1, now())
		ON CONFLICT (id) DO UPDATE SET beat_at = now()`, clientID)
	return err
}

// putBack frees the jobs of processes silent for 30 s. A process is forgotten
// only long afterwards; jobs of one that never beat have no owner either.
func (p manyProcesses) putBack(ctx context.Context) error {
	if _, err := p.pool.Exec(ctx, `UPDATE river_job SET state = 'available', attempt = greatest(attempt - 1, 0)
		WHERE state = 'running' AND attempted_at < now() - interval '30 seconds'
		AND NOT EXISTS (SELECT 1 FROM queue_processes p
			WHERE p.id = attempted_by[array_upper(attempted_by, 1)] AND p.beat_at > now() - interval '30 seconds')`); err != nil {
		return err
	}
	_, err := p.pool.Exec(ctx, `DELETE FROM queue_processes WHERE beat_at < now() - interval '1 day'`)
	return err
}
