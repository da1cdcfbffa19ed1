package calllog_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/archive"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/calllog/custom"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/postgres"
	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
	"github.com/ringtrue/ringtrue/internal/store/sqlite"
)

// onBoth runs a test with a store on each database.
func onBoth(t *testing.T, test func(*testing.T, *store.Store)) {
	t.Helper()
	run := func(name string, open func(*testing.T) (store.Engine, error)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			engine, err := open(t)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = engine.Close() })
			test(t, store.New(engine, noQueue{}, time.Now))
		})
	}
	run("sqlite", func(t *testing.T) (store.Engine, error) {
		return sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "test.db"))
	})
	run("postgres", func(t *testing.T) (store.Engine, error) {
		return postgres.Open(t.Context(), pgtest.Database(t))
	})
}

// taking returns a service on the store.
func taking(st *store.Store) *calllog.Service {
	return calllog.New(calllog.Options{
		Store: store.As[calllog.Tx](st), Readers: map[string]calllog.Reader{calllog.Custom: custom.Reader(nil)}, NewID: store.NewID, Now: time.Now,
	})
}

// Many calls, each submitted by several clients at once through two processes on one
// database, are each stored once, with every accepted record.
func TestARushOfManyCalls(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, st *store.Store) {
		const calls, copies, others = 60, 3, 2
		processes := []*calllog.Service{taking(st), taking(st)}
		type result struct {
			call int
			a    calllog.Accepted
			err  error
		}
		results := make(chan result, calls*copies*others)
		for n := range cap(results) {
			i := n % calls
			body := log(t, func(_, p map[string]any) {
				p["call_id"], p["transcript"], p["recording_url"] = fmt.Sprintf("rush-%d", i), booking(), fmt.Sprintf("https://a.example/%d", n/calls%others)
			})
			go func() {
				a, err := processes[n/calls/others%len(processes)].Accept(t.Context(), "ws_1", body)
				results <- result{i, a, err}
			}()
		}
		ids, firsts := map[int]string{}, 0
		for range cap(results) {
			r := <-results
			if r.err != nil {
				t.Fatal(r.err)
			}
			if known, ok := ids[r.call]; ok && known != r.a.ID {
				t.Fatalf("call %d is %s and %s", r.call, known, r.a.ID)
			}
			ids[r.call] = r.a.ID
			if !r.a.Duplicate {
				firsts++
			}
		}
		if len(ids) != calls || firsts != calls {
			t.Errorf("%d ids of %d calls, %d answered as new", len(ids), calls, firsts)
		}
		err := st.Read(t.Context(), func(tx *store.Tx) error {
			for i, id := range ids {
				kept, err := tx.SubmissionsOf(t.Context(), id)
				if err != nil {
					return err
				}
				if len(kept) != others {
					t.Errorf("call %d has %d records, want %d", i, len(kept), others)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

// The same call arriving many times at once must become one call, on both databases.
func TestOneCallOutOfManyArrivals(t *testing.T) {
	t.Parallel()
	onBoth(t, arriveAtOnce)
}

func arriveAtOnce(t *testing.T, st *store.Store) {
	t.Helper()
	s := taking(st)
	type result struct {
		a   calllog.Accepted
		err error
	}
	body := log(t, func(_, p map[string]any) { p["transcript"] = booking() })
	results := make(chan result, 16)
	for range cap(results) {
		go func() {
			a, err := s.Accept(t.Context(), "ws_1", body)
			results <- result{a, err}
		}()
	}
	ids, firsts := map[string]bool{}, 0
	for range cap(results) {
		r := <-results
		if r.err != nil {
			t.Fatal(r.err)
		}
		ids[r.a.ID] = true
		if !r.a.Duplicate {
			firsts++
		}
	}
	if len(ids) != 1 || firsts != 1 {
		t.Errorf("%d ids, %d answered as new", len(ids), firsts)
	}
	var calls []call.Call
	err := st.Read(t.Context(), func(tx *store.Tx) (err error) {
		calls, err = tx.Calls(t.Context(), "ws_1", archive.Filter{}, 100, archive.Place{})
		return err
	})
	if err != nil || len(calls) != 1 || !ids[calls[0].ID] {
		t.Fatalf("%d calls are stored: %v", len(calls), err)
	}
	c := calls[0]
	if c.Origin != call.Production || c.ExternalID != "c-1" || c.Duration() != time.Minute || c.EndReason.Code != call.EndCompleted || c.ScoringStatus != call.ScoringPending {
		t.Errorf("read back: %+v", c)
	}
}

// A key that cannot be written is no answer to its request: the transaction is broken, and whoever waits
// has to be told of the database.
func TestAKeyForWhichTheDatabaseTakesNoWrites(t *testing.T) {
	t.Parallel()
	engine, err := postgres.Open(t.Context(), pgtest.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = engine.Close() })
	st := store.New(engine, noQueue{}, time.Now)
	s := taking(st)
	if _, err := engine.Pool().Exec(t.Context(), `DO $$ BEGIN
		EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$`); err != nil {
		t.Fatal(err)
	}
	engine.Pool().Reset()
	under := st.UnderKey(t.Context(), "ws_1", "key", "digest")
	_, err = s.Accept(under, "ws_1", log(t, func(_, p map[string]any) { p["transcript"] = booking() }))
	if p := problem.As(err); p == nil || p.Code != problem.Unavailable || p.RetryAfter == 0 {
		t.Errorf("told: %v", err)
	}
}

// noQueue accepts jobs and drops them.
type noQueue struct{}

func (noQueue) Enqueue(context.Context, any, string, string, time.Duration) error { return nil }

func (noQueue) EnqueueAll(context.Context, any, string, int, []string) error { return nil }
