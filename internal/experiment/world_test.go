package experiment

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// fakeParty is a caller that ends as it is told.
type fakeParty struct {
	ending   call.EndReason
	timeline []call.Event
	closed   bool
}

func (*fakeParty) Begin(int) {}

func (*fakeParty) Step(_, _ *leg.Frame) {}

func (*fakeParty) End(time.Duration, bool) {}

func (p *fakeParty) Timeline() []call.Event { return p.timeline }

func (p *fakeParty) Ending() call.EndReason { return p.ending }

func (p *fakeParty) Close() { p.closed = true }

// lineFunc is a Line made of a function.
type lineFunc func(ctx context.Context, d leg.Dial, t *leg.Tape) call.Attempt

func (f lineFunc) Place(ctx context.Context, d leg.Dial, _ leg.Party, t *leg.Tape) call.Attempt {
	return f(ctx, d, t)
}

type fakeRecordings struct {
	err error
	// refuse is asked whether anything can be kept; nil refuses nothing.
	refuse  func() error
	deleted *[]string
}

func (r fakeRecordings) Delete(_ context.Context, key string) error {
	*r.deleted = append(*r.deleted, key)
	return nil
}

func (r fakeRecordings) Keep(_ context.Context, key string, t *leg.Tape) (call.Recording, error) {
	return call.Recording{Key: key, Rate: t.Rate(), Samples: t.Samples()}, r.err
}

func (r fakeRecordings) Ready() error {
	if r.refuse == nil {
		return nil
	}
	return r.refuse()
}

// world is a service over fakes, with a clock that stands still unless moved.
type world struct {
	*Service
	store *fakeStore
	now   time.Time
	party *fakeParty
	// deleted are the keys of recordings that were removed.
	deleted []string
}

func newWorld() *world {
	w := &world{store: newFakeStore(), now: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC), party: &fakeParty{ending: call.EndOf(call.EndCompleted, "")}}
	w.store.rows.agents["agt_1"] = scenario.Agent{ID: "agt_1", WorkspaceID: "ws_1"}
	w.store.rows.datasets["ds_1"] = scenario.Dataset{ID: "ds_1", WorkspaceID: "ws_1", Version: 1}
	w.store.rows.items["ds_1"] = []scenario.Item{{ID: "di_1"}, {ID: "di_2"}, {ID: "di_3"}}
	ids := 0
	w.Service = New(Options{
		Store: w.store, Line: lineFunc(w.answered), Recordings: fakeRecordings{deleted: &w.deleted},
		Prepare:   func(context.Context, scenario.Item) error { return nil },
		Hold:      time.Nanosecond,
		Cast:      func(context.Context, Casting) (Party, error) { return w.party, nil },
		Trunk:     func(string) (Trunk, error) { return Trunk{Name: "main", From: "+15550100"}, nil },
		Preflight: func(context.Context, string, string, []scenario.Item) error { return nil },
		NewID: func(prefix string) string {
			ids++
			return fmt.Sprintf("%s_%04d", prefix, ids)
		},
		Now: func() time.Time { return w.now }, Random: func() uint64 { return 7 },
		Process: "p1", Log: slog.New(slog.DiscardHandler),
		// Heartbeats and pauses never come due unless a test says so.
		Wait: func(ctx context.Context, _ time.Duration) error { <-ctx.Done(); return ctx.Err() },
	})
	return w
}

// silence lets more than SilentAfter pass, in which s looks at the attempts as
// often as it should and none of them beats.
func (w *world) silence(t *testing.T, s *Service) {
	t.Helper()
	for range 8 {
		if err := s.Reap(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.now = w.now.Add(s.SilentAfter / 6)
	}
}

// answered is a line on which every call is answered and ended by the caller.
func (w *world) answered(_ context.Context, d leg.Dial, t *leg.Tape) call.Attempt {
	d.OnAnswered("")
	t.Begin(8000)
	t.Write(leg.CallerChannel, 0, make([]int16, 160))
	return call.Attempt{StartedAt: w.now, AnsweredAt: w.now, EndedAt: w.now.Add(20 * time.Second), Rate: 8000}
}
