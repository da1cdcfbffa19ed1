package monitor

import (
	"reflect"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

func TestFiguresComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	cost := int64(-0)
	for _, f := range []Figures{
		{},
		{Turns: -1},
		{End: call.EndBusy, Because: "scorer x", Stages: []string{"a", "ü"}, Dims: map[string]string{"model": "m", "metadata.k": "v"}},
		{
			Answered: true, Duration: 95 * time.Second, End: call.EndCompleted, Blame: call.BlameNobody, Verdict: call.Passed, Turns: 12, Dropped: true,
			Felt: true, Valence: -0.999, Frustration: 0.001, Sentiment: call.Negative, UpsetTurn: 3,
			Latencies: []float64{-0.25, 0, 3.5}, Reported: []float64{0.001}, Cost: &cost, ReportedMood: call.Positive,
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

// TestFiguresOfAnEarlierVersionAreRead reads both earlier versions: they store the number of turns
// unchanged, and the first ends before the reported mood.
func TestFiguresOfAnEarlierVersionAreRead(t *testing.T) {
	t.Parallel()
	f := Figures{End: call.EndBusy, Turns: 2, Dims: map[string]string{"model": "m"}}
	less := f
	less.Turns--
	packed := less.Pack()
	for _, earlier := range [][]byte{append([]byte{noMoodVersion}, packed[1:len(packed)-1]...), append([]byte{allToldVersion}, packed[1:]...)} {
		var got Figures
		if err := got.Unpack(earlier); err != nil || !reflect.DeepEqual(got, f) {
			t.Errorf("%+v came back as %+v, %v", f, got, err)
		}
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add([]byte{1, 0, 0})
	f.Add((&Figures{Turns: 3, Stages: []string{"a"}}).Pack())
	f.Add(packBand(band{Hours: map[string][]expected{"valence": {{Known: true, Low: -0.5}, {}}}}))
	f.Fuzz(func(_ *testing.T, data []byte) {
		var figures Figures
		_ = figures.Unpack(data)
		_, _ = unpackBand(data, func(string) bool { return true })
	})
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
		AgentVersion: "7", Sentiment: call.Positive, Successful: &no, Cost: &cost, Stages: []call.Stage{{Name: "a"}, {Name: "b"}, {Name: "a"}},
		Latency: map[string]call.ReportedLatency{"e2e": {N: 3, P50: &p50, P95: &p95}},
	}
	f, ok := factOf(c, review, told, []string{"tier", "none"})
	if !ok || !f.Dropped || f.Because != "scorer books" || f.Failure == "" || f.Act == "" || f.Quote != "This is useless" || f.UpsetTurn != 1 {
		t.Errorf("%v %+v", ok, f)
	}
	want := Figures{
		Answered: true, Duration: 90 * time.Second, End: call.EndCallerHungUp, Blame: call.BlameCaller, Verdict: call.NotEvaluated, Turns: 3, Dropped: true,
		Because: "scorer books", Stages: []string{"b", "a"}, Felt: true, Valence: -0.5, Frustration: 1, Sentiment: call.Negative, ReportedMood: call.Positive, UpsetTurn: 1,
		Latencies: []float64{0.5, 1.25}, Dims: map[string]string{"agent_version": "7", "metadata.tier": "gold"},
	}
	want.Reported, want.Cost = f.Reported, f.Cost
	if !reflect.DeepEqual(f.Figures, want) {
		t.Errorf("got %+v\nwant %+v", f.Figures, want)
	}
	if len(f.Reported) != 3 || f.Reported[1] != 0.8 || *f.Cost != maxCost {
		t.Errorf("reported %v, cost %d", f.Reported, *f.Cost)
	}
	yes := true
	for name, opinion := range map[string]call.Reported{"success": {Successful: &yes}, "a machine": {Voicemail: &yes}} {
		if f, _ := factOf(c, review, opinion, nil); f.Dropped {
			t.Errorf("%s: counts as a caller who left before the goal", name)
		}
	}
	c.Verdict = call.Void
	if f, _ := factOf(c, review, told, nil); f.Failure != "" || f.Dropped || f.Felt || f.ReportedMood != "" || f.Upset || f.Latencies != nil || f.Act != "" {
		t.Errorf("a void call counts against the agent: %+v", f)
	}
	c.Status = call.Canceled
	if _, ok := factOf(c, review, told, nil); ok {
		t.Error("a call that never took place counts")
	}
}

// What is stored of the agent's last sentence does not reveal names.
func TestTheLastSentenceHasNoNames(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"One moment. Please hold while I connect you to Mr. Johnson.": "please hold while i connect you to mr *",
		"Thank you. I'll put you through to (Dr. Okonkwo)":            "i'll put you through to dr *",
		"The line of J. Smith is busy.":                               "the line of # * is busy",
		"We close at 5 p.m. Anything else?":                           "anything else",
		"You are Mrs. Lee! Is that right?":                            "is that right",
	} {
		got := lastAct([]call.Turn{{Speaker: call.Agent, Text: said}})
		if got != want {
			t.Errorf("%q became %q, not %q", said, got, want)
		}
	}
}
