package queue_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riversqlite"

	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/sqlite"
)

// placeJob is a job as River is given it.
type placeJob struct {
	ID string `json:"id"`
}

// Kind implements river.JobArgs.
func (placeJob) Kind() string { return "place" }

// TestManyJobsAreRowsAsRiverWritesThem compares the rows that are written
// without River with one that it wrote itself.
func TestManyJobsAreRowsAsRiverWritesThem(t *testing.T) {
	t.Parallel()
	e := engines["sqlite"](t)().(*sqlite.Engine)
	const id = `a "strange" id`
	client, err := river.NewClient(riversqlite.New(e.DB()), &river.Config{MaxAttempts: 5, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.InsertManyFast(t.Context(), []river.InsertManyParams{{Args: placeJob{id}, InsertOpts: &river.InsertOpts{Queue: "place"}}}); err != nil {
		t.Fatal(err)
	}
	if err := over(t, e).Write(t.Context(), func(tx *store.Tx) error { return tx.EnqueueAll(t.Context(), "place", 1, []string{id, id}) }); err != nil {
		t.Fatal(err)
	}
	rows, err := e.DB().QueryContext(t.Context(), `SELECT *, typeof(created_at) || length(created_at), typeof(scheduled_at) || length(scheduled_at)
		FROM river_job ORDER BY id`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for rows.Next() {
		values, places := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			places[i] = &values[i]
		}
		if err := rows.Scan(places...); err != nil {
			t.Fatal(err)
		}
		var row strings.Builder
		for i, name := range columns {
			if name != "id" && name != "created_at" && name != "scheduled_at" {
				fmt.Fprintf(&row, "%s %T %v; ", name, values[i], values[i])
			}
		}
		all = append(all, row.String())
	}
	if err := rows.Err(); err != nil || len(all) != 3 {
		t.Fatalf("%d rows, %v", len(all), err)
	}
	for _, row := range all[1:] {
		if row != all[0] {
			t.Errorf("got  %s\nwant %s", row, all[0])
		}
	}
}
