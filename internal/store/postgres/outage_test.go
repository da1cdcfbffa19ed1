package postgres_test

import (
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/postgres"
	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
)

func opened(t *testing.T, address string) (*postgres.Engine, *store.Store) {
	t.Helper()
	e, err := postgres.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e, store.New(e, nil, time.Now)
}

func anAgent(id string) scenario.Agent {
	return scenario.Agent{ID: id, WorkspaceID: "ws", CreatedAt: time.Now(), UpdatedAt: time.Now()}
}

func stored(t *testing.T, s *store.Store, id string) bool {
	t.Helper()
	err := s.Read(t.Context(), func(tx *store.Tx) error {
		_, err := tx.AgentByID(t.Context(), "ws", id)
		return err
	})
	if err != nil && !problem.Is(err, problem.NotFound) {
		t.Fatal(err)
	}
	return err == nil
}

// TestConnectionsThatBreakLoseAndDoubleNothing writes from several goroutines
// while every connection is cut again and again: a write that succeeds is
// there once, a write that fails is not there.
func TestConnectionsThatBreakLoseAndDoubleNothing(t *testing.T) {
	t.Parallel()
	address := pgtest.Database(t)
	e, s := opened(t, address)
	cutter, _ := opened(t, address)
	done := make(chan struct{})
	const enough = 5
	var cuts atomic.Int64
	var cutting sync.WaitGroup
	cutting.Go(func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(15 * time.Millisecond):
			}
			var n int64
			_ = cutter.Pool().QueryRow(t.Context(), `SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity
				WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`).Scan(&n)
			cuts.Add(n)
		}
	})
	var wrote, failed atomic.Int64
	var writers sync.WaitGroup
	for range 6 {
		writers.Go(func() {
			for n := 0; n < 120 || cuts.Load() < enough && n < 5000; n++ {
				id, runs := store.NewID("agt"), 0
				err := s.Write(t.Context(), func(tx *store.Tx) error {
					runs++
					return tx.InsertAgent(t.Context(), anAgent(id))
				})
				switch {
				case err == nil:
					wrote.Add(1)
				case s.IsUncertain(err) || !problem.Is(err, problem.Unavailable):
					t.Errorf("after %d runs: %v", runs, err)
				default:
					failed.Add(1)
				}
				if err == nil != stored(t, s, id) {
					t.Errorf("answered %v, stored %v", err, stored(t, s, id))
				}
			}
		})
	}
	writers.Wait()
	close(done)
	cutting.Wait()
	t.Logf("%d connections cut, %d writes, %d refused", cuts.Load(), wrote.Load(), failed.Load())
	if cuts.Load() == 0 || wrote.Load() == 0 {
		t.Error("nothing was cut, or nothing was written")
	}
	err := e.Trim(t.Context())
	for range 10 { // the pool may still hold connections that were cut last
		if err != nil {
			err = e.Trim(t.Context())
		}
	}
	if err != nil {
		t.Error(err)
	}
}

// TestAServerThatIsGone stops the server: what is asked meanwhile is told so in
// words, and all works again without a hand once it is back.
func TestAServerThatIsGone(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	_, s := opened(t, server.Database(t))
	put := func(id string) error {
		return s.Write(t.Context(), func(tx *store.Tx) error { return tx.InsertAgent(t.Context(), anAgent(id)) })
	}
	if err := put("agt_before"); err != nil {
		t.Fatal(err)
	}
	server.Crash(t)
	for what, err := range map[string]error{
		"write": put("agt_meanwhile"), "ping": s.Ping(t.Context()),
		"read": s.Read(t.Context(), func(*store.Tx) error { return nil }),
	} {
		if p := problem.As(err); p == nil || p.Code != problem.Unavailable || p.Hint == "" || p.RetryAfter == 0 {
			t.Errorf("%s: %v", what, err)
		}
	}
	if s.IsUncertain(s.Ping(t.Context())) {
		t.Error("nothing was asked to be stored, yet that is not certain")
	}
	server.Restart(t)
	if err := put("agt_after"); err != nil {
		t.Error(err)
	}
	if !stored(t, s, "agt_before") || !stored(t, s, "agt_after") || stored(t, s, "agt_meanwhile") {
		t.Error("not what was answered is stored")
	}
}

