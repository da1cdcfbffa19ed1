//go:build unix

package sqlite_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/store"
)

// What callers said is in these files, also where the operator has made the folder for all to read.
func TestFilesOfADatabaseAreNobodyElses(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	must(t, os.Chmod(folder, 0o755))
	path := filepath.Join(folder, "ringtrue.db")
	e := open(t, path)
	must(t, store.New(e, nil, time.Now).Write(t.Context(), func(*store.Tx) error { return nil }))
	for _, file := range []string{path, path + "-wal", path + "-shm", path + "-upgrade"} {
		info, err := os.Stat(file)
		must(t, err)
		if mode := info.Mode().Perm(); mode != 0o600 {
			t.Errorf("%s has mode %o", filepath.Base(file), mode)
		}
	}
}

// Whoever has opened a database to others goes on as they have decided.
func TestTheModeOfADatabaseThatIsThereStays(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ringtrue.db")
	must(t, os.WriteFile(path, nil, 0o600))
	must(t, os.Chmod(path, 0o640))
	open(t, path)
	for _, file := range []string{path, path + "-wal"} {
		info, err := os.Stat(file)
		must(t, err)
		if mode := info.Mode().Perm(); mode != 0o640 {
			t.Errorf("%s has mode %o", filepath.Base(file), mode)
		}
	}
}
