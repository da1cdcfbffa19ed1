package sqlite

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// disk is a file of which every write is noted.
type disk struct {
	writes []string
	fails  int32
	// held is what was written, and table what the file's methods are exchanged for:
	// what goes by its address must not lie on a stack, which moves.
	held  [][]byte
	table lib.Tsqlite3_io_methods
	lib.Tsqlite3_file
	methods lib.Tsqlite3_io_methods
	write   func(*libc.TLS, uintptr, uintptr, int32, int64) int32
	sync    func(*libc.TLS, uintptr, int32) int32
}

func newDisk() *disk {
	d := new(disk)
	d.write = func(_ *libc.TLS, _, from uintptr, n int32, offset int64) int32 {
		d.writes = append(d.writes, fmt.Sprintf("%d:%s", offset, unsafe.Slice(at[byte](from), n)))
		return d.fails
	}
	d.sync = func(*libc.TLS, uintptr, int32) int32 {
		d.writes = append(d.writes, "sync")
		return lib.SQLITE_OK
	}
	d.methods.FxWrite, d.methods.FxSync = pointer(&d.write), pointer(&d.sync)
	d.FpMethods = uintptr(unsafe.Pointer(&d.methods))
	return d
}

// TestPiecesAreWrittenAsOne looks at what a log hands to the system, and when.
func TestPiecesAreWrittenAsOne(t *testing.T) {
	t.Parallel()
	d := newDisk()
	f := &gathered{of: &gather{log: newGrowth()}, methods: uintptr(unsafe.Pointer(&d.table))}
	f.begin(&d.Tsqlite3_file)
	write := func(text string, offset int64) int32 {
		b := []byte(text)
		d.held = append(d.held, b)
		return f.onWrite(nil, 0, uintptr(unsafe.Pointer(&b[0])), int32(len(b)), offset)
	}
	expect := func(what string, want ...string) {
		t.Helper()
		if fmt.Sprint(d.writes) != fmt.Sprint(want) {
			t.Errorf("%s: %q, not %q", what, d.writes, want)
		}
		d.writes = nil
	}
	write("head", 100)
	write("page", 104)
	write("head", 108)
	expect("before the commit")
	f.onSync(nil, 0, 0)
	expect("the commit", "100:headpagehead", "sync")
	f.onSync(nil, 0, 0)
	expect("nothing is new", "sync")
	write("again", 100)
	write("elsewhere", 300)
	expect("another place", "100:again")
	write(string(make([]byte, maxGathered)), 309)
	expect("all there is room for", "300:elsewhere")
	d.fails = lib.SQLITE_FULL
	if code := f.onSync(nil, 0, 0); code != lib.SQLITE_FULL {
		t.Errorf("a full disk: %d", code)
	}
	d.writes, d.fails = nil, lib.SQLITE_OK
	f.onSync(nil, 0, 0)
	expect("what could not be written is not written later", "sync")
}

// TestCommitIsInTheFiles copies the files of a database that is open: what has
// been committed is there, also after a transaction that was larger than its
// connection's memory.
func TestCommitIsInTheFiles(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ringtrue.db")
	e, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	fill := func(rows int, keep bool) {
		t.Helper()
		tx, err := e.writer.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = tx.Rollback() }()
		for i := range rows {
			if _, err := tx.ExecContext(t.Context(), `INSERT INTO filling (body) VALUES ($1)`, bytes.Repeat([]byte{byte(i)}, 20_000)); err != nil {
				t.Fatal(err)
			}
		}
		var n int
		if err := tx.QueryRowContext(t.Context(), `SELECT COUNT(*) FROM filling WHERE length(body) = $1`, 20_000).Scan(&n); err != nil || n < rows {
			t.Fatalf("%d rows in the transaction, %v", n, err)
		}
		if keep {
			err = tx.Commit()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := e.writer.ExecContext(t.Context(), `CREATE TABLE filling (body BLOB)`); err != nil {
		t.Fatal(err)
	}
	const large, small = 1500, 3 // 30 MB, of 16 that the connection keeps
	fill(small, true)
	fill(large, false)
	fill(large, true)
	fill(small, true)

	copied := filepath.Join(t.TempDir(), "copy.db")
	for _, end := range []string{"", "-wal"} {
		body, err := os.ReadFile(path + end)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(copied+end, body, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	db := open(address(copied, "deferred"))
	t.Cleanup(func() { _ = db.Close() })
	var n int
	var whole string
	if err := db.QueryRowContext(t.Context(), `SELECT COUNT(*) FROM filling`).Scan(&n); err != nil || n != large+2*small {
		t.Errorf("%d rows, %v; want %d", n, err, large+2*small)
	}
	if err := db.QueryRowContext(t.Context(), `PRAGMA integrity_check`).Scan(&whole); err != nil || whole != "ok" {
		t.Errorf("%s, %v", whole, err)
	}
}
