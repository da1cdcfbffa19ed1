package postgres_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/postgres"
	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
)

// A commit that waits in vain for a standby, and one whose wait is broken off, are on the disk of
// a server that may be lost: neither is answered as stored.
func TestACommitThatNoStandbyHasIsNotTakenForStored(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	address := server.Database(t)
	e, s := opened(t, address)
	admin := local(t, address)
	put := func(id string) error {
		return s.Write(t.Context(), func(tx *store.Tx) error { return tx.InsertAgent(t.Context(), anAgent(id)) })
	}
	set := func(names string) {
		for _, text := range []string{"ALTER SYSTEM SET synchronous_standby_names = '" + names + "'", "SELECT pg_reload_conf()"} {
			if _, err := admin.Exec(t.Context(), text); err != nil {
				t.Fatal(err)
			}
		}
	}
	// waits comes back with the first write that waits for the standby.
	waits := func() error {
		for range 200 {
			if err := put(store.NewID("agt")); err != nil {
				return err
			}
			time.Sleep(20 * time.Millisecond)
		}
		t.Fatal("writes are answered as stored that no standby has")
		return nil
	}

	e.Hasten(5*time.Second, 5*time.Second, 300*time.Millisecond, 700*time.Millisecond)
	set("nobody")
	if err := waits(); !s.IsUncertain(err) {
		t.Errorf("in vain: %v", err)
	}

	e.Hasten(5*time.Second, 5*time.Second, 20*time.Second, 700*time.Millisecond)
	stop := breaksOffWaits(t, address)
	if err := put("agt_cancelled"); !s.IsUncertain(err) {
		t.Errorf("broken off: %v", err)
	}
	stop()

	e.Relax()
	set("")
	if err := put("agt_after"); err != nil || !stored(t, s, "agt_after") {
		t.Errorf("without standbys: %v", err)
	}
}

// local connects to a database without waiting for standbys.
func local(t *testing.T, address string) *pgx.Conn {
	t.Helper()
	c, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close(context.WithoutCancel(t.Context())) })
	if _, err := c.Exec(t.Context(), "SET synchronous_commit = local"); err != nil {
		t.Fatal(err)
	}
	return c
}

// breaksOffWaits cancels whatever waits for a standby, until it is stopped.
func breaksOffWaits(t *testing.T, address string) (stop func()) {
	t.Helper()
	c := local(t, address)
	done, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		for {
			select {
			case <-done:
				return
			case <-time.After(20 * time.Millisecond):
			}
			if _, err := c.Exec(t.Context(), "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"); err != nil {
				t.Error(err)
				return
			}
		}
	}()
	return func() {
		close(done)
		<-over
	}
}

// What became of a commit is told alike however often it has to be asked: an answer may be lost as the first was.
func TestTheFateOfACommitIsToldAlikeASecondTime(t *testing.T) {
	t.Parallel()
	e, err := postgres.Open(t.Context(), pgtest.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close() }()
	for range 2 {
		if !e.CommittedNever(t.Context(), [16]byte{1}) {
			t.Error("a transaction that never was is taken for committed")
		}
		if err := e.Trim(t.Context()); err != nil { // not yet
			t.Error(err)
		}
	}
	if _, err := e.Pool().Exec(t.Context(), `UPDATE commits SET at = at - interval '2 hours'`); err != nil {
		t.Fatal(err)
	}
	var left int
	if err := errors.Join(e.Trim(t.Context()), e.Pool().QueryRow(t.Context(), `SELECT COUNT(*) FROM commits`).Scan(&left)); err != nil || left != 0 {
		t.Errorf("%d commits are remembered for good (%v)", left, err)
	}
}
