package storetest

import (
	"context"
	"errors"
	"io"
	"sync"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/archive"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/store"
)

func anAttempt(callID string) call.Attempt {
	return call.Attempt{ID: store.NewID("att"), CallID: callID, Number: 1, Process: "p1", StartedAt: start}
}

// claim asks for one call; it fails the test unless the store answers.
func (b *bench) claim(t *testing.T, a call.Attempt, l experiment.Limits) (c experiment.Claim) {
	t.Helper()
	b.must(t, func(ctx context.Context, tx *store.Tx) (err error) {
		c, err = tx.Claim(ctx, a, l, b.now())
		return err
	})
	return c
}

// attempt claims for a call of its own.
func (b *bench) attempt(t *testing.T, l experiment.Limits) (call.Attempt, experiment.Claim) {
	t.Helper()
	c := aCall("ve_1")
	b.insert(t, c)
	a := anAttempt(c.ID)
	return a, b.claim(t, a, l)
}

func (b *bench) end(t *testing.T, a call.Attempt) (ours bool) {
	t.Helper()
	b.must(t, func(ctx context.Context, tx *store.Tx) (err error) {
		ours, err = tx.EndAttempt(ctx, a)
		return err
	})
	return ours
}

func (b *bench) beat(t *testing.T, a call.Attempt) (alive bool) {
	t.Helper()
	b.must(t, func(ctx context.Context, tx *store.Tx) (err error) {
		alive, err = tx.BeatAttempt(ctx, a.ID, b.now())
		return err
	})
	return alive
}

func attempts(t *testing.T, b *bench) {
	a, claim := b.attempt(t, experiment.Limits{Trunk: "carrier"})
	if !claim.OK || !b.beat(t, a) {
		t.Fatalf("claim %+v", claim)
	}
	twin := anAttempt(a.CallID)
	b.refused(t, problem.Conflict, func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.Claim(ctx, twin, experiment.Limits{}, start)
		return err
	})
	a.RingingAt, a.AnsweredAt, a.EndedAt = start.Add(time.Second), start.Add(2*time.Second), start.Add(time.Minute)
	a.EndReason, a.Rate, a.Codec, a.LineRef = call.EndOf(call.EndAgentHungUp, "BYE"), 8000, "PCMU", "abc@host"
	a.Stats = call.LineStats{Sent: 7, Jitter: 3 * time.Millisecond, RemoteLost: -1}
	a.Timeline = []call.Event{{At: -time.Second, Kind: call.KindRinging}, {At: 5, End: 9, Kind: call.KindSaid, Text: "Grüß Gott", Data: map[string]any{"n": 1.0}}}
	late := a
	late.EndReason = call.EndOf(call.EndInterrupted, "")
	if !b.end(t, a) || b.end(t, late) || b.beat(t, a) {
		t.Error("an attempt ends once, and has no beat afterwards")
	}
	last := get(t, b, func(ctx context.Context, tx *store.Tx) (call.Attempt, error) {
		found, ok, err := tx.LastAttempt(ctx, a.CallID)
		if !ok {
			return found, errors.Join(err, errors.New("no attempt"))
		}
		return found, err
	})
	same(t, "last attempt, with its timeline", last, a)
	a.Timeline = nil
	of := get(t, b, func(ctx context.Context, tx *store.Tx) ([]call.Attempt, error) { return tx.AttemptsOf(ctx, a.CallID) })
	same(t, "attempts, without", of, []call.Attempt{a})
	c := get(t, b, func(ctx context.Context, tx *store.Tx) (call.Call, error) { return tx.CallByID(ctx, ours, a.CallID) })
	same(t, "attempts of the call", c.Attempts, []call.Attempt{a})
}

