package storetest

import (
	"context"
	"fmt"
	"slices"
	"strings"
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
			Stages: []string{"greeting", "billing"}, Felt: true, Valence: -0.25, Frustration: 0.5, Sentiment: call.Negative, UpsetTurn: 4,
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

func monitorRolls(t *testing.T, b *bench) {
	whole := bucket.Series{}
	agent := bucket.Series{Dim: monitor.DimAgent, Value: "agt_1"}
	model := bucket.Series{Agent: "agt_1", Dim: monitor.DimModel, Value: "m-1"}
	var rolls []bucket.Roll
	for day := range 3 {
		for i, s := range []bucket.Series{whole, agent, model} {
			rolls = append(rolls, bucket.Roll{
				WorkspaceID: ours, Origin: "production", Series: s, Day: 20000 + day,
				Light: []byte{1, byte(day)}, Hours: []byte{3, byte(i)}, Failed: []byte{4},
			})
		}
	}
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		for _, r := range rolls {
			if err := tx.PutRoll(ctx, r); err != nil {
				return err
			}
		}
		rolls[4].Hours = []byte("again")
		return tx.PutRoll(ctx, rolls[4])
	})
	got := get(t, b, func(ctx context.Context, tx *store.Tx) ([]bucket.Roll, error) {
		return tx.Rolls(ctx, ours, "production", agent, 20000, 20002, monitor.Full)
	})
	bare := func(r bucket.Roll) bucket.Roll {
		r.Failed = nil
		return r
	}
	same(t, "a series", got, []bucket.Roll{bare(rolls[1]), bare(rolls[4])})
	light := get(t, b, func(ctx context.Context, tx *store.Tx) ([]bucket.Roll, error) {
		return tx.RollsByValue(ctx, ours, "production", "agt_1", monitor.DimModel, 20002, 20003)
	})
	want := rolls[8]
	want.Hours, want.Failed = nil, nil
	same(t, "by value", light, []bucket.Roll{want})
	day := get(t, b, func(ctx context.Context, tx *store.Tx) ([]bucket.Roll, error) {
		return tx.RollsOfDay(ctx, ours, "production", 20001)
	})
	slices.SortFunc(day, func(x, y bucket.Roll) int { return strings.Compare(x.Dim, y.Dim) })
	same(t, "rows of a day", day, []bucket.Roll{rolls[3], rolls[4], rolls[5]})
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteRoll(ctx, rolls[0]) })
	if _, ok := got2(t, b, func(ctx context.Context, tx *store.Tx) (bucket.Roll, bool, error) {
		return tx.RollOf(ctx, ours, "production", whole, 20000)
	}); ok {
		t.Error("a deleted row is there")
	}
	if n := len(get(t, b, func(ctx context.Context, tx *store.Tx) ([]bucket.Roll, error) {
		return tx.Rolls(ctx, theirs, "production", whole, 0, 30000, monitor.Light)
	})); n != 0 {
		t.Errorf("another workspace sees %d rows", n)
	}
}

