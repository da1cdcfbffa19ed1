package sqlite_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/sqlite"
)

// TestADatabaseThatMayNotBeWrittenIsNotReady takes from the file of an open database the right to write it.
func TestADatabaseThatMayNotBeWrittenIsNotReady(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	must(t, os.Chmod(filepath.Dir(folder), 0o711)) // others come by, and may read
	path := filepath.Join(folder, "ringtrue.db")
	s := store.New(open(t, path), nil, time.Now)
	must(t, s.Write(t.Context(), func(*store.Tx) error { return nil }))
	must(t, os.Chmod(path, 0o444))
	var err error
	unprivileged(t, func() { err = s.Ping(t.Context()) })
	if p := problem.As(err); p == nil || p.Code != problem.Unavailable || !strings.Contains(p.Message, "may not be written") {
		t.Errorf("ping: %v", err)
	}
	must(t, os.Chmod(path, 0o600))
	must(t, s.Ping(t.Context()))
}

// A file of somebody else's that can be read is refused with what is wrong, whoever starts with it.
func TestADatabaseThatMayNotBeWrittenIsNotOpened(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	must(t, os.Chmod(filepath.Dir(folder), 0o711))
	must(t, os.Chmod(folder, 0o777)) //nolint:gosec // the file alone is to be out of reach
	path := filepath.Join(folder, "ringtrue.db")
	e, err := sqlite.Open(t.Context(), path)
	must(t, err)
	must(t, e.Close())
	must(t, os.Chmod(path, 0o444))
	must(t, os.Chmod(path+"-upgrade", 0o666)) //nolint:gosec // as above
	unprivileged(t, func() {
		if e, err = sqlite.Open(t.Context(), path); err == nil {
			err = e.Close()
		}
	})
	if p := problem.As(err); p == nil || p.Code != problem.Unavailable || !strings.Contains(p.Message, "may not be written") {
		t.Errorf("open: %v", err)
	}
}

// unprivileged calls f as somebody to whom files forbid something: root, as whom tests may
// run, becomes another user meanwhile, on this thread alone, and so the thread is given up.
func unprivileged(t *testing.T, f func()) {
	t.Helper()
	done := make(chan syscall.Errno)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		var failed syscall.Errno
		if os.Geteuid() == 0 {
			const nobody = 65534
			_, _, failed = syscall.RawSyscall(syscall.SYS_SETRESUID, nobody, nobody, nobody)
		}
		if failed == 0 {
			f()
		}
		done <- failed
	}()
	if failed := <-done; failed != 0 {
		t.Fatal(failed)
	}
}
