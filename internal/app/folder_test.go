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
	if os.Geteuid() == 0 {
		return // whom nothing is forbidden
	}
	must(t, os.Chmod(folder, 0o500))
	if err := writable(folder); !errors.Is(err, fs.ErrPermission) || problem.As(explained(folder, err)) == nil {
		t.Errorf("one that does not: %v", err)
	}
}
