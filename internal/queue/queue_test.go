package queue_test

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audit"
	"github.com/ringtrue/ringtrue/internal/queue"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/postgres"
	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
	"github.com/ringtrue/ringtrue/internal/store/sqlite"
)

// engines opens an engine; each call of the returned function is one more process.
var engines = map[string]func(t *testing.T) func() store.Engine{
	"sqlite": func(t *testing.T) func() store.Engine {
		path := filepath.Join(t.TempDir(), "ringtrue.db")
		return func() store.Engine {
			e, err := sqlite.Open(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = e.Close() })
			return e
		}
	},
	"postgres": func(t *testing.T) func() store.Engine {
		address := pgtest.Database(t)
		return func() store.Engine {
			e, err := postgres.Open(t.Context(), address)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = e.Close() })
			return e
		}
	},
}

// patience is how long a test waits for what has to come.
const patience = time.Minute

func onBoth(t *testing.T, f func(t *testing.T, open func() store.Engine)) {
	for name, open := range engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f(t, open(t))
		})
	}
}

func over(t *testing.T, e store.Engine) *store.Store {
	t.Helper()
	enqueuer, err := queue.NewEnqueuer(e, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	return store.New(e, enqueuer, time.Now)
}

func started(t *testing.T, o queue.Options) *queue.Queue {
	t.Helper()
	o.Log, o.Now = slog.New(slog.DiscardHandler), time.Now
	q, err := queue.New(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := q.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if err := q.Stop(ctx); err != nil {
			t.Error(err)
		}
	})
	return q
}

func enqueue(t *testing.T, s *store.Store, kind, id string, after time.Duration) {
	t.Helper()
	if err := s.Write(t.Context(), func(tx *store.Tx) error { return tx.Enqueue(t.Context(), kind, id, after) }); err != nil {
		t.Fatal(err)
	}
}

func next(t *testing.T, ids <-chan string) string {
	t.Helper()
	select {
	case id := <-ids:
		return id
	case <-time.After(patience):
		t.Fatal("no job came")
		return ""
	}
}

// into is a handler that sends the ids it gets.
func into(ids chan<- string) queue.Handler {
	return func(_ context.Context, id string) error {
		ids <- id
		return nil
	}
}

func TestJobIsRealWithTheCommitAlone(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, open func() store.Engine) {
		e := open()
		s, ids := over(t, e), make(chan string, 10)
		started(t, queue.Options{Engine: e, Workers: map[string]queue.Worker{"place": {Run: into(ids), Max: 2}}})
		undone := errors.New("undone")
		err := s.Write(t.Context(), func(tx *store.Tx) error {
			return errors.Join(tx.Enqueue(t.Context(), "place", "never", 0), undone)
		})
		if !errors.Is(err, undone) {
			t.Fatal(err)
		}
		committed := make(chan struct{})
		err = s.Write(t.Context(), func(tx *store.Tx) error {
			if err := tx.Enqueue(t.Context(), "place", "one", 0); err != nil {
				return err
			}
			select {
			case id := <-ids:
				t.Errorf("%s ran before the commit", id)
			case <-time.After(300 * time.Millisecond):
			}
			close(committed)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		<-committed
		if id := next(t, ids); id != "one" {
			t.Errorf("got %s", id)
		}
		enqueue(t, s, "place", "two", 0)
		if id := next(t, ids); id != "two" {
			t.Errorf("got %s, which ran twice or was undone", id)
		}
	})
}

// A request that does no more than to put work into the queue has changed something.
func TestAJobIsAChange(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, open func() store.Engine) {
		s := over(t, open())
		for _, add := range []func(context.Context, *store.Tx) error{
			func(ctx context.Context, tx *store.Tx) error { return tx.Enqueue(ctx, "review", "one", 0) },
			func(ctx context.Context, tx *store.Tx) error { return tx.Enqueue(ctx, "review", "one", time.Hour) },
			func(ctx context.Context, tx *store.Tx) error { return tx.EnqueueAll(ctx, "review", 1, []string{"one"}) },
		} {
			before, err := s.AuditEntries(t.Context(), "ws_1", 10, "")
			if err != nil {
				t.Fatal(err)
			}
			ctx := audit.With(t.Context(), audit.Entry{WorkspaceID: "ws_1", Action: "review-call"})
			if err := s.Write(ctx, func(tx *store.Tx) error { return add(ctx, tx) }); err != nil {
				t.Fatal(err)
			}
			after, err := s.AuditEntries(t.Context(), "ws_1", 10, "")
			if err != nil || len(after) != len(before)+1 {
				t.Errorf("%d entries after %d, %v", len(after), len(before), err)
			}
		}
	})
}

