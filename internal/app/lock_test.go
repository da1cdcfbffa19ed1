package app

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
)

func TestTwoServicesDoNotShareADataFolder(t *testing.T) {
	t.Parallel()
	o := Options{Data: t.TempDir(), Listen: "127.0.0.1:0", Log: slog.New(slog.DiscardHandler), Now: time.Now}
	first, err := New(t.Context(), o)
	must(t, err)
	_, err = New(t.Context(), o)
	p := problem.As(err)
	if p == nil || p.Code != problem.Conflict || !strings.Contains(p.Message, o.Data) || !strings.Contains(p.Hint, "--database") {
		t.Errorf("the second got %v", err)
	}
	admin, err := OpenAdmin(t.Context(), o) // keys are made beside a running service
	must(t, err)
	must(t, admin.Close(t.Context()))
	must(t, first.Stop(t.Context()))
	again, err := New(t.Context(), o)
	must(t, err)
	must(t, again.Stop(t.Context()))
}

// Nor do they share a file to which links lead out of two folders.
func TestTwoServicesDoNotShareALinkedFile(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"ringtrue.db", "kept.db"} {
		file := filepath.Join(t.TempDir(), name)
		linked := func() Options {
			o := Options{Data: t.TempDir(), Listen: "127.0.0.1:0", Log: slog.New(slog.DiscardHandler), Now: time.Now}
			must(t, os.Symlink(file, databasePath(o.Data)))
			return o
		}
		first, err := New(t.Context(), linked())
		must(t, err)
		if _, err := New(t.Context(), linked()); !problem.Is(err, problem.Conflict) {
			t.Errorf("%s: the second got %v", name, err)
		}
		must(t, first.Stop(t.Context()))
	}
}
