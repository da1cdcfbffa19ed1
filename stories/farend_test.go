package stories

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/sip"
)

// farEnd is an agent that takes every call and says nothing. It writes down when
// calls come and go, so that limits are measured where they matter and not in
// the tables of whoever is to keep them.
type farEnd struct {
	address string
	began   time.Time

	mu    sync.Mutex
	calls []*arrival
}

// arrival is one INVITE at the far end. end is 0 while the call is up.
type arrival struct {
	callID, to string
	came, end  time.Duration
}

// deadAfter is how long the far end keeps a call without hearing anything: for
// ever, as far as these tests go. Only a goodbye ends a call.
const deadAfter = 5 * time.Minute

func newFarEnd(t *testing.T) *farEnd {
	t.Helper()
	f := &farEnd{began: time.Now()}
	server, err := sip.Listen(sip.ServerOptions{
		Answerer: f.take, MediaTimeout: deadAfter, Now: time.Now, Log: slog.New(slog.DiscardHandler),
	})
	must(t, err)
	f.address = server.Addr().String()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = server.Close(ctx)
	})
	return f
}

// trunk is the far end as a trunk; limits are its query: "calls_per_second=0".
func (f *farEnd) trunk(limits string) string { return "far=sip://" + f.address + "?" + limits }

func (f *farEnd) take(_ context.Context, in leg.Incoming) leg.Answer {
	f.mu.Lock()
	defer f.mu.Unlock()
	a := &arrival{callID: in.CallID, to: in.To, came: time.Since(f.began)}
	f.calls = append(f.calls, a)
	return leg.Answer{Party: &listener{f, a}}
}

// listener is a party that only listens. It knows when its call ends.
type listener struct {
	f *farEnd
	a *arrival
}

func (*listener) Begin(int)            {}
func (*listener) Step(_, _ *leg.Frame) {}

// End implements leg.Party.
func (l *listener) End(time.Duration, bool) {
	l.f.mu.Lock()
	defer l.f.mu.Unlock()
	l.a.end = time.Since(l.f.began)
}

// seen are the calls so far to the number, "" for all.
func (f *farEnd) seen(to string) []arrival {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []arrival
	for _, a := range f.calls {
		if to == "" || a.to == to {
			out = append(out, *a)
		}
	}
	return out
}

// up is how many calls are up now.
func (f *farEnd) up() int {
	n := 0
	for _, a := range f.seen("") {
		if a.end == 0 {
			n++
		}
	}
	return n
}

// awaitUp waits until n calls are up.
func (f *farEnd) awaitUp(t *testing.T, n int) {
	t.Helper()
	eventually(t, 30*time.Second, fmt.Sprintf("%d calls are up", n), func() bool { return f.up() == n })
}

// most is how many calls to the number were up at a time.
func (f *farEnd) most(to string) int {
	type step struct {
		at time.Duration
		by int
	}
	var steps []step
	for _, a := range f.seen(to) {
		steps = append(steps, step{a.came, 1})
		if a.end > 0 {
			steps = append(steps, step{a.end, -1})
		}
	}
	slices.SortFunc(steps, func(a, b step) int { return int(a.at - b.at) })
	n, most := 0, 0
	for _, s := range steps {
		n += s.by
		most = max(most, n)
	}
	return most
}

// closest is the shortest time between two calls to the number.
func (f *farEnd) closest(to string) time.Duration {
	least := time.Hour
	calls := f.seen(to)
	for i := range calls[1:] {
		least = min(least, calls[i+1].came-calls[i].came)
	}
	return least
}

// eventually waits for something that other processes bring about.
func eventually(t *testing.T, patience time.Duration, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatalf("not within %s: %s", patience, what)
}
