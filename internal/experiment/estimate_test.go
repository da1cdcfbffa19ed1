package experiment

import (
	"context"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

func (w *world) pastCall(id, item string, length time.Duration) {
	begun := w.now.Add(-time.Hour)
	w.store.rows.calls[id] = call.Call{
		ID: id, WorkspaceID: "ws_1", AgentID: "agt_1", ItemID: item, Status: call.Ended,
		StartedAt: begun, AnsweredAt: begun.Add(2 * time.Second), EndedAt: begun.Add(2*time.Second + length),
	}
}

func wanted() StartRequest { return StartRequest{AgentID: "agt_1", DatasetID: "ds_1", To: "+15550123"} }

func TestEstimateRestsOnWhatWas(t *testing.T) {
	t.Parallel()
	w := newWorld()
	for i, seconds := range []int{60, 62, 64, 66, 68} {
		w.pastCall(string(rune('a'+i)), "di_1", time.Duration(seconds)*time.Second)
	}
	e, err := w.Estimate(t.Context(), "ws_1", wanted())
	if err != nil || e.Calls != 3 || len(e.Notes) != 2 {
		t.Fatalf("%+v %v", e, err)
	}
	// One item was called before, the others are taken to be like it.
	if e.Talk.Low != 3*62*time.Second || e.Talk.High != 3*66*time.Second {
		t.Errorf("talk %v", e.Talk)
	}
	// All at a time: as long as one call, its ringing and its scoring.
	if e.Until.Low != (62+2+2)*time.Second || e.Until.High != (66+2+45)*time.Second {
		t.Errorf("until %v", e.Until)
	}
	if len(w.store.rows.experiments) != 0 || len(w.store.takeJobs()) != 0 {
		t.Error("an estimate starts nothing")
	}
}

func TestEstimateKeepsToTheLimits(t *testing.T) {
	t.Parallel()
	w := newWorld()
	for i := range 5 {
		w.pastCall(string(rune('a'+i)), "di_1", time.Minute)
	}
	w.store.rows.agents["agt_1"] = scenario.Agent{ID: "agt_1", WorkspaceID: "ws_1", Defaults: scenario.TestDefaults{Repetitions: 4, ConcurrentCalls: 5}}
	w.Trunk = func(string) (Trunk, error) { return Trunk{Name: "main", CallsPerSecond: 0.1, ConcurrentCalls: 2}, nil }
	e, err := w.Estimate(t.Context(), "ws_1", wanted())
	// Twelve calls, two at a time and ten seconds apart: six rounds of 62 s, of which
	// the second line begins ten seconds later.
	if want := (6*62 + 10 + 2) * time.Second; err != nil || e.Calls != 12 || e.Until.Low != want {
		t.Errorf("until %v, want %v; %v", e.Until, want, err)
	}
	w.Trunk = func(string) (Trunk, error) { return Trunk{Name: "main", CallsPerSecond: 0.1}, nil }
	w.store.rows.agents["agt_1"] = scenario.Agent{ID: "agt_1", WorkspaceID: "ws_1", Defaults: scenario.TestDefaults{Repetitions: 4}}
	e, err = w.Estimate(t.Context(), "ws_1", wanted())
	if want := (11*10 + 62 + 2) * time.Second; err != nil || e.Until.Low != want {
		t.Errorf("until %v, want %v; %v", e.Until, want, err)
	}
}

// The notes of the least of runs count one call as one.
func TestNotesOfAnEstimate(t *testing.T) {
	t.Parallel()
	got := notesOf(1, 1, 0, 1, 1, 1)
	if want := []string{
		"1 of 1 call: as long as earlier calls of the same scenario.", "Calls without a script, whose length a language model decides: 1.",
		"The limits of trunk and agent allow 1 call per second and 1 call at a time; other runs share them.",
	}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
	got = notesOf(3, 0, 0, 0, 0.5, 10)
	if want := []string{
		"3 of 3 calls: as long as the script suggests, because nothing like it has been called yet.",
		"The limits of trunk and agent allow 0.5 calls per second and 10 calls at a time; other runs share them.",
	}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
}

func TestEstimateOfScripts(t *testing.T) {
	t.Parallel()
	script := scenario.Item{Input: scenario.Input{Script: []scenario.Step{
		{WaitForAgent: &scenario.WaitForAgent{}}, {Say: "one two three four five"}, {Press: "12345"}, {StaySilentMS: 3000},
		{Branch: &scenario.Branch{Cases: []scenario.Case{{Then: []scenario.Step{{StaySilentMS: 10_000}}}}, Otherwise: []scenario.Step{{HangUp: true}}}},
	}}}
	want := Span{7*time.Second + agentShort, 17*time.Second + agentLong}
	if got, from := historyOf(nil).lengthOf(script); got != want || from != fromScript {
		t.Errorf("%v, want %v", got, want)
	}
	script.Input.Limits.MaxDurationMS = 5000
	if got, _ := historyOf(nil).lengthOf(script); got.High != 5*time.Second {
		t.Errorf("the limit of the call does not hold: %v", got)
	}
	goal := scenario.Item{Input: scenario.Input{Goal: "Ask."}}
	if got, _ := historyOf(nil).lengthOf(goal); got.Low < 10*time.Second || got.High > 5*time.Minute {
		t.Errorf("%v", got)
	}
}

// It refuses what a run refuses, and asks neither trunk nor engines.
func TestEstimateRefusesWhatARunRefuses(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.Preflight = func(context.Context, string, string, []scenario.Item) error {
		t.Error("the trunk was asked")
		return nil
	}
	r := wanted()
	r.To, r.DatasetID = "5550123", "ds_none"
	_, err := w.Estimate(t.Context(), "ws_1", r)
	var places []string
	if p := problem.As(err); p != nil {
		for _, f := range p.Fields {
			places = append(places, f.Path)
		}
	}
	if !slices.Equal(places, []string{"to_number", "dataset_id"}) {
		t.Errorf("%v", err)
	}
	r.AgentID = "agt_0"
	if _, err := w.Estimate(t.Context(), "ws_1", r); !problem.Is(err, problem.NotFound) {
		t.Errorf("an agent that is not there: %v", err)
	}
}

func TestResultsAreThoseOfTheCalls(t *testing.T) {
	t.Parallel()
	w := newWorld()
	e, err := w.Start(t.Context(), "ws_1", wanted())
	if err != nil {
		t.Fatal(err)
	}
	r, err := w.Results(t.Context(), "ws_1", e.ID)
	if err != nil || len(r.Calls) != 3 || r.Calls[2].Item.ID != "di_3" || r.Calls[0].Found != nil || r.Experiment.Counts.Calls != 3 {
		t.Fatalf("%+v %v", r, err)
	}
	if _, err := w.Results(t.Context(), "ws_2", e.ID); !problem.Is(err, problem.NotFound) {
		t.Errorf("another workspace's: %v", err)
	}
}
