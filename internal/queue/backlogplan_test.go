package queue

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/store/sqlite"
)

// What is asked whenever somebody looks reads the index by which jobs are taken, and no table.
func TestTheBacklogIsReadFromTheIndex(t *testing.T) {
	t.Parallel()
	e, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "ringtrue.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	rows, err := e.DB().QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+backlogText([]string{"place", "review"}, sqliteSeconds))
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	reads := 0
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(step, "river_job") {
			continue
		}
		if reads++; !strings.HasPrefix(step, "SEARCH river_job USING COVERING INDEX") {
			t.Errorf("it is not by the index alone: %s", step)
		}
	}
	if err := rows.Err(); err != nil || reads != 8 {
		t.Errorf("%d reads, %v", reads, err)
	}
}