func monitorWeeks(t *testing.T, b *bench) {
	agent := bucket.Series{Dim: monitor.DimAgent, Value: "agt_1"}
	other := bucket.Series{Dim: monitor.DimAgent, Value: "agt_2"}
	var weeks []bucket.Week
	for week := range 3 {
		for i, s := range []bucket.Series{agent, other} {
			weeks = append(weeks, bucket.Week{
				WorkspaceID: ours, Origin: "production", Series: s, Week: 2900 + week, Whole: []byte{1, byte(week)}, Days: []byte{2, byte(i)}, Failed: []byte{3},
			})
		}
	}
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		for _, w := range weeks {
			if err := tx.PutWeek(ctx, w); err != nil {
				return err
			}
		}
		weeks[2].Whole, weeks[2].Days = []byte("again"), []byte("too")
		return tx.PutWeek(ctx, weeks[2])
	})
	of := func(week int) (bucket.Week, bool) {
		return got2(t, b, func(ctx context.Context, tx *store.Tx) (bucket.Week, bool, error) {
			return tx.WeekOf(ctx, ours, "production", agent, week)
		})
	}
	if w, ok := of(2901); ok {
		same(t, "a week", w, weeks[2])
	} else {
		t.Error("a week is not there")
	}
	short := func(w bucket.Week) bucket.Week {
		w.Days, w.Failed = nil, nil
		return w
	}
	full := func(w bucket.Week) bucket.Week {
		w.Failed = nil
		return w
	}
	failed := weeks[0]
	failed.Days = nil
	same(t, "a series, with examples", get(t, b, func(ctx context.Context, tx *store.Tx) ([]bucket.Week, error) {
		return tx.Weeks(ctx, ours, "production", agent, 2900, 2901, monitor.WithFailed)
	}), []bucket.Week{failed})
	same(t, "a series", get(t, b, func(ctx context.Context, tx *store.Tx) ([]bucket.Week, error) {
		return tx.Weeks(ctx, ours, "production", agent, 2900, 2902, monitor.WholeWeek)
	}), []bucket.Week{short(weeks[0]), short(weeks[2])})
	byValue := func(days bool) []bucket.Week {
		return get(t, b, func(ctx context.Context, tx *store.Tx) ([]bucket.Week, error) {
			return tx.WeeksByValue(ctx, ours, "production", "", monitor.DimAgent, 2901, 2903, days)
		})
	}
	same(t, "by value, with days", byValue(true), []bucket.Week{full(weeks[2]), full(weeks[4]), full(weeks[3]), full(weeks[5])})
	same(t, "by value", byValue(false), []bucket.Week{short(weeks[2]), short(weeks[4]), short(weeks[3]), short(weeks[5])})
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteWeek(ctx, weeks[2]) })
	if _, ok := of(2901); ok {
		t.Error("a deleted week is there")
	}
	if n := len(get(t, b, func(ctx context.Context, tx *store.Tx) ([]bucket.Week, error) {
		return tx.Weeks(ctx, theirs, "production", agent, 0, 9999, monitor.WholeWeek)
	})); n != 0 {
		t.Errorf("another workspace sees %d weeks", n)
	}
}

func monitorReports(t *testing.T, b *bench) {
	agent := bucket.Series{Dim: monitor.DimAgent, Value: "agt_1"}
	hour := start.Truncate(time.Hour)
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		for _, s := range []bucket.Series{{}, agent, {Agent: "agt_1", Dim: monitor.DimModel, Value: "m"}, {Dim: monitor.DimModel, Value: "m"}} {
			r := bucket.Roll{WorkspaceID: ours, Origin: "production", Series: s, Day: 20000, Light: []byte{1}, Hours: []byte{1}, Failed: []byte{}}
			if err := tx.PutRoll(ctx, r); err != nil {
				return err
			}
		}
		return nil
	})
	old := func(since int, until, before time.Time) []monitor.StoredReport {
		return get(t, b, func(ctx context.Context, tx *store.Tx) ([]monitor.StoredReport, error) {
			return tx.OldReports(ctx, "production", since, until, before, 10)
		})
	}
	due := old(20000, hour, hour)
	value := bucket.Series{Dim: monitor.DimModel, Value: "m"}
	if len(due) != 3 || due[0].Series != (bucket.Series{}) || due[1].Series != agent || due[2].Series != value || len(old(20001, hour, hour)) != 0 {
		t.Fatalf("due: %+v", due)
	}
	take := func(before, now time.Time) (ok bool) {
		b.must(t, func(ctx context.Context, tx *store.Tx) (err error) {
			ok, err = tx.TakeReport(ctx, due[1], before, now)
			return err
		})
		return ok
	}
	if !take(hour, hour.Add(time.Second)) || take(hour, hour.Add(2*time.Second)) || !take(hour.Add(time.Minute), hour.Add(time.Minute)) {
		t.Error("a report is taken twice, or never again")
	}
	if left := old(20000, hour, hour); len(left) != 2 {
		t.Errorf("a report that was taken is due: %+v", left)
	}
	done := due[1]
	done.Until, done.TakenAt, done.Found, done.Bands = hour, hour.Add(time.Minute), []byte(`{"verdict":"ok"}`), []byte{7}
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.PutReport(ctx, done) })
	got, ok := got2(t, b, func(ctx context.Context, tx *store.Tx) (monitor.StoredReport, bool, error) {
		return tx.ReportOf(ctx, ours, "production", agent)
	})
	if !ok {
		t.Fatal("a report is not there")
	}
	same(t, "report", got, done)
	if due := old(20000, hour, hour.Add(time.Hour)); len(due) != 2 {
		t.Errorf("a report that was made is due: %+v", due)
	}
	for _, at := range []time.Time{hour, hour.Add(-2 * time.Hour), hour.Add(-time.Hour)} {
		b.must(t, func(ctx context.Context, tx *store.Tx) error {
			return tx.RedoReports(ctx, ours, "production", at, []bucket.Series{{}, agent, {Dim: monitor.DimModel, Value: "agt_1"}})
		})
	}
	list := get(t, b, func(ctx context.Context, tx *store.Tx) ([]monitor.StoredReport, error) {
		return tx.Reports(ctx, ours, "production")
	})
	done.Redo, done.Bands = hour.Add(-2*time.Hour), nil
	same(t, "to be redone from the first hour that changed", list, []monitor.StoredReport{done})
	if due := old(20000, hour, hour.Add(time.Hour)); len(due) != 3 {
		t.Errorf("a report to be redone is not due: %+v", due)
	}
}

