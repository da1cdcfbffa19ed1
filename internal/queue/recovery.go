package queue

import (
	"context"
	"database/sql"
	"slices"
	"time"
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
// count as a try. A job that comes from the future was left before the clock
// was set back; it is due now.
type loneProcess struct {
	db *sql.DB
	// watcher reads beside the connection that writes.
	watcher *sql.DB
	now     func() time.Time
	atWork  *atWork
	// every is how often lost jobs are looked for, patience for how long they have to be so.
	every, patience time.Duration

	// lost belongs to the one goroutine that puts back.
	lost lost
}

// lonePatience is how many times SilentAfter a job has to be lost on SQLite: while the file
// takes no writes, River tries in rounds of some 40 s to write down what became of jobs, and one that is done is better not done again.
const lonePatience = 3

func (p *loneProcess) begin(ctx context.Context, _ string) error {
	for _, text := range []string{
		`DELETE FROM river_leader`,
		`UPDATE river_job SET state = 'available', attempt = max(attempt - 1, 0) WHERE state = 'running'`,
	} {
		if _, err := p.db.ExecContext(ctx, text); err != nil {
			return err
		}
	}
	_, err := p.db.ExecContext(ctx, `UPDATE river_job SET scheduled_at = $1, created_at = $1
		WHERE state IN ('available', 'scheduled', 'retryable') AND max(created_at, coalesce(attempted_at, '')) > $1`,
		p.now().UTC().Format(queueTime))
	return err
}

func (p *loneProcess) periodic(string) []Periodic {
	return []Periodic{{Name: "queue_recovery", Every: p.every, Run: p.recover}}
}

// recover puts back the jobs that nobody works although they are under way by the database: it
// handed them out when River had just given up waiting for that.
func (p *loneProcess) recover(ctx context.Context) error {
	running, err := p.running(ctx)
	if err != nil {
		return err
	}
	for _, id := range p.lost.overdue(slices.DeleteFunc(running, p.atWork.has), p.now(), p.patience) {
		if _, err := p.db.ExecContext(ctx, `UPDATE river_job SET state = 'available', attempt = max(attempt - 1, 0) WHERE state = 'running' AND id = $1`, id); err != nil {
			return err
		}
	}
	return nil
}

func (p *loneProcess) running(ctx context.Context) (ids []int64, err error) {
	rows, err := p.watcher.QueryContext(ctx, `SELECT id FROM river_job WHERE state = 'running'`)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}
