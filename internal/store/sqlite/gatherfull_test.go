package sqlite

import (
	"bytes"
	"database/sql"
	"path/filepath"
	"testing"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"

	"github.com/ringtrue/ringtrue/internal/store"
)

// limited is what lies below a log, on a disk that can be full.
type limited struct {
	full, fails bool
	table       lib.Tsqlite3_io_methods
	// Both are called by address, which does not keep them alive.
	write func(tls *libc.TLS, file, from uintptr, n int32, offset int64) int32
	sync  func(tls *libc.TLS, file uintptr, flags int32) int32
}

// limit puts a disk that can be full below the log.
func limit(t *testing.T, g *gather) *limited {
	t.Helper()
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.files) != 1 {
		t.Fatalf("%d logs are open", len(g.files))
	}
	l := new(limited)
	for f := range g.files {
		below := f.system
		l.table = *below
		l.write = func(tls *libc.TLS, file, from uintptr, n int32, offset int64) int32 {
			if l.full {
				return lib.SQLITE_FULL
			}
			return function[func(*libc.TLS, uintptr, uintptr, int32, int64) int32](&below.FxWrite)(tls, file, from, n, offset)
		}
		l.sync = func(tls *libc.TLS, file uintptr, flags int32) int32 {
			if l.fails {
				return lib.SQLITE_IOERR_FSYNC
			}
			return function[func(*libc.TLS, uintptr, int32) int32](&below.FxSync)(tls, file, flags)
		}
		l.table.FxWrite, l.table.FxSync = pointer(&l.write), pointer(&l.sync)
		f.system = &l.table
	}
	return l
}

// small leaves a connection a megabyte for what it changes. More goes to the log before the commit.
const small = `PRAGMA cache_size(-1000)`

// TestNothingIsCommittedOverAGap fills the disk in the middle of a transaction
// that is larger than its connection's memory, so that what is lost of it was
// already taken by the log: whatever fails first, the rest cannot be committed.
func TestNothingIsCommittedOverAGap(t *testing.T) {
	t.Parallel()
	e, err := Open(t.Context(), filepath.Join(t.TempDir(), "ringtrue.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	for _, text := range []string{
		small,
		`CREATE TABLE filling (id INTEGER PRIMARY KEY, body BLOB, other INTEGER NOT NULL UNIQUE)`,
		`CREATE TABLE told (n INTEGER NOT NULL CHECK (n >= 0))`,
	} {
		if _, err := e.writer.ExecContext(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	tx, err := e.writer.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	const rows = 100 // 2 MB
	for i := range rows {
		if _, err := tx.ExecContext(t.Context(), `INSERT INTO filling (body, other) VALUES ($1, $2)`, bytes.Repeat([]byte{byte(i)}, 20_000), i); err != nil {
			t.Fatal(err)
		}
	}
	disk := limit(t, e.gather)
	disk.full = true
	// It reads what has gone to the log before it writes, and could be undone alone.
	_, err = tx.ExecContext(t.Context(), `INSERT INTO filling (body, other) SELECT body, other + $1 FROM filling WHERE id < $2`, rows, 20)
	if err == nil {
		t.Fatal("the disk is not full")
	}
	disk.full = false
	_, _ = tx.ExecContext(t.Context(), `INSERT INTO told (n) VALUES ($1)`, 1)
	if err := tx.Commit(); err == nil {
		t.Error("what was left of the transaction was committed")
	}
	whole(t, e.readers, "filling", 0)
}

// TestWhatWasUndoneIsNotWrittenLater undoes a transaction that was larger than
// its connection's memory, so that the log has taken some of it, and lets
// another process commit before the connection goes on: what that one has
// written stays.
func TestWhatWasUndoneIsNotWrittenLater(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ringtrue.db")
	e, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	if _, err := e.writer.ExecContext(t.Context(), small+`; CREATE TABLE filling (body BLOB)`); err != nil {
		t.Fatal(err)
	}
	other, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = other.Close() })
	if err := e.Scrub(t.Context()); err != nil { // so that it is undone without a look into the log
		t.Fatal(err)
	}
	tx, err := e.writer.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100 { // 2 MB
		if _, err := tx.ExecContext(t.Context(), `INSERT INTO filling (body) VALUES ($1)`, bytes.Repeat([]byte{byte(i)}, 20_000)); err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	// Somebody reads, so that what follows stays in the log, where it lies over what was undone.
	reading, err := e.readers.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reading.Rollback() }()
	var none int
	if err := reading.QueryRowContext(t.Context(), `SELECT COUNT(*) FROM filling`).Scan(&none); err != nil || none != 0 {
		t.Fatal(none, err)
	}
	const rows, size = 20, 200_000
	if _, err := other.writer.ExecContext(t.Context(), `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1) INSERT INTO filling (body) SELECT randomblob($2) FROM n`, rows, size); err != nil {
		t.Fatal(err)
	}
	if _, err := e.writer.ExecContext(t.Context(), `INSERT INTO filling (body) VALUES ($1)`, "last"); err != nil {
		t.Error(err)
	}
	whole(t, e.readers, "filling", rows+1)
}

// TestASyncThatFailsIsNoPromise has the disk fail in a commit: it is undone, but
// a process that ended now would find it in the log, so that nobody may say that
// nothing was changed.
func TestASyncThatFailsIsNoPromise(t *testing.T) {
	t.Parallel()
	e, err := Open(t.Context(), filepath.Join(t.TempDir(), "ringtrue.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	if _, err := e.writer.ExecContext(t.Context(), `CREATE TABLE filling (body BLOB)`); err != nil {
		t.Fatal(err)
	}
	insert := func() error {
		c, err := e.Begin(t.Context(), true)
		if err != nil {
			return err
		}
		defer func() { _ = c.Rollback() }()
		if _, err := c.Exec(t.Context(), `INSERT INTO filling (body) VALUES ($1)`, "one"); err != nil {
			return err
		}
		return c.Commit(t.Context())
	}
	disk := limit(t, e.gather)
	disk.fails = true
	if err := insert(); err == nil || e.Classify(err) != store.Uncertain {
		t.Errorf("a commit that was not synced: %v, %v", err, e.Classify(err))
	}
	whole(t, e.readers, "filling", 0)
	disk.fails, disk.full = false, true
	if err := insert(); err == nil || e.Classify(err) != store.Full {
		t.Errorf("a commit on a full disk: %v, %v", err, e.Classify(err))
	}
	disk.full = false
	if err := insert(); err != nil {
		t.Error(err)
	}
	whole(t, e.readers, "filling", 1)
}

// whole checks the file, and how many rows the table has.
func whole(t *testing.T, db *sql.DB, table string, rows int) {
	t.Helper()
	var n int
	var sound string
	if err := db.QueryRowContext(t.Context(), `PRAGMA integrity_check`).Scan(&sound); err != nil || sound != "ok" {
		t.Errorf("%s, %v", sound, err)
	}
	if err := db.QueryRowContext(t.Context(), `SELECT COUNT(*) FROM `+table).Scan(&n); err != nil || n != rows {
		t.Errorf("%d rows instead of %d, %v", n, rows, err)
	}
}
