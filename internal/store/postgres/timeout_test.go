package postgres_test

import (
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/postgres"
	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
)

// TestStatementsThatAreBrokenOff: where an administrator bounds how long statements or
// their wait for locks may take, one that meets the bound is no mistake of whoever asked.
func TestStatementsThatAreBrokenOff(t *testing.T) {
	t.Parallel()
	for _, setting := range []string{"statement_timeout", "lock_timeout"} {
		t.Run(setting, func(t *testing.T) {
			t.Parallel()
			e, s := opened(t, pgtest.Database(t))
			if _, err := e.Pool().Exec(t.Context(), `DO $$ BEGIN
				EXECUTE format('ALTER DATABASE %I SET `+setting+` = 200', current_database()); END $$`); err != nil {
				t.Fatal(err)
			}
			holder, err := e.Begin(t.Context(), true)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = holder.Rollback() })
			if _, err := holder.Exec(t.Context(), `LOCK TABLE agents IN ACCESS EXCLUSIVE MODE`); err != nil {
				t.Fatal(err)
			}
			e.Pool().Reset()
			insert := func() error {
				return s.Write(t.Context(), func(tx *store.Tx) error { return insertOne(t, tx, "agt_1") })
			}
			err = insert()
			p := problem.As(err)
			if p == nil || p.Code != problem.Unavailable || !strings.Contains(p.Message, "broke off") || p.RetryAfter == 0 {
				t.Fatalf("an insert that may wait no longer fails with %v", err)
			}
			if err := holder.Rollback(); err != nil {
				t.Fatal(err)
			}
			if stored(t, s, "agt_1") {
				t.Error("what is said to be unchanged is stored")
			}
			if err := insert(); err != nil {
				t.Errorf("the same once nobody holds it up: %v", err)
			}
		})
	}
}

// TestMigrationsTakeTheirTime: who waits for another process that migrates, or takes a
// step that takes minutes, is not bound by what an administrator allows questions.
func TestMigrationsTakeTheirTime(t *testing.T) {
	t.Parallel()
	address := pgtest.Database(t)
	e, _ := opened(t, address)
	for _, setting := range []string{"statement_timeout", "lock_timeout", "idle_session_timeout"} {
		if _, err := e.Pool().Exec(t.Context(), `DO $$ BEGIN
			EXECUTE format('ALTER DATABASE %I SET `+setting+` = 200', current_database()); END $$`); err != nil {
			t.Fatal(err)
		}
	}
	another, err := e.Pool().Acquire(t.Context()) // its session is of before
	if err != nil {
		t.Fatal(err)
	}
	defer another.Release()
	if _, err := another.Exec(t.Context(), `SELECT pg_advisory_lock($1)`, postgres.MigrationLock); err != nil {
		t.Fatal(err)
	}
	waited := make(chan error, 1)
	go func() {
		late, err := postgres.Open(t.Context(), address)
		if err == nil {
			err = late.Close()
		}
		waited <- err
	}()
	select {
	case err := <-waited:
		t.Fatalf("it did not wait for the other: %v", err)
	case <-time.After(time.Second):
	}
	if _, err := another.Exec(t.Context(), `SELECT pg_advisory_unlock($1)`, postgres.MigrationLock); err != nil {
		t.Fatal(err)
	}
	if err := <-waited; err != nil {
		t.Fatal(err)
	}
}

// TestAConnectionThatIsAskedNothingStays: one listens for jobs and is never asked anything. Where an
// administrator ends sessions that are idle, it would be gone and made again for as long as the process lives.
func TestAConnectionThatIsAskedNothingStays(t *testing.T) {
	t.Parallel()
	address := pgtest.Database(t)
	admin, _ := opened(t, address)
	if _, err := admin.Pool().Exec(t.Context(), `DO $$ BEGIN
		EXECUTE format('ALTER DATABASE %I SET idle_session_timeout = 200', current_database()); END $$`); err != nil {
		t.Fatal(err)
	}
	e, _ := opened(t, address)
	ours, err := e.Pool().Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer ours.Release()
	other, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close(t.Context()) }()
	if _, err := other.WaitForNotification(t.Context()); err == nil {
		t.Fatal("a session that is bound was told something, and did not end")
	}
	if err := ours.Ping(t.Context()); err != nil {
		t.Errorf("after a session that began later has ended: %v", err)
	}
}

// TestReadinessOutlivesItsConnections: connections that somebody ends are no outage,
// and a service that is asked at that moment whether it is ready does not say so.
func TestReadinessOutlivesItsConnections(t *testing.T) {
	t.Parallel()
	address := pgtest.Database(t)
	admin, _ := opened(t, address)
	_, s := opened(t, address)
	for range 5 {
		if err := s.Ping(t.Context()); err != nil { // the connection has just been used: the pool takes it for whole
			t.Fatal(err)
		}
		if _, err := admin.Pool().Exec(t.Context(), `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid()`); err != nil {
			t.Fatal(err)
		}
		if err := s.Ping(t.Context()); err != nil {
			t.Errorf("after the end of its connections: %v", err)
		}
	}
}

// TestAServerThatStopsOnceItHasLetUsIn: it says nothing to the first question on a new
// connection, as one that is far too slow does. That is an outage, and no mistake.
func TestAServerThatStopsOnceItHasLetUsIn(t *testing.T) {
	t.Parallel()
	r, address := startRelay(t, pgtest.Database(t))
	e, s := opened(t, address)
	r.greetOnly()
	e.Pool().Reset()
	err := s.Write(t.Context(), func(tx *store.Tx) error { return insertOne(t, tx, "agt_1") })
	if !problem.Is(err, problem.Unavailable) {
		t.Errorf("a write: %v", err)
	}
}
