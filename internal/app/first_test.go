package app

import (
	"log/slog"
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
}
