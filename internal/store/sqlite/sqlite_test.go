package sqlite_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/sqlite"
)

func open(t *testing.T, path string) *sqlite.Engine {
	t.Helper()
	e, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

func TestFileIsKeptTheSafeWay(t *testing.T) {
	t.Parallel()
	e := open(t, filepath.Join(t.TempDir(), "a name with ? and %20.db"))
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "busy_timeout": "5000"} {
		var got string
		if err := e.DB().QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %q, %v; want %q", pragma, got, err, want)
		}
	}
}

func TestNewerFileIsRefused(t *testing.T) {
	t.Parallel()
	for _, newer := range []string{
		`INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, 1)`,
		`INSERT INTO river_migration (line, version) VALUES ('main', 999)`,
	} {
		path := filepath.Join(t.TempDir(), "ringtrue.db")
		e := open(t, path)
		if _, err := e.DB().ExecContext(t.Context(), newer); err != nil {
			t.Fatal(err)
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		_, err := sqlite.Open(t.Context(), path)
		if p := problem.As(err); p == nil || p.Hint == "" || !strings.Contains(p.Message, "999") {
			t.Errorf("%s: got %v", newer, err)
		}
	}
}

func TestFileThatIsNone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ringtrue.db")
	if err := os.WriteFile(path, []byte(strings.Repeat("this is no database. ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{path, filepath.Join(t.TempDir(), "no", "such", "folder.db")} {
		if _, err := sqlite.Open(t.Context(), path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: got %v", path, err)
		}
	}
}

// TestKilledProcessLosesNothing runs this test binary as a process that
// commits and says so until it is killed, and looks for all that it said.
func TestKilledProcessLosesNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ringtrue.db")
	cmd := exec.Command(os.Args[0], "-test.run=^TestWriteUntilKilled$", "-test.v")
	cmd.Env = append(os.Environ(), "RINGTRUE_TEST_WRITE="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var acknowledged []string
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if id, ok := strings.CutPrefix(lines.Text(), "committed "); ok {
			acknowledged = append(acknowledged, id)
		}
		if len(acknowledged) == 50 {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = cmd.Wait()
	if len(acknowledged) < 50 {
		t.Fatalf("the process committed only %d times", len(acknowledged))
	}
	s := store.New(open(t, path), nil, time.Now)
	for _, id := range acknowledged {
		if err := s.Read(t.Context(), func(tx *store.Tx) error {
			_, err := tx.AgentByID(t.Context(), "ws", id)
			return err
		}); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
}

func TestWriteUntilKilled(t *testing.T) {
	path := os.Getenv("RINGTRUE_TEST_WRITE")
	if path == "" {
		t.Skip("the other process of TestKilledProcessLosesNothing")
	}
	s := store.New(open(t, path), nil, time.Now)
	for {
		id := store.NewID("agt")
		if err := s.Write(t.Context(), func(tx *store.Tx) error {
			return tx.InsertAgent(t.Context(), scenario.Agent{ID: id, WorkspaceID: "ws", CreatedAt: time.Now(), UpdatedAt: time.Now()})
		}); err != nil {
			t.Fatal(err)
		}
		fmt.Println("committed", id)
	}
}

// TestSeveralOpenANewFileAtOnce has a service and the commands that are given
// beside it make the same tables.
func TestSeveralOpenANewFileAtOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ringtrue.db")
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			e, err := sqlite.Open(context.Background(), path)
			if err != nil {
				t.Error(err)
				return
			}
			if err := e.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

func TestBusyFileIsTriedAgain(t *testing.T) {
	t.Parallel()
	e := &flaky{Engine: open(t, filepath.Join(t.TempDir(), "ringtrue.db")), failures: 3}
	s := store.New(e, nil, time.Now)
	runs := 0
	if err := s.Write(t.Context(), func(*store.Tx) error { runs++; return nil }); err != nil || runs != 4 {
		t.Errorf("%d runs, %v", runs, err)
	}
	e.failures, runs = 1000, 0
	err := s.Write(t.Context(), func(*store.Tx) error { runs++; return nil })
	if !problem.Is(err, problem.Unavailable) || runs > 20 {
		t.Errorf("%d runs, %v", runs, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = s.Write(ctx, func(*store.Tx) error { cancel(); return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// flaky is an engine whose commits fail for a while.
type flaky struct {
	*sqlite.Engine
	failures int
}

var errBusy = errors.New("busy")

func (f *flaky) Classify(err error) store.Failure {
	if errors.Is(err, errBusy) {
		return store.Transient
	}
	return f.Engine.Classify(err)
}

func (f *flaky) Begin(ctx context.Context, write bool) (store.Conn, error) {
	c, err := f.Engine.Begin(ctx, write)
	return flakyConn{c, f}, err
}

type flakyConn struct {
	store.Conn
	engine *flaky
}

func (c flakyConn) Commit(ctx context.Context) error {
	if c.engine.failures--; c.engine.failures >= 0 {
		return errBusy
	}
	return c.Conn.Commit(ctx)
}
