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
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/store"
)

// makeUnder makes an agent for a request with the key "k".
func (b *bench) makeUnder(ctx context.Context, s *store.Store, workspaceID, digest string) (string, error) {
	a := anAgent("")
	under := s.UnderKey(ctx, workspaceID, "k", digest)
	return a.ID, s.Write(under, func(tx *store.Tx) error { return tx.InsertAgent(under, a) })
}

func (b *bench) use(t *testing.T, workspaceID string) (store.Remembered, bool) {
	t.Helper()
	m, ok, err := b.UseOfKey(t.Context(), workspaceID, "k", b.now())
	if err != nil {
		t.Fatal(err)
	}
	return m, ok
}

func idempotency(t *testing.T, b *bench) {
	if m, ok := b.use(t, ours); ok {
		t.Errorf("a new key was used: %+v", m)
	}
	id, err := b.makeUnder(t.Context(), b.Store, ours, "d1")
	if err != nil {
		t.Fatal(err)
	}
	if m, ok := b.use(t, ours); !ok || m != (store.Remembered{Digest: "d1", ID: id}) {
		t.Errorf("the key remembers %+v, %v; want %s", m, ok, id)
	}
	second, err := b.makeUnder(t.Context(), b.Store, ours, "d2")
	if !errors.Is(err, store.ErrKeyUsed) {
		t.Errorf("used twice: %v", err)
	}
	b.refused(t, problem.NotFound, func(ctx context.Context, tx *store.Tx) error { _, err := tx.AgentByID(ctx, ours, second); return err })
	if _, ok := b.use(t, theirs); ok {
		t.Error("a key of one workspace is used in another")
	}
	if _, err := b.makeUnder(t.Context(), b.Store, theirs, "d1"); err != nil {
		t.Errorf("a key of one workspace blocks another: %v", err)
	}
	b.pass(24*time.Hour + time.Second)
	if m, ok := b.use(t, ours); ok {
		t.Errorf("a key lives longer than 24 hours: %+v", m)
	}
	if _, err := b.makeUnder(t.Context(), b.Store, ours, "d9"); err != nil {
		t.Errorf("a key lives longer than 24 hours: %v", err)
	}
}

// keyAndThing are on disk together or not at all.
func keyAndThing(t *testing.T, b *bench) {
	stop := errors.New("stop")
	under := b.UnderKey(t.Context(), ours, "k", "d")
	err := b.Write(under, func(tx *store.Tx) error {
		return errors.Join(tx.InsertAgent(under, anAgent("")), stop)
	})
	if !errors.Is(err, stop) {
		t.Errorf("got %v", err)
	}
	if m, ok := b.use(t, ours); ok {
		t.Errorf("the key outlives what was not made: %+v", m)
	}
	// A transaction that makes nothing leaves the key to the next, and one that comes later leaves it alone.
	made := anAgent("")
	for _, f := range []func(tx *store.Tx) error{
		func(*store.Tx) error { return nil },
		func(tx *store.Tx) error { return tx.InsertAgent(under, made) },
		func(tx *store.Tx) error { return tx.InsertAgent(under, anAgent("")) },
	} {
		if err := b.Write(under, f); err != nil {
			t.Fatal(err)
		}
	}
	if m, ok := b.use(t, ours); !ok || m.ID != made.ID {
		t.Errorf("the key remembers %+v, want %s", m, made.ID)
	}
}

func idempotencyRace(t *testing.T, b *bench) {
	handles := []*store.Store{b.Store, b.open(b.now)}
	var makers atomic.Int32
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			_, err := b.makeUnder(t.Context(), handles[i%2], ours, "d")
			switch {
			case err == nil:
				makers.Add(1)
			case !errors.Is(err, store.ErrKeyUsed):
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := makers.Load(); n != 1 {
		t.Errorf("%d made something", n)
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

// heldCalls has some move a call of their own choice and others all calls of
// the experiment, each building on what it read: no move is lost.
func heldCalls(t *testing.T, b *bench) {
	c, other := aCall("ve_1"), aCall("ve_1")
	b.insert(t, c, other)
	handles := []*store.Store{b.Store, b.open(b.now)}
	const writers = 20
	var all sync.WaitGroup
	for i := range writers {
		all.Go(func() {
			err := handles[i%2].Write(t.Context(), func(tx *store.Tx) error { return lengthen(t.Context(), tx, c, i%4 < 2) })
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	got := get(t, b, func(ctx context.Context, tx *store.Tx) (call.Call, error) { return tx.CallByID(ctx, ours, c.ID) })
	if n := len(got.EndReason.Detail); n != writers {
		t.Errorf("%d of %d moves are there", n, writers)
	}
}

// lengthen adds a letter to the detail of the call, locked alone or with all of its experiment.
func lengthen(ctx context.Context, tx *store.Tx, c call.Call, alone bool) error {
	held := make([]call.Call, 1)
	var err error
	if alone {
		held[0], err = tx.LockCall(ctx, c.ID)
	} else {
		held, err = tx.LockCallsOf(ctx, c.ExperimentID)
	}
	if err != nil {
		return err
	}
	for _, h := range held {
		h.EndReason.Detail += "x"
		if err := tx.UpdateCall(ctx, h); err != nil {
			return err
		}
	}
	return nil
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

// commitsToldOf are those that changed something: one that did not costs nothing, and would
// hide how long the others took.
func commitsToldOf(t *testing.T, b *bench) {
	told := 0
	b.Tell(store.Telling{Committed: func(time.Duration) { told++ }})
	c := aCall("ve_1")
	b.insert(t, c)
	if told != 1 {
		t.Errorf("%d commits after one", told)
	}
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.BeatAttempt(ctx, "att_none", start)
		return err
	})
	if told != 1 {
		t.Error("a commit that changed nothing was told of")
	}
}
