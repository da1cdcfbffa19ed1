package experiment

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// crowded is a world in which a call of somebody else has the only place.
func crowded(t *testing.T) *world {
	t.Helper()
	w := newWorld()
	w.Hold = time.Hour
	w.Trunk = func(string) (Trunk, error) { return Trunk{Name: "main", ConcurrentCalls: 1}, nil }
	start(t, w)
	w.store.rows.attempts["att_other"] = call.Attempt{ID: "att_other", StartedAt: w.now}
	return w
}

func TestAWaitingCallGetsThePlaceThatBecomesFree(t *testing.T) {
	t.Parallel()
	w := crowded(t)
	waits := 0
	w.Wait = func(ctx context.Context, d time.Duration) error {
		if d == w.Beat { // the heartbeat stays quiet
			<-ctx.Done()
			return ctx.Err()
		}
		if waits++; waits == 3 {
			_ = w.store.Write(ctx, func(tx Tx) error {
				_, err := tx.EndAttempt(ctx, call.Attempt{ID: "att_other", EndedAt: w.now})
				return err
			})
		}
		return nil
	}
	if err := w.Place(t.Context(), "call_0002"); err != nil {
		t.Fatal(err)
	}
	if got := w.store.call("call_0002").Status; got != call.Ended || waits != 3 {
		t.Errorf("after %d waits the call is %s", waits, got)
	}
}

func TestDismissSendsWaitingCallsAway(t *testing.T) {
	t.Parallel()
	w := crowded(t)
	waiting := make(chan struct{}, 1)
	w.Wait = func(ctx context.Context, _ time.Duration) error {
		waiting <- struct{}{}
		<-ctx.Done()
		return ctx.Err()
	}
	results := make(chan error, 2)
	go func() { results <- w.Place(context.WithoutCancel(t.Context()), "call_0002") }()
	<-waiting // the first asks again and again, the second stands behind it
	go func() { results <- w.Place(context.WithoutCancel(t.Context()), "call_0003") }()
	w.Dismiss()
	for range 2 {
		var again TryAgain
		if err := <-results; !errors.As(err, &again) {
			t.Errorf("a waiting call got %v, want TryAgain", err)
		}
	}
	if got := w.store.call("call_0002").Status; got != call.Queued {
		t.Errorf("a call that was sent away is %s", got)
	}
}

func TestNoCallBeginsAfterDismiss(t *testing.T) {
	t.Parallel()
	for range 20 { // whoever chose at random would let some of them through
		w := newWorld()
		start(t, w)
		w.Dismiss()
		var again TryAgain
		if err := w.Place(t.Context(), "call_0002"); !errors.As(err, &again) {
			t.Fatalf("got %v, want TryAgain", err)
		}
		if n := len(w.store.rows.attempts); n != 0 {
			t.Fatalf("%d attempts were begun", n)
		}
	}
}

// TestALongRunLeavesRoomForOthers: the calls of a run that waits for its limits are not to fill the process, in
// which the calls of others could go on.
func TestALongRunLeavesRoomForOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := crowded(t)
		w.Wait, w.crowd = wait, newTurnstile(2)
		prepared := 0
		w.Prepare = func(context.Context, scenario.Item) error { prepared++; return nil }
		results := make(chan error, 3)
		for _, id := range []string{"call_0002", "call_0003", "call_0004"} {
			go func() { results <- w.Place(t.Context(), id) }()
			synctest.Wait()
		}
		began := time.Now()
		var again TryAgain
		if err := <-results; !errors.As(err, &again) || time.Since(began) != crowdWait || prepared != 2 {
			t.Errorf("behind %d that are ready, a call got %v after %s", prepared, err, time.Since(began))
		}
		if got := w.store.call("call_0004").Status; got != call.Queued {
			t.Errorf("the call that made way is %s", got)
		}
		w.Dismiss()
		<-results
		<-results
		if _, ok := w.crowd.enterNow("main agt_1"); ok {
			t.Error("a call enters after all were sent away")
		}
	})
}
