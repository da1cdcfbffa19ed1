package sqlite

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What SQLite lays aside while a statement changes many pages lies beside the database, and not where
// the system has temporary files: there may be no place, or no room, and it holds what callers said.
// It is a process of its own because SQLite has one such place for all files that a process has open.
func TestTemporaryFilesLieBesideTheDatabase(t *testing.T) {
	t.Parallel()
	if path := os.Getenv("RINGTRUE_TEST_ASIDE"); path != "" {
		layMuchAside(t, path)
		return
	}
	folder := filepath.Join(t.TempDir(), "Ada's data")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), "RINGTRUE_TEST_ASIDE="+filepath.Join(folder, "ringtrue.db"))
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Errorf("%v\n%s", err, out)
	}
}

// layMuchAside is what the other process does.
func layMuchAside(t *testing.T, path string) {
	t.Helper()
	e, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	tx, err := e.DB().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tx.Rollback() })
	for _, text := range []string{
		`CREATE TABLE x (v TEXT UNIQUE)`,
		`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) INSERT INTO x SELECT printf('%02000d', i) FROM n`,
		`UPDATE x SET v = v || 'a'`,
	} {
		if _, err := tx.ExecContext(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	open, err := filepath.Glob("/proc/self/fd/*")
	if err != nil {
		t.Fatal(err)
	}
	aside := 0
	for _, fd := range open {
		file, err := os.Readlink(fd)
		if err != nil || !strings.Contains(file, "etilqs_") {
			continue
		}
		aside++
		if filepath.Dir(file) != filepath.Dir(path) {
			t.Errorf("it lies at %s", file)
		}
	}
	if aside == 0 {
		t.Error("the test is blind: nothing was laid aside")
	}
}