// TestAShortAbsenceIsWaitedFor breaks the first connections that are tried, and no clock is asked.
func TestAShortAbsenceIsWaitedFor(t *testing.T) {
	t.Parallel()
	r, address := startRelay(t, pgtest.Database(t))
	_, s := opened(t, address)
	for _, id := range []string{"agt_1", "agt_2"} {
		r.leave(5)
		if err := s.Write(t.Context(), func(tx *store.Tx) error { return tx.InsertAgent(t.Context(), anAgent(id)) }); err != nil {
			t.Errorf("%s: %v", id, err)
		}
		if r.refuses() {
			t.Error("it was never away")
		}
		if !stored(t, s, id) {
			t.Errorf("%s is not stored", id)
		}
	}
}

// TestACommitThatNobodyAnswered cuts the connection at the very commit: the
// answer is found out on another one.
func TestACommitThatNobodyAnswered(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	_, s := opened(t, server.Database(t))
	const short, tries = 2 * time.Second, 5
	for range tries { // a server that takes longer to come back is not waited for
		took, patient := cutAtCommit(t, server, s)
		if patient {
			return
		}
		if took < short {
			t.Fatalf("an absence of %s was not waited for", took)
		}
	}
}

// cutAtCommit stops the server under many writes and starts it again. Whatever
// was answered must be true; patient tells that every write could wait.
func cutAtCommit(t *testing.T, server *pgtest.Server, s *store.Store) (took time.Duration, patient bool) {
	t.Helper()
	const writes = 40
	ids, results := make([]string, writes), make([]error, writes)
	var writers sync.WaitGroup
	for i := range ids {
		ids[i] = store.NewID("agt")
		writers.Go(func() {
			results[i] = s.Write(t.Context(), func(tx *store.Tx) error { return tx.InsertAgent(t.Context(), anAgent(ids[i])) })
		})
	}
	server.Crash(t)
	begun := time.Now()
	server.Restart(t)
	took = time.Since(begun)
	writers.Wait()
	patient = true
	for i, err := range results {
		if err != nil {
			patient = false
			t.Logf("a write that could wait: %v", err)
		}
		if !s.IsUncertain(err) && stored(t, s, ids[i]) != (err == nil) {
			t.Errorf("%s: answered %v, stored %v", ids[i], err, stored(t, s, ids[i]))
		}
	}
	return took, patient
}

// TestAServerThatLetsNobodyInIsAway: a password that is changed beside a running
// service is an outage until it is changed back, and no fault of the request.
func TestAServerThatLetsNobodyInIsAway(t *testing.T) {
	t.Parallel()
	address := pgtest.Database(t)
	admin, _ := opened(t, address)
	if _, err := admin.Pool().Exec(t.Context(), `CREATE ROLE turned_away SUPERUSER LOGIN`); err != nil {
		t.Fatal(err)
	}
	guest, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	guest.User = url.User("turned_away")
	e, _ := opened(t, guest.String())
	if _, err := admin.Pool().Exec(t.Context(), `ALTER ROLE turned_away NOLOGIN`); err != nil {
		t.Fatal(err)
	}
	e.Pool().Reset()
	if _, err := e.Begin(t.Context(), true); err == nil || e.Classify(err) != store.Away {
		t.Errorf("%v is of kind %v", err, e.Classify(err))
	}
}

// TestAServerThatTakesNoWrites is one that has become a standby: nobody is kept waiting for
// what became of a commit that it has refused, and the service says that it is not ready.
func TestAServerThatTakesNoWrites(t *testing.T) {
	t.Parallel()
	e, s := opened(t, pgtest.Database(t))
	set := func(value string) {
		t.Helper()
		if _, err := e.Pool().Exec(t.Context(), `BEGIN READ WRITE; DO $$ BEGIN
			EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = `+value+`', current_database()); END $$; COMMIT`); err != nil {
			t.Fatal(err)
		}
		e.Pool().Reset()
	}
	write := func() error { return s.Write(t.Context(), func(*store.Tx) error { return nil }) }
	set("on")
	began := time.Now()
	err := write()
	if took := time.Since(began); !problem.Is(err, problem.Unavailable) || s.IsUncertain(err) || took > 15*time.Second {
		t.Errorf("a write: %v, after %s", err, took)
	}
	if p := problem.As(err); p == nil || !strings.Contains(p.Message, "takes no writes") || p.RetryAfter == 0 {
		t.Errorf("a write is told: %v", p)
	}
	if p := problem.As(s.Ping(t.Context())); p == nil || p.Code != problem.Unavailable || p.Hint == "" {
		t.Errorf("ping: %v", p)
	}
	// Whoever sets it back sets it for the connections that come.
	set("off")
	for name, err := range map[string]error{"write": write(), "ping": s.Ping(t.Context())} {
		if err != nil {
			t.Errorf("it takes writes again: %s: %v", name, err)
		}
	}
}
