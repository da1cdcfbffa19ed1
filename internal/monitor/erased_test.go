package monitor_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/monitor"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/postgres"
	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
)

// counting calls a function once, when facts have been read to be counted.
type counting struct {
	monitor.Store
	then func()
}

type countingTx struct {
	monitor.Tx
	of *counting
}

func (c *counting) Write(ctx context.Context, f func(monitor.Tx) error) error {
	return c.Store.Write(ctx, func(tx monitor.Tx) error { return f(countingTx{tx, c}) })
}

func (t countingTx) PutTexts(ctx context.Context, workspaceID string, values []monitor.Value) error {
	if then := t.of.then; then != nil {
		t.of.then = nil
		then()
	}
	return t.Tx.PutTexts(ctx, workspaceID, values)
}

// waiting tells when it begins to wait for whoever counts.
type waiting struct {
	monitor.Tx
	tell func()
}

func (w waiting) HoldMonitor(ctx context.Context) error {
	w.tell()
	return w.Tx.HoldMonitor(ctx)
}

// A call that is erased, or reviewed again with other last words, while another process counts its
// hour leaves nothing of what the agent said last.
func TestWordsOfACallThatIsErasedWhileItIsCounted(t *testing.T) {
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
	count := &counting{Store: store.As[monitor.Tx](s)}
	here, other := monitor.New(monitor.Options{Store: count, Now: clock}), monitor.New(monitor.Options{Store: store.As[monitor.Tx](s), Now: clock})
	for name, change := range map[string]func(tx monitor.Tx, callID string) error{
		"erased": func(tx monitor.Tx, callID string) error { return other.Forget(ctx, tx, callID) },
		"reviewed again": func(tx monitor.Tx, callID string) error {
			c := call.Call{ID: callID, WorkspaceID: "ws_1", Origin: call.Production, Status: call.Ended, StartedAt: now.Add(-2 * time.Hour)}
			return other.Settled(ctx, tx, c, call.Review{}, call.Reported{})
		},
	} {
		facts := []monitor.Fact{{
			At: now.Add(-2 * time.Hour), Act: "your secret was " + name, Failure: "0123456789 " + name,
			Figures: monitor.Figures{Answered: true, Dropped: true},
		}}
		if err := keep(ctx, s, facts); err != nil {
			t.Fatal(err)
		}
		changed := make(chan error, 1)
		count.then = func() {
			begun := make(chan bool, 2)
			tell := func() { begun <- true }
			go func() {
				changed <- store.As[monitor.Tx](s).Write(ctx, func(tx monitor.Tx) error { return change(waiting{tx, tell}, facts[0].CallID) })
				tell()
			}()
			<-begun // it waits, or is done
		}
		if err := here.Rebuild(ctx); err != nil {
			t.Fatal(err)
		}
		if err := <-changed; err != nil {
			t.Fatal(err)
		}
		if err := here.Rebuild(ctx); err != nil {
			t.Fatal(err)
		}
		err := s.Read(ctx, func(tx *store.Tx) error {
			texts, err := tx.Texts(ctx, "ws_1", monitor.KindAct, monitor.KindFailure)
			for _, v := range texts {
				if strings.Contains(v.Text+v.Detail, "secret") || v.Text == facts[0].Failure {
					t.Errorf("%s: %+v is kept", name, v)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
