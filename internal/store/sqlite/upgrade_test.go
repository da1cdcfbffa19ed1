package sqlite_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pressly/goose/v3"

	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/sqlite"
)

// An older program's file is brought up step by step, each of them told of
// before it is taken.
func TestAnOlderFileIsBroughtUp(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ringtrue.db")
	const older = 11
	makeOlder(t, path, older)
	var told []store.Step
	e, err := sqlite.OpenTelling(t.Context(), path, func(s store.Step) { told = append(told, s) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	if len(told) == 0 || !slices.IsSortedFunc(told, func(a, b store.Step) int { return int(a.Version - b.Version) }) {
		t.Fatalf("told of %+v", told)
	}
	for i, s := range told {
		if s.Number != i+1 || s.Of != len(told) || s.Version <= older {
			t.Errorf("step %d is told as %+v", i+1, s)
		}
	}
	var name string
	if err := e.DB().QueryRowContext(t.Context(), `SELECT name FROM workspaces WHERE id = 'ws_old'`).Scan(&name); err != nil || name != "of old" {
		t.Errorf("what was in the file: %q, %v", name, err)
	}
	told = nil
	again, err := sqlite.OpenTelling(t.Context(), path, func(s store.Step) { told = append(told, s) })
	if err != nil {
		t.Fatal(err)
	}
	_ = again.Close()
	fresh, err := sqlite.OpenTelling(t.Context(), filepath.Join(t.TempDir(), "new.db"), func(s store.Step) { told = append(told, s) })
	if err != nil {
		t.Fatal(err)
	}
	_ = fresh.Close()
	if len(told) > 0 {
		t.Errorf("told of %+v where there was nothing to bring up", told)
	}
}

// Programs of lines of development that were joined later have taken a step and left out one with a lower number.
func TestAFileThatLacksAnEarlierStepIsBroughtUp(t *testing.T) {
	t.Parallel()
	for name, without := range map[string][]int64{"one": {5, 6}, "the other": {13, 14}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "ringtrue.db")
			older := without[len(without)-1] + 1
			makeOlder(t, path, older, without...)
			var told []int64
			e, err := sqlite.OpenTelling(t.Context(), path, func(s store.Step) { told = append(told, s.Version) })
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = e.Close() })
			if len(told) < 3 || !slices.Equal(told[:2], without) || told[2] <= older {
				t.Errorf("told of %v", told)
			}
			fresh, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "new.db"))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = fresh.Close() })
			if got, want := tablesOf(t, e.DB()), tablesOf(t, fresh.DB()); !slices.Equal(got, want) {
				t.Errorf("tables and indexes\n%v\nand not\n%v", got, want)
			}
		})
	}
}

// tablesOf are the columns of all tables, and the indexes.
func tablesOf(t *testing.T, db *sql.DB) (out []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), `SELECT m.name || ' ' || COALESCE(c.name, m.sql, '') FROM sqlite_master m
		LEFT JOIN pragma_table_info(m.name) c ON m.type = 'table' ORDER BY 1`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		out = append(out, name)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// makeOlder makes a file as a program knew it that had the migrations up to version, but for some.
func makeOlder(t *testing.T, path string, version int64, without ...int64) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	p, err := goose.NewProvider(goose.DialectSQLite3, db, os.DirFS("migrations"), goose.WithExcludeVersions(without))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.UpTo(t.Context(), version); err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), `INSERT INTO workspaces (id, name, created_at) VALUES ('ws_old', 'of old', 1)`); err != nil {
		t.Fatal(err)
	}
}