func openAttempts(t *testing.T, b *bench) {
	silent, _ := b.attempt(t, experiment.Limits{})
	beating, _ := b.attempt(t, experiment.Limits{})
	ended, _ := b.attempt(t, experiment.Limits{})
	ended.EndedAt = b.now()
	b.end(t, ended)
	look := func() map[string]int64 {
		found := get(t, b, func(ctx context.Context, tx *store.Tx) ([]experiment.Pulse, error) { return tx.OpenAttempts(ctx) })
		beats := map[string]int64{}
		for _, p := range found {
			if p.CallID == "" || p.Number != 1 {
				t.Errorf("an attempt is not whole: %+v", p)
			}
			if !p.At.Equal(time.UnixMicro(p.Beat)) {
				t.Errorf("a beat of %s, told as %s", time.UnixMicro(p.Beat), p.At)
			}
			beats[p.ID] = p.Beat
		}
		return beats
	}
	last := look()
	if _, there := last[ended.ID]; there || len(last) != 2 {
		t.Errorf("open: %v", last)
	}
	// The beat moves on whatever the clock does: forward, not at all, back.
	for _, d := range []time.Duration{time.Second, 0, 0, -time.Hour, 0} {
		b.pass(d)
		b.beat(t, beating)
		now := look()
		if now[beating.ID] == last[beating.ID] || now[silent.ID] != last[silent.ID] {
			t.Errorf("after %s: %v, before %v", d, now, last)
		}
		last = now
	}
}

// gateFromTheFuture sets the clock back: that must not hold calls up for longer
// than they would have had to wait anyway.
func gateFromTheFuture(t *testing.T, b *bench) {
	l := experiment.Limits{Trunk: "t", TrunkCallsPerSecond: 2}
	if _, c := b.attempt(t, l); !c.OK {
		t.Fatalf("first: %+v", c)
	}
	b.pass(-24 * time.Hour)
	if _, c := b.attempt(t, l); c.OK || c.Wait != 500*time.Millisecond {
		t.Errorf("at once: %+v", c)
	}
	b.pass(500 * time.Millisecond)
	if _, c := b.attempt(t, l); !c.OK {
		t.Errorf("after the wait: %+v", c)
	}
}

// databaseTime leaves the time to the database; an engine of one process has only that of the process.
func databaseTime(t *testing.T, b *bench) {
	l := experiment.Limits{Trunk: "t", TrunkCallsPerSecond: 0.1}
	ask := func() experiment.Claim {
		c := aCall("ve_1")
		b.insert(t, c)
		var got experiment.Claim
		b.must(t, func(ctx context.Context, tx *store.Tx) (err error) {
			got, err = tx.Claim(ctx, anAttempt(c.ID), l, time.Time{})
			return err
		})
		return got
	}
	began := time.Now()
	c := ask()
	if !c.OK || c.Since < 0 || c.Since > time.Since(began) {
		t.Fatalf("first: %+v", c)
	}
	// What follows the reading of a database's own clock takes its time.
	if others := !c.At.Equal(b.now()); others != (c.Since > 0) {
		t.Errorf("at %s by the database, %s by this process, read %s ago", c.At, b.now(), c.Since)
	}
	b.pass(-time.Hour) // of this process alone
	if c := ask(); c.OK || c.Wait <= 0 || c.Wait > 10*time.Second {
		t.Errorf("second: %+v", c)
	}
}

// discardedRecordings are those of interrupted attempts that their calls do not keep.
func discardedRecordings(t *testing.T, b *bench) {
	ended := func(code call.EndCode, kept bool) call.Attempt {
		a, _ := b.attempt(t, experiment.Limits{})
		a.EndedAt, a.EndReason = b.now(), call.EndOf(code, "")
		b.end(t, a)
		b.must(t, func(ctx context.Context, tx *store.Tx) error {
			c, err := tx.CallByID(ctx, "", a.CallID)
			if err == nil && kept {
				c.Recording = &call.Recording{Key: ours + "/" + c.ID + "/" + a.ID + ".wav"}
				err = tx.UpdateCall(ctx, c)
			}
			return err
		})
		return a
	}
	old := ended(call.EndInterrupted, false)
	b.pass(time.Hour)
	since := b.now()
	ended(call.EndInterrupted, true)
	ended(call.EndCompleted, false)
	b.attempt(t, experiment.Limits{}) // still on the line
	late := ended(call.EndInterrupted, false)
	list := func(since time.Time, after string) (ids []string) {
		for _, d := range get(t, b, func(ctx context.Context, tx *store.Tx) ([]archive.Discarded, error) {
			return tx.Discarded(ctx, since, after, 10)
		}) {
			ids = append(ids, d.WorkspaceID+" "+d.AttemptID)
		}
		return ids
	}
	same(t, "all", list(time.Time{}, ""), []string{ours + " " + old.ID, ours + " " + late.ID})
	same(t, "those since", list(since, ""), []string{ours + " " + late.ID})
	same(t, "those behind", list(time.Time{}, old.ID), []string{ours + " " + late.ID})
}

