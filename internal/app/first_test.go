package app

import (
	"database/sql"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
)

// Of several that make the first key of a database at once, each gets one, and all for one workspace.
func TestFirstKeysThatAreMadeAtOnce(t *testing.T) {
	t.Parallel()
	o := Options{Data: t.TempDir(), Database: pgtest.Database(t), Log: slog.New(slog.DiscardHandler), Now: time.Now}
	var admins [6]*Admin
	for i := range admins {
		var err error
		admins[i], err = OpenAdmin(t.Context(), o)
		must(t, err)
		defer admins[i].Close(t.Context())
	}
	var all sync.WaitGroup
	for _, a := range admins {
		all.Go(func() {
			if key, err := a.CreateKey(t.Context(), "", "ci"); err != nil || key == "" {
				t.Errorf("%q, %v", key, err)
			}
		})
	}
	all.Wait()
	keys, err := admins[0].Keys(t.Context(), "") // which fails when there are several workspaces
	if err != nil || len(keys) != len(admins) {
		t.Errorf("%d keys, %v", len(keys), err)
	}
	for _, k := range keys {
		if k.Name != "ci" {
			t.Errorf("a key is called %q", k.Name)
		}
	}
}

// The first key is shown once: a start that fails after it was made would have taken it along.
func TestAStartThatFailsKeepsTheFirstKey(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	o := Options{Data: data, Listen: "127.0.0.1:0", Media: MediaOptions{Off: true}, Log: slog.New(slog.DiscardHandler), Now: time.Now}
	a, err := OpenAdmin(t.Context(), o)
	must(t, err)
	must(t, a.Close(t.Context()))
	file, err := sql.Open("sqlite", "file:"+filepath.Join(data, "ringtrue.db"))
	must(t, err)
	defer file.Close()
	_, err = file.ExecContext(t.Context(), `CREATE TRIGGER no BEFORE INSERT ON entrance_tokens BEGIN SELECT RAISE(ABORT, 'no'); END`)
	must(t, err)
	if _, err := New(t.Context(), o); err == nil {
		t.Fatal("it started")
	}
	_, err = file.ExecContext(t.Context(), `DROP TRIGGER no`)
	must(t, err)
	service, err := New(t.Context(), o)
	must(t, err)
	defer service.Stop(t.Context())
	if service.FirstKey() == "" {
		t.Error("the first key is lost")
	}
}
