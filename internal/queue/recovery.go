package queue

import (
	"context"
	"database/sql"
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
	db  *sql.DB
	now func() time.Time
}

// sqliteTime is how River writes times on SQLite.
const sqliteTime = "2006-01-02 15:04:05.000"

func (p loneProcess) begin(ctx context.Context, _ string) error {
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
		p.now().UTC().Format(sqliteTime))
	return err
}

func (p loneProcess) periodic(string) []Periodic { return nil }
