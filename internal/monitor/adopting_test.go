package monitor_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/monitor"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/postgres"
	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
)

// adopting calls a function once, when facts that are to be brought up to date have been read.
type adopting struct {
	monitor.Store
	then func()
}

type adoptingTx struct {
	monitor.Tx
	of *adopting
}

func (a *adopting) Write(ctx context.Context, f func(monitor.Tx) error) error {
	return a.Store.Write(ctx, func(tx monitor.Tx) error { return f(adoptingTx{tx, a}) })
}

func (t adoptingTx) MetadataOf(ctx context.Context, callIDs, keys []string) (map[string]map[string]string, error) {
	if then := t.of.then; then != nil {
		t.of.then = nil
		then()
	}
	return t.Tx.MetadataOf(ctx, callIDs, keys)
}

// While one process brings facts up to date with the keys that were declared, others erase a call,
// link one to an agent, and declare other keys: nothing of that is taken back, as it would be if
// they did not wait. Whoever finds the rows free does it at once, and otherwise afterwards.
func TestWhatChangesWhileKeysAreAdopted(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	now := time.Date(2026, 6, 30, 12, 1, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	engine, err := postgres.Open(ctx, pgtest.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = engine.Close() })
	s := store.New(engine, nil, clock)
	look := &adopting{Store: store.As[monitor.Tx](s)}
	here, other := monitor.New(monitor.Options{Store: look, Now: clock}), monitor.New(monitor.Options{Store: store.As[monitor.Tx](s), Now: clock})
	facts := []monitor.Fact{{}, {}}
	for i := range facts {
		facts[i] = monitor.Fact{At: now.Add(-2 * time.Hour), Upset: true, Quote: "what a mess", Figures: monitor.Figures{Dims: map[string]string{"metadata.old": "1"}}}
	}
	if err := keep(ctx, s, facts); err != nil {
		t.Fatal(err)
	}
	if err := here.Rebuild(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := here.Declare(ctx, "ws_1", []string{"tier"}, nil); err != nil {
		t.Fatal(err)
	}
	write := func(f func(tx monitor.Tx) error) {
		t.Helper()
		if err := store.As[monitor.Tx](s).Write(ctx, f); err != nil {
			t.Error(err)
		}
	}
	changes := map[string]func(){
		`monitor_facts WHERE call_id = '` + facts[0].CallID + `'`: func() {
			write(func(tx monitor.Tx) error { return other.Forget(ctx, tx, facts[0].CallID) })
		},
		`monitor_facts WHERE call_id = '` + facts[1].CallID + `'`: func() {
			write(func(tx monitor.Tx) error { return other.Relinked(ctx, tx, facts[1].CallID, "agt_1") })
		},
		`monitor_dimensions WHERE workspace_id = 'ws_1'`: func() {
			if _, err := other.Declare(ctx, "ws_1", []string{"region"}, nil); err != nil {
				t.Error(err)
			}
		},
	}
	var later []func()
	look.then = func() {
		for row, change := range changes {
			if _, err := engine.Pool().Exec(ctx, `SELECT 1 FROM `+row+` FOR UPDATE NOWAIT`); err != nil {
				later = append(later, change)
				continue
			}
			change()
		}
	}
	for more := true; more; {
		if err := here.Rebuild(ctx); err != nil {
			t.Fatal(err)
		}
		more = len(later) > 0
		for _, change := range later {
			change()
		}
		later = nil
	}
	declared, err := here.Dimensions(ctx, "ws_1")
	if err != nil || !slices.Equal(declared.Keys, []string{"region"}) || look.then != nil {
		t.Errorf("%v were declared: %v", declared.Keys, err)
	}
	var left []monitor.Fact
	write(func(tx monitor.Tx) (err error) {
		left, err = tx.FactsBetween(ctx, "ws_1", string(call.Production), now.Add(-24*time.Hour), now)
		return err
	})
	if len(left) != 1 || left[0].CallID != facts[1].CallID || left[0].AgentID != "agt_1" || left[0].Dims != nil {
		t.Errorf("there are %+v", left)
	}
}
