package queue

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/ringtrue/ringtrue/internal/store/postgres"
	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
)

// after has something happen right after a query whose text holds a word.
type after struct {
	word string
	do   func()
}

type askedKey struct{}

func (a after) TraceQueryStart(ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryStartData) context.Context {
	return context.WithValue(ctx, askedKey{}, strings.Contains(q.SQL, a.word))
}

func (a after) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryEndData) {
	if asked, _ := ctx.Value(askedKey{}).(bool); asked {
		a.do()
	}
}

// A process that begins, and takes a job, while another looks for silent ones is none of those.
func TestNewcomerKeepsItsJob(t *testing.T) {
	t.Parallel()
	address := pgtest.Database(t)
	e, err := postgres.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	exec := func(text string) {
		t.Helper()
		if _, err := e.Pool().Exec(t.Context(), text); err != nil {
			t.Error(err)
		}
	}
	const job = `INSERT INTO river_job (args, kind, queue, max_attempts, state, attempt, attempted_at, attempted_by) VALUES `
	exec(job + `('{}', 'place', 'place', 5, 'running', 1, now(), ARRAY['gone'])`)
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		t.Fatal(err)
	}
	came := false
	config.ConnConfig.Tracer = after{"FROM queue_processes", func() {
		if !came {
			came = true
			exec(`INSERT INTO queue_processes (id, beat_at) VALUES ('new', now())`)
			exec(job + `('{}', 'review', 'review', 5, 'running', 1, now(), ARRAY['new'])`)
		}
	}}
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	p := &manyProcesses{pool: pool, clock: &clock{now: time.Now}, atWork: newAtWork(), every: time.Hour, patience: time.Hour, seen: map[string]sighting{}}
	if err := p.recover(t.Context(), "us"); err != nil || !came {
		t.Fatal(came, err)
	}
	rows, err := e.Pool().Query(t.Context(), `SELECT kind || ' ' || state FROM river_job ORDER BY kind`)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := pgx.CollectRows(rows, pgx.RowTo[string]); err != nil || strings.Join(got, ", ") != "place available, review running" {
		t.Errorf("%v, %v", got, err)
	}
}
