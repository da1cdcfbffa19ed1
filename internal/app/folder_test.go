package app

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
)

func TestADataFolderThatCannotBeUsedSaysWhatToDo(t *testing.T) {
	t.Parallel()
	failed := func(path string, cause error) error {
		return fmt.Errorf("lock the data folder: %w", &fs.PathError{Op: "open", Path: path, Err: cause})
	}
	for _, c := range []struct {
		name string
		err  error
		want string // "" leaves the error as it is
	}{
		{"of another user", failed("/srv/data/serve.lock", syscall.EACCES), "may not be written"},
		{"in a folder of another user", failed("/srv", syscall.EACCES), "may not be written"},
		{"mounted read-only", failed("/srv/data/serve.lock", syscall.EROFS), "read-only"},
		{"full", failed("/srv/data/recordings", syscall.ENOSPC), "no room"},
		{"a file", failed("/srv/data", syscall.ENOTDIR), "a file stands"},
		{"something else that may not be read", failed("/etc/tls/key.pem", syscall.EACCES), ""},
		{"a neighbour of a name like it", failed("/srv/data2/x", syscall.EACCES), ""},
		{"no matter of the folder", failed("/srv/data/serve.lock", syscall.EMFILE), ""},
		{"explained already", problem.New(problem.Conflict, "taken").Because(failed("/srv/data", syscall.EACCES)), ""},
	} {
		got := explained("/srv/data", c.err)
		if c.want == "" {
			if !errors.Is(got, c.err) || got.Error() != c.err.Error() {
				t.Errorf("%s: %v", c.name, got)
			}
			continue
		}
		p := problem.As(got)
		if p == nil || !strings.Contains(p.Message, c.want) || !strings.Contains(p.Message, "/srv/data") || !strings.Contains(p.Hint, "--data") || p.Unwrap() == nil {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestAFileInThePlaceOfTheDataFolder(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	_, err := New(t.Context(), Options{Data: filepath.Join(file, "data"), Listen: "127.0.0.1:0", Log: slog.New(slog.DiscardHandler), Now: time.Now})
	if p := problem.As(err); p == nil || !strings.Contains(p.Hint, "--data") {
		t.Errorf("%v", err)
	}
}

func TestAFolderThatTakesNoRecordings(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := writable(folder); err != nil {
		t.Errorf("one that takes them: %v", err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 0 {
		t.Errorf("the probe has left %v, %v", left, err)
	}
	none := filepath.Join(folder, "none")
	var at *fs.PathError
	if err := takesFiles(none); !errors.As(err, &at) || at.Path != none {
		t.Errorf("one that is not there: %v", err)
	}
	if os.Geteuid() == 0 {
		return // whom nothing is forbidden
	}
	must(t, os.Chmod(folder, 0o500))
	if err := writable(folder); !errors.Is(err, fs.ErrPermission) || problem.As(explained(folder, err)) == nil {
		t.Errorf("one that does not: %v", err)
	}
}

// Commands that make no database say that there is none only where they could look.
func TestWhetherThereIsADatabase(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for name, c := range map[string]struct {
		cause error
		there bool
		want  string // "" is no error
	}{
		"one":                     {nil, true, ""},
		"none":                    {syscall.ENOENT, false, ""},
		"below a file":            {syscall.ENOTDIR, false, ""},
		"in somebody's folder":    {syscall.EACCES, false, "may not be entered by the user that runs this"},
		"behind links in a round": {syscall.ELOOP, false, "too many levels"},
		"on a disk that fails":    {syscall.EIO, false, "input/output error"},
	} {
		var err error
		if c.cause != nil {
			err = &fs.PathError{Op: "stat", Path: databasePath(folder), Err: c.cause}
		}
		there, err := foundDatabase(folder, err)
		if there != c.there || (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, %v", name, there, err)
		}
	}
	must(t, os.Symlink("round", filepath.Join(folder, "round")))
	if there, err := HasDatabase(filepath.Join(folder, "round")); there || !errors.Is(err, syscall.ELOOP) {
		t.Errorf("links in a round: %v, %v", there, err)
	}
}
