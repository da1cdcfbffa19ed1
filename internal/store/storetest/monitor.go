package storetest

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/monitor"
	"github.com/ringtrue/ringtrue/internal/store"
)

// aFact is a fact of a production call that began the given time after start.
func aFact(after time.Duration) monitor.Fact {
	cost := int64(12345)
	return monitor.Fact{
		CallID: store.NewID("call"), WorkspaceID: ours, Origin: call.Production, AgentID: "agt_1", At: start.Add(after),
		Figures: monitor.Figures{
			Answered: true, Duration: 61 * time.Second, End: call.EndCompleted, Blame: call.BlameNobody, Verdict: call.Passed, Turns: 9,
			Stages: []string{"greeting", "billing"}, Felt: true, Valence: -0.25, Frustration: 0.5, Sentiment: call.Negative, UpsetTurn: 4, ReportedMood: call.Neutral,
			Latencies: []float64{0.8, -0.1, 1.25}, Reported: []float64{0.7}, Cost: &cost, Dims: map[string]string{"model": "m-1", "metadata.tier": "gold"},
		},
	}
}

func monitorFacts(t *testing.T, b *bench) {
	first, second, third := aFact(0), aFact(time.Minute), aFact(2*time.Minute)
	second.AgentID, second.Upset, second.Quote = "", true, "never again"
	third.Failure, third.Act, third.Figures = "group", "your number please", monitor.Figures{End: call.EndBusy}
	foreign := aFact(0)
	foreign.WorkspaceID, foreign.Upset = theirs, true
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		return tx.PutFacts(ctx, []monitor.Fact{third, first, second, foreign})
	})
	between := func(from, until time.Duration) []monitor.Fact {
		return get(t, b, func(ctx context.Context, tx *store.Tx) ([]monitor.Fact, error) {
			return tx.FactsBetween(ctx, ours, "production", start.Add(from), start.Add(until))
		})
	}
	same(t, "facts by time", between(0, time.Hour), []monitor.Fact{first, second, third})
	same(t, "until is left out", between(0, 2*time.Minute), []monitor.Fact{first, second})
	first.AgentID, first.Verdict, first.Cost = "agt_2", call.NotPassed, nil
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.PutFact(ctx, first) })
	same(t, "put again", between(0, time.Minute), []monitor.Fact{first})
	found := func(q monitor.UpsetQuery) []monitor.Fact {
		q.Origin, q.From, q.Until, q.Limit = "production", start, start.Add(time.Hour), 10
		return get(t, b, func(ctx context.Context, tx *store.Tx) ([]monitor.Fact, error) { return tx.UpsetFacts(ctx, ours, q) })
	}
	same(t, "upset", found(monitor.UpsetQuery{}), []monitor.Fact{second})
	same(t, "upset, no agent", found(monitor.UpsetQuery{Agent: bucket.NoAgent}), []monitor.Fact{second})
	same(t, "upset of an agent", found(monitor.UpsetQuery{Agent: "agt_1"}), []monitor.Fact(nil))
	gold := monitor.UpsetQuery{Dim: "metadata.tier", Value: "gold"}
	same(t, "upset with a value", found(gold), []monitor.Fact{second})
	same(t, "upset with a value nobody has", found(monitor.UpsetQuery{Dim: "metadata.tier", Value: "free"}), []monitor.Fact(nil))
	third.Upset, third.Dims = true, second.Dims
	second.Dims = map[string]string{"metadata.tier": "gold", "metadata.region": "north"}
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.PutFact(ctx, third); err != nil {
			return err
		}
		return tx.PutFact(ctx, second)
	})
	same(t, "upset with a value, the latest first", found(gold), []monitor.Fact{third, second})
	same(t, "upset with a value that came later", found(monitor.UpsetQuery{Dim: "metadata.region", Value: "north"}), []monitor.Fact{second})
	same(t, "upset with a value that went", found(monitor.UpsetQuery{Dim: "model", Value: "m-1"}), []monitor.Fact{third})
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		return errors.Join(tx.PutTexts(ctx, ours, []monitor.Value{{Kind: monitor.KindDim + "metadata.tier", ID: 1, Text: "gold"}, {Kind: monitor.KindDim + "model", ID: 1, Text: "north"}}),
			tx.PutTexts(ctx, theirs, []monitor.Value{{Kind: monitor.KindDim + "metadata.region", ID: 1, Text: "north"}}))
	})
	same(t, "upset with a value that has a number", found(monitor.UpsetQuery{Dim: "metadata.tier", Value: monitor.Other}), []monitor.Fact(nil))
	same(t, "upset with one of the other values", found(monitor.UpsetQuery{Dim: "metadata.region", Value: monitor.Other}), []monitor.Fact{second})
	gold.Agent = bucket.NoAgent
	same(t, "upset with a value, no agent", found(gold), []monitor.Fact{second})
	gold.Agent, gold.Before, gold.BeforeCall = "", third.At, third.CallID
	same(t, "behind a place", found(gold), []monitor.Fact{second})
	same(t, "of all, behind a place", found(monitor.UpsetQuery{Before: third.At, BeforeCall: third.CallID}), []monitor.Fact{second})
	third.Upset = false
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.PutFact(ctx, third) })
	gold.Before = time.Time{}
	same(t, "no longer upset", found(gold), []monitor.Fact{second})
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteFact(ctx, second.CallID) })
	if _, ok := got2(t, b, func(ctx context.Context, tx *store.Tx) (monitor.Fact, bool, error) {
		return tx.FactByCall(ctx, second.CallID)
	}); ok {
		t.Error("a deleted fact is there")
	}
	same(t, "upset and deleted", found(gold), []monitor.Fact(nil))
	at, ok := got2(t, b, func(ctx context.Context, tx *store.Tx) (time.Time, bool, error) {
		return tx.NextFact(ctx, ours, "production", start.Add(time.Second))
	})
	if !ok || !at.Equal(third.At) {
		t.Errorf("the next fact is at %s, %v", at, ok)
	}
}