func TestUrgentJobsGoFirst(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, open func() store.Engine) {
		e := open()
		ids := make(chan string, 10)
		err := over(t, e).Write(t.Context(), func(tx *store.Tx) error {
			return errors.Join(
				tx.EnqueueAll(t.Context(), "review", 4, []string{"fourth"}),
				tx.EnqueueAll(t.Context(), "review", 2, []string{"second", "third"}),
				tx.Enqueue(t.Context(), "review", "first", 0),
			)
		})
		if err != nil {
			t.Fatal(err)
		}
		started(t, queue.Options{Engine: e, Workers: map[string]queue.Worker{"review": {Run: into(ids)}}})
		for _, want := range []string{"first", "second", "third", "fourth"} {
			if id := next(t, ids); id != want {
				t.Errorf("%s comes, want %s", id, want)
			}
		}
	})
}

func TestSnoozeAndDelay(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, open func() store.Engine) {
		e := open()
		var tries atomic.Int32
		ids := make(chan string, 10)
		started(t, queue.Options{Engine: e, Workers: map[string]queue.Worker{"place": {Run: func(_ context.Context, id string) error {
			if tries.Add(1) <= 7 { // more often than a job may fail
				return queue.Snooze(time.Millisecond)
			}
			ids <- id
			return nil
		}}}})
		enqueue(t, over(t, e), "place", "one", 0)
		if id := next(t, ids); id != "one" || tries.Load() != 8 {
			t.Errorf("%s after %d tries", id, tries.Load())
		}
	})
}

func TestFailingJobIsTriedAgain(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, open func() store.Engine) {
		e := open()
		ids, tries := make(chan string, 10), make(chan string, 10)
		started(t, queue.Options{Engine: e, Workers: map[string]queue.Worker{"place": {Run: func(_ context.Context, id string) error {
			tries <- id
			if len(tries) == 1 {
				return errors.New("not yet")
			}
			ids <- id
			return nil
		}}}})
		enqueue(t, over(t, e), "place", "one", 0)
		next(t, ids)
	})
}

func TestKindsHaveTheirOwnPlaces(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, open func() store.Engine) {
		e := open()
		s, ids, block := over(t, e), make(chan string, 10), make(chan struct{})
		defer close(block)
		var placing, most atomic.Int32
		started(t, queue.Options{Engine: e, Workers: map[string]queue.Worker{
			"place": {Max: 2, Run: func(context.Context, string) error {
				if n := placing.Add(1); n > most.Load() {
					most.Store(n)
				}
				<-block
				placing.Add(-1)
				return nil
			}},
			"review": {Run: into(ids)},
		}})
		for range 4 {
			enqueue(t, s, "place", "p", 0)
		}
		enqueue(t, s, "review", "r", 0)
		if id := next(t, ids); id != "r" {
			t.Errorf("got %s", id)
		}
		if n := most.Load(); n > 2 {
			t.Errorf("%d at a time, allowed are 2", n)
		}
	})
}

func TestStartsSoon(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, open func() store.Engine) {
		e := open()
		s, ids := over(t, e), make(chan string, 1)
		started(t, queue.Options{Engine: e, Workers: map[string]queue.Worker{"place": {Run: into(ids)}}})
		enqueue(t, s, "place", "warm", 0)
		next(t, ids)
		// A busy machine may take its time once, not always.
		for round := 1; ; round++ {
			var took []time.Duration
			for range 9 {
				from := time.Now()
				enqueue(t, s, "place", "x", 0)
				next(t, ids)
				took = append(took, time.Since(from))
			}
			slices.Sort(took)
			t.Logf("a job starts after %v (median)", took[4])
			if took[4] < time.Second {
				return
			}
			if round == 5 {
				t.Fatalf("jobs start late: %v", took)
			}
		}
	})
}

func TestUnknownEngine(t *testing.T) {
	t.Parallel()
	if _, err := queue.NewEnqueuer(nil, time.Now); err == nil {
		t.Error("no engine, no error")
	}
	if _, err := queue.New(queue.Options{Log: slog.New(slog.DiscardHandler)}); err == nil {
		t.Error("no engine, no error")
	}
}
