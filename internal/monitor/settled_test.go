package monitor

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

func TestFiguresComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	cost := int64(-0)
	for _, f := range []Figures{
		{},
		{End: call.EndBusy, Because: "scorer x", Stages: []string{"a", "ü"}, Dims: map[string]string{"model": "m", "metadata.k": "v"}},
		{
			Answered: true, Duration: 95 * time.Second, End: call.EndCompleted, Blame: call.BlameNobody, Verdict: call.Passed, Turns: 12, Dropped: true,
			Felt: true, Valence: -0.999, Frustration: 0.001, Sentiment: call.Negative, UpsetTurn: 3,
			Latencies: []float64{-0.25, 0, 3.5}, Reported: []float64{0.001}, Cost: &cost,
		},
	} {
		var got Figures
		packed := f.Pack()
		if err := got.Unpack(packed); err != nil || !reflect.DeepEqual(got, f) {
			t.Errorf("%+v came back as %+v, %v", f, got, err)
		}
		for n := range packed {
			_ = got.Unpack(packed[:n]) // must not panic
		}
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add([]byte{1, 0, 0})
	f.Add((&Figures{Turns: 3, Stages: []string{"a"}}).Pack())
	var b Bucket
	b.add(&Fact{CallID: "c", Failure: "f", Figures: Figures{Answered: true, Turns: 3, Stages: []string{"a"}, Latencies: []float64{1}}}, newNumbers(nil))
	f.Add(b.pack())
	row, week := Roll{Day: 20000}, Week{Week: weekOf(20000)}
	_, _ = row.replace(map[int]*Bucket{3: &b})
	_, _ = week.replace(&row)
	f.Add(week.Whole)
	f.Add(packLatest(b.Failed))
	f.Fuzz(func(_ *testing.T, data []byte) {
		var figures Figures
		_ = figures.Unpack(data)
		_ = gather(everything).shape(data)
		_ = gather(everything).failed(data)
		var s slot
		_ = s.unpack(data)
		_, _ = split(data)
		if whole, err := openWhole(data); err == nil {
			_, _ = whole.day(0)
		}
		_, _ = (&Week{Days: data}).days()
		_, _ = unpackBand(data, func(string) bool { return true })
	})
}

// TestBucketsMergeInAnyOrder also shows that equal buckets have equal bytes.
func TestBucketsMergeInAnyOrder(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	ids := newNumbers(nil)
	var whole Bucket
	parts := make([]Bucket, 5)
	for i := range 300 {
		f := randomFact(r)
		f.CallID = fmt.Sprint("call_", i)
		whole.add(&f, ids)
		parts[r.IntN(len(parts))].add(&f, ids)
	}
	g := gather(everything)
	for _, i := range r.Perm(len(parts)) {
		g.Add(&parts[i].Counts)
		if err := errors.Join(g.shape(parts[i].pack()), g.failed(packLatest(parts[i].Failed))); err != nil {
			t.Fatal(err)
		}
	}
	merged := g.take()
	if merged.Counts != whole.Counts || string(merged.pack()) != string(whole.pack()) || !reflect.DeepEqual(merged.Failed, whole.Failed) {
		t.Error("parts put together are not the whole")
	}
	if again := g.take(); again.Counts != (Counts{}) || len(again.Failures) > 0 || again.Latency.Count() > 0 {
		t.Errorf("a gathering is not empty after it was taken: %+v", again)
	}
}

