package calllog_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/archive"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/calllog/custom"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/postgres"
	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
	"github.com/ringtrue/ringtrue/internal/store/sqlite"
)

// The same call that arrives many times at once must become one call, on both databases.
func TestOneCallOutOfManyArrivals(t *testing.T) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		engine, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "test.db"))
		arriveAtOnce(t, engine, err)
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		engine, err := postgres.Open(t.Context(), pgtest.Database(t))
		arriveAtOnce(t, engine, err)
	})
}

func arriveAtOnce(t *testing.T, engine store.Engine, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = engine.Close() })
	st := store.New(engine, noQueue{}, time.Now)
	s := calllog.New(calllog.Options{
		Store: store.As[calllog.Tx](st), Readers: map[string]calllog.Reader{calllog.Custom: custom.Reader(nil)}, NewID: store.NewID, Now: time.Now,
	})
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
	err = st.Read(t.Context(), func(tx *store.Tx) (err error) {
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

// noQueue takes jobs and forgets them.
type noQueue struct{}

func (noQueue) Enqueue(context.Context, any, string, string, time.Duration) error { return nil }

func (noQueue) EnqueueAll(context.Context, any, string, []string) error { return nil }
