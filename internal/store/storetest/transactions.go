package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/archive"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/store"
)

func (b *bench) after(t *testing.T, workspaceID string, seq int64) []store.Event {
	t.Helper()
	events, err := b.EventsAfter(t.Context(), workspaceID, seq, 1000)
	if err != nil {
		t.Fatal(err)
	}
	return events
}

func events(t *testing.T, b *bench) {
	for i := range 3 {
		b.must(t, func(ctx context.Context, tx *store.Tx) error {
			if err := tx.Announce(ctx, theirs, experiment.Progress{Detail: "not ours"}); err != nil {
				return err
			}
			return tx.Announce(ctx, ours, experiment.Progress{Kind: "call", CallID: fmt.Sprint(i)})
		})
	}
	undone := errors.New("undone")
	err := b.Write(t.Context(), func(tx *store.Tx) error {
		return errors.Join(tx.Announce(t.Context(), ours, experiment.Progress{Detail: "never"}), undone)
	})
	if !errors.Is(err, undone) {
		t.Fatal(err)
	}
	seen := b.after(t, ours, 0)
	if len(seen) != 3 {
		t.Fatalf("%d events", len(seen))
	}
	for i, e := range seen {
		want := store.Event{Seq: e.Seq, WorkspaceID: ours, At: start, Progress: experiment.Progress{Kind: "call", CallID: fmt.Sprint(i)}}
		same(t, "event", e, want)
		if i > 0 && e.Seq <= seen[i-1].Seq {
			t.Error("the numbers do not rise")
		}
	}
	last, err := b.LastEventSeq(t.Context(), ours)
	if err != nil || last != seen[2].Seq {
		t.Errorf("last number %d, %v", last, err)
	}
	if n := len(b.after(t, ours, seen[0].Seq)); n != 2 {
		t.Errorf("%d events behind the first", n)
	}
}

// eventsInOrder reads behind the last event it has seen while two handles
// write, the way the stream does, and must not lose one.
func eventsInOrder(t *testing.T, b *bench) {
	handles := []*store.Store{b.Store, b.open(b.now)}
	const writers, each = 6, 15
	var all sync.WaitGroup
	var running atomic.Int32
	running.Store(writers)
	for w := range writers {
		all.Go(func() {
			defer running.Add(-1)
			for i := range each {
				err := handles[w%2].Write(t.Context(), func(tx *store.Tx) error {
					return tx.Announce(t.Context(), ours, experiment.Progress{CallID: fmt.Sprintf("%d-%d", w, i)})
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	seen, last := map[string]bool{}, int64(0)
	for done := false; !done; {
		done = running.Load() == 0
		for _, e := range b.after(t, ours, last) {
			seen[e.Progress.CallID], last = true, e.Seq
		}
	}
	all.Wait()
	if len(seen) != writers*each {
		t.Errorf("saw %d events of %d", len(seen), writers*each)
	}
}

func trim(t *testing.T, b *bench) {
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		return tx.Announce(ctx, ours, experiment.Progress{Detail: "old"})
	})
	old := b.after(t, ours, 0)
	b.pass(61 * time.Minute)
	if err := b.Trim(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		return tx.Announce(ctx, ours, experiment.Progress{Detail: "new"})
	})
	left := b.after(t, ours, 0)
	if len(left) != 1 || left[0].Progress.Detail != "new" || left[0].Seq <= old[0].Seq {
		t.Errorf("left: %+v", left)
	}
}

func idempotency(t *testing.T, b *bench) {
	take := func(workspaceID, digest string) (store.Remembered, bool) {
		m, taken, err := b.TakeKey(t.Context(), workspaceID, "k", digest, b.now())
		if err != nil {
			t.Fatal(err)
		}
		return m, taken
	}
	if _, taken := take(ours, "d1"); !taken {
		t.Fatal("a new key is not taken")
	}
	if m, taken := take(ours, "d2"); taken || m != (store.Remembered{Digest: "d1"}) {
		t.Errorf("taken twice: %+v", m)
	}
	if _, taken := take(theirs, "d1"); !taken {
		t.Error("a key of one workspace blocks another")
	}
	if err := b.RememberKey(t.Context(), ours, "k", "agt_1"); err != nil {
		t.Fatal(err)
	}
	if err := b.DropKey(t.Context(), ours, "k"); err != nil {
		t.Fatal(err)
	}
	if m, taken := take(ours, "d1"); taken || m.ID != "agt_1" {
		t.Errorf("a key with its id was dropped: %+v", m)
	}
	if err := b.DropKey(t.Context(), theirs, "k"); err != nil {
		t.Fatal(err)
	}
	if _, taken := take(theirs, "d1"); !taken {
		t.Error("a dropped key stays taken")
	}
	if err := b.RememberKey(t.Context(), "ws_none", "k", "x"); !problem.Is(err, problem.NotFound) {
		t.Errorf("a key nobody took: %v", err)
	}
	b.pass(24*time.Hour + time.Second)
	if _, taken := take(ours, "d9"); !taken {
		t.Error("a key lives longer than 24 hours")
	}
}

func idempotencyRace(t *testing.T, b *bench) {
	handles := []*store.Store{b.Store, b.open(b.now)}
	var takers atomic.Int32
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			m, taken, err := handles[i%2].TakeKey(t.Context(), ours, "k", "d", start)
			if err != nil || (!taken && m.Digest != "d") {
				t.Errorf("%+v, %v", m, err)
			}
			if taken {
				takers.Add(1)
			}
		})
	}
	all.Wait()
	if n := takers.Load(); n != 1 {
		t.Errorf("%d took the key", n)
	}
}