func monitorTexts(t *testing.T, b *bench) {
	said := aFact(0)
	said.Failure, said.Act = "f", "your name please"
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.PutFact(ctx, said); err != nil {
			return err
		}
		return tx.PutTexts(ctx, ours, []monitor.Value{{Kind: monitor.KindAct, ID: 1, Text: said.Act}, {Kind: monitor.KindFailure, ID: 1, Text: "f", Detail: "more"}})
	})
	forget := func() []monitor.Value {
		b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.ForgetText(ctx, ours, said.Act, "f") })
		return get(t, b, func(ctx context.Context, tx *store.Tx) ([]monitor.Value, error) {
			return tx.Texts(ctx, ours, monitor.KindAct, monitor.KindFailure)
		})
	}
	for _, v := range forget() {
		if v.Text != said.Act && v.Text != "f" {
			t.Errorf("a text that a fact holds became %q", v.Text)
		}
	}
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteFact(ctx, said.CallID) })
	for _, v := range forget() {
		if v.Text != monitor.Erased+"1" || v.Detail != "" {
			t.Errorf("a text that nobody holds is still %q", v.Text)
		}
	}
	if n := len(get(t, b, func(ctx context.Context, tx *store.Tx) ([]monitor.Value, error) { return tx.Texts(ctx, theirs) })); n != 0 {
		t.Errorf("another workspace sees %d texts", n)
	}
}

func monitorDimensions(t *testing.T, b *bench) {
	of := func(workspaceID string) monitor.Dimensions {
		return get(t, b, func(ctx context.Context, tx *store.Tx) (monitor.Dimensions, error) {
			return tx.Dimensions(ctx, workspaceID)
		})
	}
	old := func() int {
		return len(get(t, b, func(ctx context.Context, tx *store.Tx) ([]monitor.Dimensions, error) {
			return tx.OldDimensions(ctx, 10)
		}))
	}
	same(t, "none", of(ours), monitor.Dimensions{WorkspaceID: ours})
	d := monitor.Dimensions{WorkspaceID: ours, Keys: []string{"tier", "région"}, ChangedAt: start, Origin: "production", Zone: "Europe/Berlin"}
	for range 2 {
		b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.PutDimensions(ctx, d) })
		same(t, "dimensions", of(ours), d)
		d.From = start.Add(time.Hour)
	}
	if old() != 1 {
		t.Error("unfinished dimensions are not found")
	}
	d.Origin = ""
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.PutDimensions(ctx, d) })
	if old() != 0 {
		t.Error("finished dimensions are found")
	}
	var ids []string
	var made []call.Call
	for i := range 200 {
		c := aCall("")
		c.Metadata = map[string]any{"tier": fmt.Sprint(i % 3), "noise": "x"}
		ids, made = append(ids, c.ID), append(made, c)
	}
	b.insert(t, made...)
	metadata := get(t, b, func(ctx context.Context, tx *store.Tx) (map[string]map[string]string, error) {
		return tx.MetadataOf(ctx, ids, []string{"tier", "none"})
	})
	if len(metadata) != 200 || len(metadata[ids[4]]) != 1 || metadata[ids[4]]["tier"] != "1" {
		t.Errorf("%d calls with metadata, the fifth has %v", len(metadata), metadata[ids[4]])
	}
}
