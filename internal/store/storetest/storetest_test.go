package storetest_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/postgres"
	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
	"github.com/ringtrue/ringtrue/internal/store/sqlite"
	"github.com/ringtrue/ringtrue/internal/store/storetest"
)

func TestSQLite(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) func(func() time.Time) *store.Store {
		path := filepath.Join(t.TempDir(), "ringtrue.db")
		return func(now func() time.Time) *store.Store {
			t.Helper()
			engine, err := sqlite.Open(t.Context(), path)
			return over(t, engine, err, now)
		}
	})
}

func TestPostgres(t *testing.T) {
	t.Parallel()
	copied := pgtest.Copies(func(ctx context.Context, address string) error {
		engine, err := postgres.Open(ctx, address)
		if err != nil {
			return err
		}
		return engine.Close()
	})
	storetest.Run(t, func(t *testing.T) func(func() time.Time) *store.Store {
		address := copied(t)
		return func(now func() time.Time) *store.Store {
			t.Helper()
			engine, err := postgres.Open(t.Context(), address)
			return over(t, engine, err, now)
		}
	})
}

func over(t *testing.T, engine store.Engine, err error, now func() time.Time) *store.Store {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	})
	return store.New(engine, nil, now)
}