func rollback(t *testing.T, b *bench) {
	a, stop := anAgent(""), errors.New("stop")
	for name, f := range map[string]func(ctx context.Context, tx *store.Tx) error{
		"error": func(context.Context, *store.Tx) error { return stop },
		"panic": func(context.Context, *store.Tx) error { panic(stop) },
	} {
		func() {
			defer func() { _ = recover() }()
			err := b.Write(t.Context(), func(tx *store.Tx) error {
				return errors.Join(tx.InsertAgent(t.Context(), a), f(t.Context(), tx))
			})
			if !errors.Is(err, stop) {
				t.Errorf("%s: %v", name, err)
			}
		}()
		b.refused(t, problem.NotFound, func(ctx context.Context, tx *store.Tx) error { _, err := tx.AgentByID(ctx, ours, a.ID); return err })
	}
}

func lostUpdates(t *testing.T, b *bench) {
	d := scenario.Dataset{ID: store.NewID("ds"), WorkspaceID: ours, CreatedAt: start, UpdatedAt: start}
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertDataset(ctx, d) })
	handles := []*store.Store{b.Store, b.open(b.now)}
	const writers = 20
	var all sync.WaitGroup
	for i := range writers {
		all.Go(func() {
			err := handles[i%2].Write(t.Context(), func(tx *store.Tx) error {
				d, err := tx.LockDataset(t.Context(), ours, d.ID)
				if err != nil {
					return err
				}
				d.Version++
				return tx.UpdateDataset(t.Context(), d)
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	got := get(t, b, func(ctx context.Context, tx *store.Tx) (scenario.Dataset, error) {
		return tx.DatasetByID(ctx, ours, d.ID)
	})
	if got.Version != writers {
		t.Errorf("version %d after %d updates", got.Version, writers)
	}
}

func cancelled(t *testing.T, b *bench) {
	ctx, cancel := context.WithCancel(t.Context())
	a := anAgent("")
	err := b.Write(ctx, func(tx *store.Tx) error {
		err := tx.InsertAgent(ctx, a)
		cancel()
		return err
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	b.refused(t, problem.NotFound, func(ctx context.Context, tx *store.Tx) error { _, err := tx.AgentByID(ctx, ours, a.ID); return err })
}

func readIsOneState(t *testing.T, b *bench) {
	first := get(t, b, func(ctx context.Context, tx *store.Tx) (int, error) {
		before, err := tx.Agents(ctx, ours, 10, "")
		if err != nil {
			return 0, err
		}
		b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertAgent(ctx, anAgent("")) })
		after, err := tx.Agents(ctx, ours, 10, "")
		return len(after) - len(before), err
	})
	if first != 0 {
		t.Error("a reader sees what was written while it reads")
	}
	err := b.Read(t.Context(), func(tx *store.Tx) error { return tx.InsertAgent(t.Context(), anAgent("")) })
	if err == nil {
		t.Error("a reading transaction writes")
	}
}

func views(t *testing.T, b *bench) {
	c := aCall("ve_1")
	b.insert(t, c)
	view := store.As[archive.Tx](b.Store)
	if err := view.Read(t.Context(), func(tx archive.Tx) error {
		_, err := tx.CallByID(t.Context(), ours, c.ID)
		return err
	}); err != nil {
		t.Error(err)
	}
	called := false
	err := store.As[fmt.Stringer](b.Store).Write(t.Context(), func(fmt.Stringer) error { called = true; return nil })
	if err == nil || called {
		t.Error("a transaction passes for what it is not")
	}
}

// texts come back as they were, or are refused: nothing in between.
func texts(t *testing.T, b *bench) {
	for _, text := range []string{"", "Zoë 🎙", "'; DROP TABLE agents; --", "$1 ? %s \\", "a\x00b", "\u2028\n\t"} {
		a := anAgent("")
		a.Name = text
		err := b.Write(t.Context(), func(tx *store.Tx) error { return tx.InsertAgent(t.Context(), a) })
		if problem.Is(err, problem.InvalidFields) {
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		got := get(t, b, func(ctx context.Context, tx *store.Tx) (scenario.Agent, error) { return tx.AgentByID(ctx, ours, a.ID) })
		same(t, "name", got.Name, text)
	}
	err := b.Read(t.Context(), func(tx *store.Tx) error { _, err := tx.AgentByID(t.Context(), ours, "agt_\x00"); return err })
	if problem.As(err) == nil {
		t.Errorf("a strange id: %v", err)
	}
}
