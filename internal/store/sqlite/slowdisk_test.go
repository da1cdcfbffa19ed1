package sqlite

import (
	"context"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"testing/synctest"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// slowDisk is a VFS that waits with each sync of a database.
type slowDisk struct {
	name string
	wait func()
	// SQLite calls these and does not keep them alive.
	open  func(tls *libc.TLS, vfs, name, file uintptr, flags int32, out uintptr) int32
	syncs []func(tls *libc.TLS, file uintptr, flags int32) int32 // one for each file
}

func newSlowDisk(t *testing.T, wait func()) *slowDisk {
	t.Helper()
	tls := libc.NewTLS()
	t.Cleanup(tls.Close)
	system, vfs := lib.Xsqlite3_vfs_find(tls, 0), libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(lib.Tsqlite3_vfs{})))
	d := &slowDisk{name: "slow-" + strconv.FormatUint(uint64(vfs), 16), wait: wait}
	name, err := libc.CString(d.name)
	if err != nil {
		t.Fatal(err)
	}
	d.open = func(tls *libc.TLS, _, name, file uintptr, flags int32, out uintptr) int32 {
		open := function[func(*libc.TLS, uintptr, uintptr, uintptr, int32, uintptr) int32](&at[lib.Tsqlite3_vfs](system).FxOpen)
		code := open(tls, system, name, file, flags, out)
		if code == lib.SQLITE_OK && flags&lib.SQLITE_OPEN_MAIN_DB != 0 {
			d.slow(tls, at[lib.Tsqlite3_file](file))
		}
		return code
	}
	mine := at[lib.Tsqlite3_vfs](vfs)
	*mine = *at[lib.Tsqlite3_vfs](system)
	mine.FpNext, mine.FzName, mine.FxOpen = 0, name, pointer(&d.open)
	if code := lib.Xsqlite3_vfs_register(tls, vfs, 0); code != lib.SQLITE_OK {
		t.Fatal(code)
	}
	t.Cleanup(func() {
		lib.Xsqlite3_vfs_unregister(tls, vfs)
		runtime.KeepAlive(d)
	})
	return d
}

// slow puts the wait before the sync of a file.
func (d *slowDisk) slow(tls *libc.TLS, file *lib.Tsqlite3_file) {
	below := at[lib.Tsqlite3_io_methods](file.FpMethods)
	sync := func(tls *libc.TLS, file uintptr, flags int32) int32 {
		d.wait()
		return function[func(*libc.TLS, uintptr, int32) int32](&below.FxSync)(tls, file, flags)
	}
	d.syncs = append(d.syncs, sync)
	file.FpMethods = libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(*below)))
	mine := at[lib.Tsqlite3_io_methods](file.FpMethods)
	*mine = *below
	mine.FxSync = pointer(&sync)
}

// TestTheWriterHasItsTurnOnASlowDisk writes more than the writer leaves in the log
// while the log is still being brought over beside it. Were that begun again at
// once, the writer would be turned away at each commit, and the log had no end.
func TestTheWriterHasItsTurnOnASlowDisk(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ringtrue.db")
	synctest.Test(t, func(t *testing.T) {
		e, err := Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		done, goOn := make(chan struct{}), make(chan struct{})
		disk := newSlowDisk(t, func() {
			select {
			case <-goOn:
			case <-done:
			}
		})
		t.Cleanup(func() { // before the disk's own
			close(done)
			_ = e.Close()
		})
		e.bringOver(t, disk)
		write := func(text string, args ...any) {
			t.Helper()
			if _, err := e.writer.ExecContext(t.Context(), text, args...); err != nil {
				t.Fatal(err)
			}
		}
		write(`CREATE TABLE filling (body BLOB)`)
		// While nobody writes: SQLite syncs the file only when it has brought over all that there is.
		e.gather.log.due <- struct{}{}
		synctest.Wait() // until it is the disk that is waited for
		for e.gather.log.end.Load() < writersPart+worthIt {
			write(`INSERT INTO filling (body) VALUES (zeroblob($1))`, 1<<20)
		}
		goOn <- struct{}{}
		synctest.Wait()
		for range 3 {
			write(`INSERT INTO filling (body) VALUES (zeroblob($1))`, 1)
		}
		if end := e.gather.log.end.Load(); end >= worthIt {
			t.Errorf("the log goes on at %d", end)
		}
	})
}

// bringOver has the log be brought into a file on another disk than the writer's.
func (e *Engine) bringOver(t *testing.T, disk *slowDisk) {
	t.Helper()
	if err := e.checkpoints.stop(); err != nil {
		t.Fatal(err)
	}
	db := open(address(e.place.path, "deferred") + "&vfs=" + disk.name)
	db.SetMaxOpenConns(1)
	ctx, end := context.WithCancel(context.WithoutCancel(t.Context()))
	e.checkpoints = &checkpoints{db: db, log: e.gather.log, end: end}
	e.checkpoints.done.Go(func() { e.checkpoints.run(ctx) })
}
