package postgres_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/store/postgres"
	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
)

func TestManyProcessesOpenAtOnce(t *testing.T) {
	t.Parallel()
	address := pgtest.Database(t)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			e, err := postgres.Open(t.Context(), address)
			if err != nil {
				t.Error(err)
				return
			}
			if err := e.Ping(t.Context()); err != nil {
				t.Error(err)
			}
			_ = e.Close()
		})
	}
	all.Wait()
}

func TestNewerDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	for _, newer := range []string{
		`INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true)`,
		`INSERT INTO river_migration (line, version) VALUES ('main', 999)`,
	} {
		address := pgtest.Database(t)
		e, err := postgres.Open(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Pool().Exec(t.Context(), newer); err != nil {
			t.Fatal(err)
		}
		_ = e.Close()
		_, err = postgres.Open(t.Context(), address)
		if p := problem.As(err); p == nil || p.Hint == "" || !strings.Contains(p.Message, "999") {
			t.Errorf("%s: got %v", newer, err)
		}
	}
}

func TestAddressThatLeadsNowhere(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"postgres://user:hunter2@127.0.0.1:1/x?connect_timeout=2", "postgres://user:hunter2@host:port/x"} {
		_, err := postgres.Open(t.Context(), address)
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("got %v", err)
		}
	}
}
