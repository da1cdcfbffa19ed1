package queue

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Waiting is how many jobs of one kind are waiting, over all processes on the database.
type Waiting struct {
	Kind string
	// Due are the jobs that may be taken, Later those that were put off or are to be
	// tried again. Neither is counted beyond 10 000.
	Due, Later int
	// Oldest is how long the first of those that are due has been so.
	Oldest time.Duration
}

const (
	// mostCounted is up to where jobs are counted: it bounds what the question costs.
	mostCounted = 10_000
	// lookAgain is how long an answer is reused, lookFor how long one is waited for.
	lookAgain, lookFor = 5 * time.Second, 2 * time.Second
)

// backlog counts waiting jobs. It asks one question at a time and reuses its answer for a while,
// failures included, so that a database in trouble is not asked more often.
type backlog struct {
	now func() time.Time
	// ask puts the question once.
	ask func(ctx context.Context, text string) ([]waitingRow, error)

	text string

	mu    sync.Mutex
	asked time.Time
	last  []Waiting
	err   error
}

// waitingRow is an answer: since is when the first that is due became so, in seconds
// since 1970, nil when none is.
type waitingRow struct {
	kind       string
	due, later int
	since      *float64
}

func newBacklog(kinds []string, seconds string, now func() time.Time, ask func(context.Context, string) ([]waitingRow, error)) *backlog {
	return &backlog{now: now, ask: ask, text: backlogText(kinds, seconds)}
}

// backlogText asks for all kinds at once. Each part of it reads the index by which
// jobs are taken, from the first entry on and for a bounded number of them.
func backlogText(kinds []string, seconds string) string {
	parts := make([]string, len(kinds))
	for i, kind := range kinds {
		parts[i] = fmt.Sprintf(`SELECT '%[1]s' AS kind, %[2]s AS due, %[3]s + %[4]s AS later,
			(SELECT %[5]s FROM river_job WHERE state = 'available' AND queue = '%[1]s' ORDER BY priority, scheduled_at, id LIMIT 1) AS since`,
			kind, counted("available", kind), counted("scheduled", kind), counted("retryable", kind), seconds)
	}
	return strings.Join(parts, "\nUNION ALL ")
}

func counted(state, kind string) string {
	return fmt.Sprintf(`(SELECT count(*) FROM (SELECT 1 FROM river_job WHERE state = '%s' AND queue = '%s' LIMIT %d) AS few)`, state, kind, mostCounted)
}

func (b *backlog) look(ctx context.Context) ([]Waiting, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	if !b.asked.IsZero() && now.Sub(b.asked).Abs() < lookAgain {
		return b.last, b.err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookFor) // the answer is also for those who ask after this one
	defer cancel()
	rows, err := b.ask(ctx, b.text)
	b.asked, b.last, b.err = now, nil, err
	for _, row := range rows {
		w := Waiting{Kind: row.kind, Due: row.due, Later: min(row.later, mostCounted)}
		if row.since != nil {
			w.Oldest = max(0, now.Sub(time.UnixMicro(int64(*row.since*1e6))))
		}
		b.last = append(b.last, w)
	}
	return b.last, b.err
}

// The expressions of a job's time in seconds since 1970.
const (
	sqliteSeconds   = `unixepoch(scheduled_at, 'subsec')`
	postgresSeconds = `EXTRACT(EPOCH FROM scheduled_at)::float8`
)

// answers are the rows of either engine.
type answers interface {
	Next() bool
	Scan(into ...any) error
}

func readBacklog(rows answers) (all []waitingRow, err error) {
	for rows.Next() {
		var row waitingRow
		if err := rows.Scan(&row.kind, &row.due, &row.later, &row.since); err != nil {
			return nil, err
		}
		all = append(all, row)
	}
	return all, nil
}

func askSQLite(db *sql.DB) func(context.Context, string) ([]waitingRow, error) {
	return func(ctx context.Context, text string) ([]waitingRow, error) {
		rows, err := db.QueryContext(ctx, text)
		if err != nil {
			return nil, err
		}
		defer func() { _ = rows.Close() }()
		all, err := readBacklog(rows)
		return all, errors.Join(err, rows.Err())
	}
}

func askPostgres(pool *pgxpool.Pool) func(context.Context, string) ([]waitingRow, error) {
	return func(ctx context.Context, text string) ([]waitingRow, error) {
		rows, err := pool.Query(ctx, text)
		if err != nil {
			return nil, err
		}
		defer rows.Close()
		all, err := readBacklog(rows)
		return all, errors.Join(err, rows.Err())
	}
}
