package sqlite_test

import (
	"bytes"
	"cmp"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/sqlite"
)

// TestNothingIsStoredInFilesThatAreGone takes the files of an open database away,
// each by itself, and puts them back.
func TestNothingIsStoredInFilesThatAreGone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ringtrue.db")
	e := open(t, path)
	s := store.New(e, nil, time.Now)
	write := func() error { return s.Write(t.Context(), func(*store.Tx) error { return nil }) }
	if err := write(); err != nil {
		t.Fatal(err)
	}
	gone := func(what string) {
		t.Helper()
		for name, err := range map[string]error{"write": write(), "ping": s.Ping(t.Context())} {
			if p := problem.As(err); p == nil || p.Code != problem.Unavailable || p.Hint == "" || p.RetryAfter <= 0 {
				t.Errorf("%s: %s: %+v", what, name, p)
			}
		}
	}
	for _, file := range []string{path, path + "-wal"} {
		must(t, os.Rename(file, file+".away"))
		gone(filepath.Base(file) + " is gone")
		if file == path {
			must(t, os.WriteFile(file, nil, 0o600))
			gone("another file is in its place")
		}
		must(t, os.Rename(file+".away", file))
		if err := write(); err != nil {
			t.Errorf("it is back: %v", err)
		}
	}
}

// TestALookForRoomLeavesNothing looks for what a process that is killed at that moment would leave.
func TestALookForRoomLeavesNothing(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	e := open(t, filepath.Join(folder, "ringtrue.db"))
	over := make(chan struct{})
	go func() {
		defer close(over)
		for range 200 {
			if err := e.Ping(t.Context()); err != nil {
				t.Error(err)
			}
		}
	}()
	for {
		files, err := filepath.Glob(filepath.Join(folder, ".probe-*"))
		must(t, err)
		for _, file := range files {
			if info, err := os.Stat(file); err == nil && info.Size() > 0 {
				t.Errorf("%s has %d bytes", file, info.Size())
			}
		}
		select {
		case <-over:
			return
		default:
		}
	}
}

// TestWhatIsNoDatabase opens files that cannot be worked with: each error says
// what is wrong and what to do.
func TestWhatIsNoDatabase(t *testing.T) {
	t.Parallel()
	sound := filepath.Join(t.TempDir(), "ringtrue.db")
	e, err := sqlite.Open(t.Context(), sound)
	must(t, err)
	must(t, e.Close())
	body, err := os.ReadFile(sound)
	must(t, err)
	for name, body := range map[string][]byte{
		"something else": []byte(strings.Repeat("no database ", 1000)),
		"cut off":        body[:len(body)/3],
		"head alone":     body[:2000],
	} {
		path := filepath.Join(t.TempDir(), "ringtrue.db")
		must(t, os.WriteFile(path, body, 0o600))
		_, err := sqlite.Open(t.Context(), path)
		p := problem.As(err)
		if p == nil || p.Code != problem.Unavailable || !strings.Contains(p.Message, path) || !strings.Contains(p.Message, "damaged") || !strings.Contains(p.Hint, "backup") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAFolderThatTakesNoFiles: a log that a killed process has left lets a file be opened on a disk that is
// mounted read-only, and what SQLite cannot do there is lay anything aside in the folder.
func TestAFolderThatTakesNoFiles(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "not there")
	db, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "ringtrue.db"))
	must(t, err)
	defer func() { _ = db.Close() }()
	_, err = db.ExecContext(t.Context(), `PRAGMA temp_store_directory('`+folder+`')`)
	if p := problem.As(sqlite.Unusable(folder, err)); p == nil || p.Code != problem.Unavailable || !strings.Contains(p.Hint, "read-only") {
		t.Errorf("%v becomes %v", err, p)
	}
}

// A file on another disk, to which a link leads, is worked with as one in its place.
func TestADatabaseBehindALink(t *testing.T) {
	t.Parallel()
	file, link := filepath.Join(t.TempDir(), "elsewhere.db"), filepath.Join(t.TempDir(), "ringtrue.db")
	must(t, os.WriteFile(file, nil, 0o600))
	must(t, os.Symlink(file, link))
	s := store.New(open(t, link), nil, time.Now)
	must(t, s.Write(t.Context(), func(*store.Tx) error { return nil }))
	must(t, s.Ping(t.Context()))
}

// A link to a file that is yet to be made leads there too, and the file is nobody else's.
func TestALinkToWhereADatabaseIsToBe(t *testing.T) {
	t.Parallel()
	for _, to := range []string{"", "../elsewhere/kept.db"} {
		folder := t.TempDir()
		file, link := filepath.Join(folder, "elsewhere", "kept.db"), filepath.Join(folder, "data", "ringtrue.db")
		must(t, os.Mkdir(filepath.Dir(file), 0o700))
		must(t, os.Mkdir(filepath.Dir(link), 0o700))
		must(t, os.Symlink(cmp.Or(to, file), link))
		s := store.New(open(t, link), nil, time.Now)
		must(t, s.Ping(t.Context()))
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the file is %v, %v", info, err)
		}
	}
}

// A backup that is put into the place of a file whose process was killed is not laid over with
// that one's log: it is refused, untouched, until the log is gone.
func TestACopyIsNotTakenWithTheLogOfAnother(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ringtrue.db")
	e, err := sqlite.Open(t.Context(), path)
	must(t, err)
	backup := filepath.Join(t.TempDir(), "ringtrue.db")
	_, err = e.DB().ExecContext(t.Context(), `VACUUM INTO ?`, backup)
	must(t, err)
	_, err = e.DB().ExecContext(t.Context(), `INSERT INTO workspaces (id, name, created_at) VALUES ('ws_later', 'of later', 1)`)
	must(t, err)
	log, err := os.ReadFile(path + "-wal")
	must(t, err)
	must(t, e.Close())
	body, err := os.ReadFile(backup)
	must(t, err)
	must(t, os.WriteFile(path, body, 0o600))
	must(t, os.WriteFile(path+"-wal", log, 0o600))

	_, err = sqlite.Open(t.Context(), path)
	if p := problem.As(err); p == nil || p.Code != problem.Unavailable || !strings.Contains(p.Hint, path+"-shm") {
		t.Errorf("beside the log of another: %v", err)
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, body) {
		t.Errorf("the copy was changed (%v)", err)
	}
	must(t, os.Remove(path+"-wal"))
	e, err = sqlite.Open(t.Context(), path)
	must(t, err)
	var later int
	must(t, e.DB().QueryRowContext(t.Context(), `SELECT COUNT(*) FROM workspaces WHERE id = 'ws_later'`).Scan(&later))
	must(t, e.Close())
	if later != 0 {
		t.Error("the copy holds what came after it")
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