func monitorWaiting(t *testing.T, b *bench) {
	hour := start.Truncate(time.Hour)
	var calls []call.Call
	for i, change := range []func(*call.Call){
		func(*call.Call) {}, func(c *call.Call) { c.ScoringStatus = call.ScoringNow }, func(c *call.Call) { c.AgentID = "" },
		func(c *call.Call) { c.StartedAt = hour.Add(90 * time.Minute) }, func(c *call.Call) { c.StartedAt = hour.Add(3 * time.Hour) },
		func(c *call.Call) { c.ScoringStatus = call.Scored }, func(c *call.Call) { c.Origin = call.Simulated },
		func(c *call.Call) { c.WorkspaceID = theirs }, func(c *call.Call) { c.ScoringStatus = call.ScoringFailed },
		func(c *call.Call) { c.Status, c.StartedAt = call.Failed, hour.Add(4*time.Hour) }, // nobody answered, which is reviewed too
		func(c *call.Call) { c.Status, c.StartedAt = call.InProgress, hour.Add(5*time.Hour) },
	} {
		c := aCall("")
		c.Origin, c.Status, c.AgentID, c.StartedAt = call.Production, call.Ended, "agt_1", hour.Add(time.Duration(i)*time.Minute)
		change(&c)
		calls = append(calls, c)
	}
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertCalls(ctx, calls, nil) })
	waiting := func(agent string) map[time.Time]int {
		return get(t, b, func(ctx context.Context, tx *store.Tx) (map[time.Time]int, error) {
			return tx.WaitingBetween(ctx, ours, "production", agent, hour, hour.Add(3*time.Hour))
		})
	}
	same(t, "waiting", waiting(""), map[time.Time]int{hour: 3, hour.Add(time.Hour): 1})
	same(t, "waiting, of an agent", waiting("agt_1"), map[time.Time]int{hour: 2, hour.Add(time.Hour): 1})
	same(t, "waiting, of none", waiting(bucket.NoAgent), map[time.Time]int{hour: 1})
	first := func(agent string, limit int) []time.Time {
		return get(t, b, func(ctx context.Context, tx *store.Tx) ([]time.Time, error) {
			return tx.Waiting(ctx, ours, "production", agent, limit)
		})
	}
	at := func(minutes ...int) []time.Time {
		out := make([]time.Time, len(minutes))
		for i, m := range minutes {
			out[i] = hour.Add(time.Duration(m) * time.Minute)
		}
		return out
	}
	same(t, "the first that wait", first("", 10), at(0, 1, 2, 90, 180, 240))
	same(t, "the first two", first("", 2), at(0, 1))
	same(t, "the first of an agent", first("agt_1", 3), at(0, 1, 90))
	same(t, "the first of none", first(bucket.NoAgent, 3), at(2))
}

func monitorCallers(t *testing.T, b *bench) {
	first, second, third := aCall(""), aCall(""), aCall("")
	first.From, second.From, third.From = "+15550100123", "", "anonymous"
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertCalls(ctx, []call.Call{first, second, third}, nil)
	})
	callers := get(t, b, func(ctx context.Context, tx *store.Tx) (map[string]string, error) {
		return tx.CallersOf(ctx, []string{first.ID, second.ID, "call_of_nobody"})
	})
	same(t, "callers", callers, map[string]string{first.ID: "+15550100123"})
}

// got2 is get for what may not be there.
func got2[T any](t *testing.T, b *bench, f func(ctx context.Context, tx *store.Tx) (T, bool, error)) (v T, ok bool) {
	t.Helper()
	if err := b.Read(t.Context(), func(tx *store.Tx) (err error) {
		v, ok, err = f(t.Context(), tx)
		return err
	}); err != nil {
		t.Fatalf("read: %v", err)
	}
	return v, ok
}

func monitorMarks(t *testing.T, b *bench) {
	mark := monitor.Mark{WorkspaceID: ours, Origin: "production", Hour: start.Truncate(time.Hour)}
	many := slices.Repeat([]monitor.Mark{mark}, 300)
	other := mark
	other.WorkspaceID = theirs
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.PutMarks(ctx, append(many, other)) })
	marksOf := func(workspaceID string, limit int) []monitor.Mark {
		return get(t, b, func(ctx context.Context, tx *store.Tx) ([]monitor.Mark, error) {
			return tx.Marks(ctx, workspaceID, limit)
		})
	}
	if n := len(marksOf("", 1000)); n != 301 {
		t.Errorf("%d marks", n)
	}
	mine := marksOf(ours, 1000)
	if len(mine) != 300 || len(marksOf(ours, 7)) != 7 {
		t.Errorf("%d marks of ours", len(mine))
	}
	ids := make([]string, 299)
	for i := range ids {
		ids[i] = mine[i].ID
	}
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.HoldMonitor(ctx); err != nil {
			return err
		}
		return tx.DeleteMarks(ctx, ids)
	})
	left := marksOf(ours, 1000)
	if len(left) != 1 || left[0] != mine[299] {
		t.Errorf("left: %+v", left)
	}
}
