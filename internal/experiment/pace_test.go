package experiment

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"
)

// TestCallsAreDialledApartWhateverDelaysThem has calls come to their turn all at
// once and lets sending take its time, longer for some than calls are to lie apart.
func TestCallsAreDialledApartWhateverDelaysThem(t *testing.T) {
	t.Parallel()
	const spacing = 250 * time.Millisecond
	w := newWorld()
	w.Trunk = func(string) (Trunk, error) { return Trunk{Name: "main", CallsPerSecond: 4}, nil }
	var mu sync.Mutex
	var now time.Duration
	w.Steady = func() time.Duration {
		mu.Lock()
		defer mu.Unlock()
		return now
	}
	pass := func(d time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		now += d
	}
	w.Wait = func(_ context.Context, d time.Duration) error {
		pass(d/3 + time.Millisecond) // woken too early now and then
		return nil
	}
	var begun, sent []time.Duration
	var all sync.WaitGroup
	for n := range 12 {
		all.Go(func() {
			turn := w.turn(t.Context(), &placement{trunk: Trunk{Name: "main", CallsPerSecond: 4}})
			turn(func() {
				begun = append(begun, w.Steady())
				pass(time.Duration(n) * spacing / 8)
				sent = append(sent, w.Steady())
			})
		})
	}
	all.Wait()
	if len(sent) != 12 || !slices.IsSorted(begun) {
		t.Fatalf("%d calls were sent, begun at %v", len(sent), begun)
	}
	for i := range sent[1:] {
		if d := begun[i+1] - sent[i]; d < spacing {
			t.Errorf("call %d began %s after the one before it, want %s", i+1, d, spacing)
		}
	}
}

func TestACallWhoseTimeIsOverIsNotHeldBack(t *testing.T) {
	t.Parallel()
	w := newWorld()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w.Wait = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	turn := w.turn(ctx, &placement{trunk: Trunk{Name: "main", CallsPerSecond: 0.001}})
	sent := 0
	for range 3 {
		turn(func() { sent++ })
	}
	if sent != 3 {
		t.Errorf("%d of 3 calls went on; the line ends them by itself", sent)
	}
}

// TestACallThatMissesItsTurnAsksForAnother has a call come to its dialling at
// different times after its turn, and the database answer some time after it has given one.
func TestACallThatMissesItsTurnAsksForAnother(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		comes, wake, since time.Duration
		dialled            time.Duration
		turns              int
	}{
		"early":                        {10 * time.Millisecond, 0, 0, lead, 0},
		"within its turn":              {lead + tooLate, 0, 0, lead + tooLate, 0},
		"late":                         {time.Second, 0, 0, time.Second + lead, 1},
		"woken a little late":          {time.Second, tooLate, 0, time.Second + lead + tooLate, 1},
		"never in its turn":            {time.Second, lead, 0, time.Second + 3*2*lead, maxTurns - 1},
		"a turn of long ago":           {time.Hour, 0, 0, time.Hour + lead, 1},
		"no time between them":         {0, 0, 0, lead, 0},
		"an answer that took its time": {time.Second, 0, 20 * time.Millisecond, time.Second + lead - 20*time.Millisecond, 1},
		"an answer that took too long": {time.Second, 0, lead + tooLate + 1, time.Second, maxTurns - 1},
	} {
		w := newWorld()
		now := c.comes
		*w.store.rows.since = c.since
		w.Steady = func() time.Duration { return now }
		w.Wait = func(_ context.Context, d time.Duration) error { now += d + c.wake; return nil }
		p := &placement{trunk: Trunk{Name: "main", CallsPerSecond: 4}, slot: slot{at: w.Now(), due: lead}}
		at := time.Duration(-1)
		w.turn(t.Context(), p)(func() { at = now })
		if got := *w.store.rows.again; at != c.dialled || got != c.turns {
			t.Errorf("%s: dialled at %s after %d new turns, want %s after %d", name, at, got, c.dialled, c.turns)
		}
	}
}