// TestAWeekIsThatOfItsHours also shows that the latest calls of a group are kept.
func TestAWeekIsThatOfItsHours(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	ids := newNumbers(nil)
	monday := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	week := Week{Week: weekOf(dayOf(monday))}
	hours, failed := gather(everything), []Fact{}
	var rows []Roll
	for day := range daysPerWeek {
		fresh := map[int]*Bucket{}
		begin := monday.Add(time.Duration(day) * dayLength)
		for i := range 50 {
			f := randomFact(r)
			f.CallID, f.At = fmt.Sprint("call_", day, "_", i), begin.Add(time.Duration(3*r.IntN(7))*time.Hour+time.Duration(r.IntN(30))*time.Minute)
			if fresh[f.At.Hour()] == nil {
				fresh[f.At.Hour()] = &Bucket{}
			}
			if fresh[f.At.Hour()].add(&f, ids); f.Failure != "" {
				failed = append(failed, f)
			}
		}
		row := Roll{Day: dayOf(begin)}
		if changed, err := row.replace(fresh); !changed || err != nil {
			t.Fatal(changed, err)
		}
		if changed, err := week.replace(&row); !changed || err != nil {
			t.Fatal(changed, err)
		}
		if changed, err := week.replace(&row); changed || err != nil {
			t.Fatal("the same day again changes the week", err)
		}
		if err := hours.hours(&row, begin, begin.Add(dayLength)); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	want := hours.take()
	for _, until := range []int{dayOf(monday) + 7, dayOf(monday) + 4} { // of a week that is cut the days are read
		g := gather(everything)
		if err := errors.Join(g.week(&week, dayOf(monday), until), g.week(&week, until, dayOf(monday)+7)); err != nil {
			t.Fatal(err)
		}
		if got := g.take(); got.Counts != want.Counts || string(got.pack()) != string(want.pack()) || !reflect.DeepEqual(got.Failed, want.Failed) || got.Counts[Calls] != 350 {
			t.Error("the week is not that of its hours")
		}
	}
	slices.SortFunc(failed, func(x, y Fact) int { return cmp.Or(y.At.Compare(x.At), strings.Compare(y.CallID, x.CallID)) })
	for i, e := range want.Failed[ids.of(KindFailure, "key")] {
		if e.CallID != failed[i].CallID {
			t.Errorf("example %d is %s, want %s", i, e.CallID, failed[i].CallID)
		}
	}
	for i := range rows {
		if week.empty() {
			t.Error("a week with calls is empty")
		}
		if changed, err := week.replace(&Roll{Day: rows[i].Day}); !changed || err != nil {
			t.Fatal(changed, err)
		}
	}
	if !week.empty() {
		t.Error("a week whose days were emptied is not empty")
	}
}

func TestWeeksBeginOnMondays(t *testing.T) {
	t.Parallel()
	for day := -1000; day < 30000; day++ {
		if at := dayOfWeek(day); at < 0 || at > 6 || dayStart(day).Weekday() != time.Weekday((at+1)%7) || weekOf(firstDay(weekOf(day))) != weekOf(day) {
			t.Fatalf("day %d is the %d. of week %d", day, at, weekOf(day))
		}
	}
}

func randomFact(r *rand.Rand) Fact {
	f := Fact{CallID: "c", AgentID: "a", Act: "say # please"}
	f.Answered, f.Duration, f.Turns = r.IntN(5) > 0, time.Duration(r.IntN(400_000))*time.Millisecond, r.IntN(70)
	f.End, f.Blame, f.Verdict = ends[r.IntN(len(ends))], blames[r.IntN(len(blames))], call.Passed
	f.Dropped = f.Answered && r.IntN(4) == 0
	if r.IntN(3) == 0 {
		f.Failure = "key"
	}
	for range r.IntN(4) {
		f.Stages = append(f.Stages, string(rune('a'+r.IntN(5))))
		f.Latencies = append(f.Latencies, float64(r.IntN(3000)-100)/1000)
	}
	f.Felt, f.Valence, f.Sentiment = r.IntN(2) == 0, float64(r.IntN(2001)-1000)/1000, call.Neutral
	return f
}

func TestFactOf(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC)
	no, cost := false, int64(1<<60)
	c := call.Call{
		ID: "call_1", WorkspaceID: "ws", Origin: call.Production, Status: call.Ended, Verdict: call.NotEvaluated, StartedAt: at, AnsweredAt: at,
		EndedAt: at.Add(90 * time.Second), EndReason: call.EndOf(call.EndCallerHungUp, "user_hangup"), Metadata: map[string]any{"tier": "gold", "x": 1},
	}
	review := call.Review{
		Heard: call.Heard{Turns: []call.Turn{
			{Speaker: call.Agent, Text: "Hello."}, {Speaker: call.Caller, Text: "This is useless"},
			{Speaker: call.Agent, Text: "I see. Your number is 0 1 7, is that right?"},
		}},
		Scores:  []call.Score{{Name: "polite", Verdict: call.NotPassed}, {Name: "books", Verdict: call.NotPassed, Required: true}},
		Feeling: &call.Feeling{Turns: []call.TurnFeeling{{Turn: 1}}, Valence: -0.5, Frustration: 2, Upset: true, UpsetTurn: 1, Sentiment: call.Negative},
		Metrics: []call.Metric{{Name: "turn_latency", Spread: &call.Spread{Values: []float64{0.5, 1.25}}}},
	}
	p50, p95 := 0.8, 2.0
	told := call.Reported{
		AgentVersion: "7", Successful: &no, Cost: &cost, Stages: []call.Stage{{Name: "a"}, {Name: "b"}, {Name: "a"}},
		Latency: map[string]call.ReportedLatency{"e2e": {N: 3, P50: &p50, P95: &p95}},
	}
	f, ok := FactOf(c, review, told, []string{"tier", "none"})
	if !ok || !f.Dropped || f.Because != "scorer books" || f.Failure == "" || f.Act == "" || f.Quote != "This is useless" || f.UpsetTurn != 1 {
		t.Errorf("%v %+v", ok, f)
	}
	want := Figures{
		Answered: true, Duration: 90 * time.Second, End: call.EndCallerHungUp, Blame: call.BlameCaller, Verdict: call.NotEvaluated, Turns: 3, Dropped: true,
		Because: "scorer books", Stages: []string{"b", "a"}, Felt: true, Valence: -0.5, Frustration: 1, Sentiment: call.Negative, UpsetTurn: 1,
		Latencies: []float64{0.5, 1.25}, Dims: map[string]string{"agent_version": "7", "metadata.tier": "gold"},
	}
	want.Reported, want.Cost = f.Reported, f.Cost
	if !reflect.DeepEqual(f.Figures, want) {
		t.Errorf("got %+v\nwant %+v", f.Figures, want)
	}
	if len(f.Reported) != 3 || f.Reported[1] != 0.8 || *f.Cost != maxCost {
		t.Errorf("reported %v, cost %d", f.Reported, *f.Cost)
	}
	c.Verdict = call.Void
	if f, _ := FactOf(c, review, told, nil); f.Failure != "" || f.Dropped || f.Felt || f.Upset || f.Latencies != nil || f.Act != "" {
		t.Errorf("a void call counts against the agent: %+v", f)
	}
	c.Status = call.Canceled
	if _, ok := FactOf(c, review, told, nil); ok {
		t.Error("a call that never took place counts")
	}
}
