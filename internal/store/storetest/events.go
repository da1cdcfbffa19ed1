package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/experiment"
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