// buriedLate: a process has died long ago, and its attempt is ended after others have swept.
func buriedLate(t *testing.T, b *bench) {
	a, _ := b.attempt(t, experiment.Limits{})
	var gone removed
	sweeper := archive.New(archive.Options{
		Store: store.As[archive.Tx](b.Store), Recordings: &gone, Now: func() time.Time { return start.Add(10 * time.Hour) },
	})
	sweep := func() {
		t.Helper()
		if err := sweeper.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	sweep()
	a.EndedAt, a.EndReason = start.Add(30*time.Second), call.EndOf(call.EndInterrupted, "")
	b.end(t, a)
	sweep()
	if want := ours + "/" + a.CallID + "/" + a.ID + ".wav"; len(gone) != 1 || gone[0] != want {
		t.Errorf("removed %v, want %s", gone, want)
	}
}

// removed are the keys of recordings that were removed.
type removed []string

func (*removed) OpenRange(context.Context, string, int64, int64) (io.ReadCloser, error) {
	return nil, errors.New("nobody reads here")
}

func (r *removed) Delete(_ context.Context, key string) error {
	*r = append(*r, key)
	return nil
}

func rate(t *testing.T, b *bench) {
	for _, l := range []struct {
		name   string
		limits experiment.Limits
	}{
		{"trunk_rate", experiment.Limits{Trunk: "t", TrunkCallsPerSecond: 2}},
		{"agent_rate", experiment.Limits{AgentID: "a", AgentCallsPerSecond: 2}},
	} {
		if _, c := b.attempt(t, l.limits); !c.OK {
			t.Errorf("%s: the first call is held back: %+v", l.name, c)
		}
		b.pass(100 * time.Millisecond)
		_, held := b.attempt(t, l.limits)
		same(t, l.name, held, experiment.Claim{Limit: l.name, Wait: 400 * time.Millisecond})
		b.pass(held.Wait)
		if _, c := b.attempt(t, l.limits); !c.OK {
			t.Errorf("%s: held back after the wait: %+v", l.name, c)
		}
		if _, c := b.attempt(t, experiment.Limits{Trunk: "u", TrunkCallsPerSecond: 2}); l.name == "trunk_rate" && !c.OK {
			t.Errorf("another trunk is held back: %+v", c)
		}
	}
}

func refusedClaimCostsNothing(t *testing.T, b *bench) {
	free := experiment.Limits{Trunk: "t", TrunkCallsPerSecond: 1, AgentID: "free"}
	busy := experiment.Limits{Trunk: "t", TrunkCallsPerSecond: 1, AgentID: "busy", AgentConcurrentCalls: 1}
	if _, c := b.attempt(t, busy); !c.OK {
		t.Fatalf("first: %+v", c)
	}
	b.pass(time.Second)
	if _, c := b.attempt(t, busy); c.Limit != "agent_concurrency" || c.Wait <= 0 {
		t.Fatalf("second: %+v", c)
	}
	if _, c := b.attempt(t, free); !c.OK {
		t.Errorf("the trunk's turn went to a call that was not placed: %+v", c)
	}
}

func concurrency(t *testing.T, b *bench) {
	l := experiment.Limits{Trunk: "t", TrunkConcurrentCalls: 2}
	first, _ := b.attempt(t, l)
	second, c := b.attempt(t, l)
	if !c.OK {
		t.Fatalf("second: %+v", c)
	}
	if _, c := b.attempt(t, l); c.OK || c.Limit != "trunk_concurrency" || c.Wait <= 0 {
		t.Errorf("third: %+v", c)
	}
	first.EndedAt = b.now()
	b.end(t, first)
	if _, c := b.attempt(t, l); !c.OK {
		t.Errorf("after one has ended: %+v", c)
	}
	// Nobody knows whether the call of a silent attempt is still on the line; and a clock may be wrong.
	b.pass(time.Hour)
	if _, c := b.attempt(t, l); c.OK {
		t.Errorf("the place of a silent attempt (%s) is free before it has been ended", second.ID)
	}
}

// race claims from two handles in many goroutines and returns how many were let through.
func (b *bench) race(t *testing.T, l experiment.Limits) int {
	t.Helper()
	handles := []*store.Store{b.Store, b.open(b.now)}
	const tries = 24
	calls := make([]call.Call, tries)
	for i := range calls {
		calls[i] = aCall("ve_1")
	}
	b.insert(t, calls...)
	var through sync.Map
	var all sync.WaitGroup
	for i := range calls {
		all.Go(func() {
			err := handles[i%2].Write(t.Context(), func(tx *store.Tx) error {
				c, err := tx.Claim(t.Context(), anAttempt(calls[i].ID), l, b.now())
				through.Store(i, c.OK)
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	n := 0
	through.Range(func(_, ok any) bool {
		if ok == true {
			n++
		}
		return true
	})
	return n
}

func concurrencyOverHandles(t *testing.T, b *bench) {
	if n := b.race(t, experiment.Limits{Trunk: "t", TrunkConcurrentCalls: 5, AgentID: "a", AgentConcurrentCalls: 7}); n != 5 {
		t.Errorf("%d calls at a time, allowed are 5", n)
	}
}

func rateOverHandles(t *testing.T, b *bench) {
	l := experiment.Limits{AgentID: "a", AgentCallsPerSecond: 10}
	if n := b.race(t, l); n != 1 {
		t.Errorf("%d calls at the same instant, allowed is 1", n)
	}
	b.pass(100 * time.Millisecond)
	if n := b.race(t, l); n != 1 {
		t.Errorf("%d calls at the next instant, allowed is 1", n)
	}
}

// missedTurn asks for a new turn for a call that was not dialled in its own.
func missedTurn(t *testing.T, b *bench) {
	l := experiment.Limits{Trunk: "t", TrunkCallsPerSecond: 4, AgentID: "a", AgentCallsPerSecond: 2}
	other := experiment.Limits{Trunk: "t", TrunkCallsPerSecond: 4}
	again := func(had time.Time) (c experiment.Claim) {
		b.must(t, func(ctx context.Context, tx *store.Tx) (err error) {
			c, err = tx.ClaimAgain(ctx, l, had, b.now())
			return err
		})
		return c
	}
	_, first := b.attempt(t, l)
	b.pass(100 * time.Millisecond)
	second := again(first.At)
	same(t, "at once", second, experiment.Claim{OK: true, At: first.At.Add(100 * time.Millisecond)})
	b.pass(249 * time.Millisecond)
	if _, c := b.attempt(t, other); c.OK || c.Wait != time.Millisecond {
		t.Errorf("the next call counts from the new turn: %+v", c)
	}
	b.pass(time.Millisecond)
	_, third := b.attempt(t, other)
	b.pass(50 * time.Millisecond)
	same(t, "another was let through", again(second.At), experiment.Claim{Limit: "trunk_rate", Wait: 200 * time.Millisecond})
	b.pass(200 * time.Millisecond)
	if c := again(second.At); !third.OK || !c.OK {
		t.Errorf("after the wait: %+v, the other was %+v", c, third)
	}
	if _, c := b.attempt(t, experiment.Limits{AgentID: "a", AgentCallsPerSecond: 2}); c.OK || c.Wait != 500*time.Millisecond {
		t.Errorf("the agent's next call: %+v", c)
	}
	unlimited := experiment.Limits{Trunk: "u", AgentID: "b"}
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		c, err := tx.ClaimAgain(ctx, unlimited, time.Time{}, b.now())
		if !c.OK {
			t.Errorf("without limits: %+v", c)
		}
		return err
	})
}
