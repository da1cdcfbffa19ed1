package stories

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/app"
	"github.com/ringtrue/ringtrue/internal/line/linetest"
	"github.com/ringtrue/ringtrue/internal/line/sip"
	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
)

// wallClock is a clock that somebody sets.
type wallClock struct{ offset atomic.Int64 }

// now has no monotonic reading, so that nothing can go by it in secret.
func (c *wallClock) now() time.Time {
	return time.Now().Round(0).Add(time.Duration(c.offset.Load()))
}

func (c *wallClock) set(d time.Duration) { c.offset.Store(int64(d)) }

// inProcess starts a service in this process, by the given clock.
func (o *outage) inProcess(t *testing.T, c *wallClock, data, database string) *app.App {
	t.Helper()
	trunk, err := sip.ParseTrunk(o.trunk)
	must(t, err)
	a, err := app.New(t.Context(), app.Options{
		Data: data, Database: database, Listen: "127.0.0.1:0", Trunks: []sip.Trunk{trunk}, RecordWait: time.Second,
		Beat: 300 * time.Millisecond, SilentAfter: 3 * time.Second,
		Log: slog.New(slog.DiscardHandler), Now: c.now,
	})
	must(t, err)
	must(t, a.Start(t.Context()))
	if o.key == "" {
		o.key = a.FirstKey()
	}
	o.api = client.New(a.URL(), o.key)
	return a
}

func stopApp(t *testing.T, a *app.App) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := a.Stop(ctx); err != nil {
		t.Error(err)
	}
}

// TestTheClockIsSet sets the clock an hour back, a day back, an hour and two
// days forward, while calls are on the line and others wait, with requests
// before and after; at last the service is started again in the past. All of it
// on both databases; on PostgreSQL, whose own clock stays where it is, that also
// shows that the two need not agree.
func TestTheClockIsSet(t *testing.T) {
	t.Parallel()
	for name, database := range map[string]func(*testing.T) string{
		"sqlite":   func(*testing.T) string { return "" },
		"postgres": func(t *testing.T) string { return pgtest.Database(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := &outage{far: newFarEnd(t), machine: linetest.Watch(t), experiments: map[string]int{}}
			o.trunk = o.far.trunk("calls_per_second=4&concurrent_calls=4")
			c, data, address := &wallClock{}, t.TempDir(), database(t)
			a := o.inProcess(t, c, data, address)
			o.run(t, otherNumber, 10, 2500, nil)
			o.far.awaitUp(t, 2)
			for i, offset := range []time.Duration{-time.Hour, -24 * time.Hour, time.Hour, 48 * time.Hour, 0} {
				c.set(offset)
				eventually(t, patience, "the next call comes", func() bool { return len(o.far.seen("")) >= min(10, 5+i) })
				if _, err := o.api.Experiments(t.Context(), client.ExperimentFilter{}, client.PageOptions{}); err != nil {
					t.Errorf("with the clock set by %s: %v", offset, err)
				}
			}
			o.steady(t)
			c.set(-24 * time.Hour)
			clear(o.experiments)
			o.run(t, otherNumber, 3, 1000, nil)
			o.steady(t)
			c.set(0)
			clear(o.experiments)
			o.run(t, otherNumber, 4, 2000, nil)
			o.far.awaitUp(t, 2)
			stopApp(t, a)
			c.set(-2 * time.Hour)
			a = o.inProcess(t, c, data, address)
			defer stopApp(t, a)
			o.steady(t)
			o.held(t, "", 4, 4)
		})
	}
}

// steady waits for the end of the experiments, and checks that no clock made a
// call longer or shorter, or had it placed twice.
func (o *outage) steady(t *testing.T) {
	t.Helper()
	calls := o.ended(t)
	if n := o.whole(t, calls); n != 0 {
		t.Errorf("%d calls were placed twice", n)
	}
	for _, c := range calls {
		if c.DurationMS == nil || *c.DurationMS < 900 || *c.DurationMS > 4000 {
			t.Errorf("call %s lasted %v ms", c.ID, c.DurationMS)
		}
		if c.StartedAt == nil || c.EndedAt == nil || *c.EndedAt-*c.StartedAt < 900 || *c.EndedAt-*c.StartedAt > 10_000 {
			t.Errorf("call %s began at %v and ended at %v", c.ID, c.StartedAt, c.EndedAt)
		}
	}
}
