package queue_test

import (
	"fmt"
	"log/slog"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/postgres"
)

// TestManyJobsAreRowsAsRiverWritesThemOnPostgres compares the rows that are put
// off to the commit with one that River wrote itself, and waits for the word that
// they have come.
func TestManyJobsAreRowsAsRiverWritesThemOnPostgres(t *testing.T) {
	t.Parallel()
	e := engines["postgres"](t)().(*postgres.Engine)
	const id = `a "strange" id`
	client, err := river.NewClient(riverpgxv5.New(e.Pool()), &river.Config{MaxAttempts: 5, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := e.Pool().Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Release()
	if _, err := listener.Exec(t.Context(), `LISTEN "public.river_insert"`); err != nil {
		t.Fatal(err)
	}
	if _, err := client.InsertMany(t.Context(), []river.InsertManyParams{{Args: placeJob{id}, InsertOpts: &river.InsertOpts{Queue: "place"}}}); err != nil {
		t.Fatal(err)
	}
	if err := over(t, e).Write(t.Context(), func(tx *store.Tx) error { return tx.EnqueueAll(t.Context(), "place", 1, []string{id, id}) }); err != nil {
		t.Fatal(err)
	}
	var words [2]string
	for i := range words {
		word, err := listener.Conn().WaitForNotification(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		words[i] = fmt.Sprint(word.Channel, " ", word.Payload)
	}
	if words[0] != words[1] {
		t.Errorf("told %s, want %s", words[1], words[0])
	}
	found, err := e.Pool().Query(t.Context(), `SELECT to_jsonb(j) - ARRAY['id', 'created_at', 'scheduled_at'] FROM river_job j ORDER BY id`)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := pgx.CollectRows(found, pgx.RowTo[string])
	if err != nil || len(rows) != 3 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, row := range rows[1:] {
		if row != rows[0] {
			t.Errorf("got  %s\nwant %s", row, rows[0])
		}
	}
}
