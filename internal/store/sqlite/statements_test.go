package sqlite_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/ringtrue/ringtrue/internal/store/sqlite"
)

func TestArgumentsWithoutNumbers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		args int
		want string
	}{
		{`INSERT INTO t (a, b) VALUES ($1, $2)`, 2, `INSERT INTO t (a, b) VALUES (?, ?)`},
		{`SELECT 1 WHERE a = $1 AND b = '$2' AND c = $2`, 2, `SELECT 1 WHERE a = ? AND b = '$2' AND c = ?`},
		{`SELECT 1 WHERE a = 'it''s $1' AND b = $1`, 1, `SELECT 1 WHERE a = 'it''s $1' AND b = ?`},
		{`SELECT $2, $1`, 2, `SELECT $2, $1`},
		{`SELECT $1, $1`, 1, `SELECT $1, $1`},
		{`SELECT $1, $2`, 3, `SELECT $1, $2`},
		{`SELECT $10`, 1, `SELECT $10`},
		{`SELECT ?1`, 1, `SELECT ?1`},
		{`SELECT ?`, 1, `SELECT ?`},
	} {
		if got := sqlite.Unnumbered(c.text, c.args); got != c.want {
			t.Errorf("%s: got %s", c.text, got)
		}
	}
}

// TestStatementsAreKept runs the same texts again where that is not plain: while
// the rows of the first run are still read, after the table has changed, after a
// run that failed, and more texts than are kept.
func TestStatementsAreKept(t *testing.T) {
	t.Parallel()
	db := open(t, filepath.Join(t.TempDir(), "ringtrue.db")).DB()
	exec := func(text string, args ...any) error {
		_, err := db.ExecContext(t.Context(), text, args...)
		return err
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(exec(`CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)`))
	const insert, query = `INSERT INTO t (a, b) VALUES ($1, $2)`, `SELECT a, b FROM t WHERE a >= $1 ORDER BY a`
	must(exec(insert, 1, "one"))
	must(exec(insert, 2, "two"))
	if err := exec(insert, 2, "two"); err == nil {
		t.Error("a key was taken twice")
	}
	must(exec(insert, 3, "three"))

	tx, err := db.BeginTx(t.Context(), nil)
	must(err)
	read := func(from int, inner func()) (out string) {
		t.Helper()
		rows, err := tx.QueryContext(t.Context(), query, from)
		must(err)
		defer func() { must(rows.Close()); must(rows.Err()) }()
		for rows.Next() {
			var a int
			var b string
			must(rows.Scan(&a, &b))
			out += fmt.Sprint(a, b, " ")
			if inner != nil {
				inner()
			}
		}
		return out
	}
	const all = "1one 2two 3three "
	if got := read(1, func() {
		if inner := read(2, nil); inner != "2two 3three " {
			t.Errorf("within: %q", inner)
		}
	}); got != all {
		t.Errorf("around: %q", got)
	}
	must(tx.Commit())

	must(exec(`ALTER TABLE t ADD COLUMN c TEXT NOT NULL DEFAULT 'c'`))
	for i := range 2 * sqlite.MaxStatements {
		must(exec(fmt.Sprintf(`UPDATE t SET c = $1 WHERE a = %d`, i), "x"))
	}
	tx, err = db.BeginTx(t.Context(), nil)
	must(err)
	if got := read(0, nil); got != all {
		t.Errorf("afterwards: %q", got)
	}
	must(tx.Rollback())
}
