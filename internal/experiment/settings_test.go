package experiment

import (
	"slices"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/problem"
)

func TestARequestTakesThePlaceOfTheAgentsDefaultsForItsOwnRunOnly(t *testing.T) {
	t.Parallel()
	w := newWorld()
	none := []string{}
	r := StartRequest{AgentID: "agt_1", DatasetID: "ds_1", To: "+15550123"}
	r.Settings = Settings{Repetitions: 2, PassThreshold: 0.5, Scorers: &none}
	e, err := w.Start(t.Context(), "ws_1", r)
	if err != nil {
		t.Fatal(err)
	}
	if e.Counts.Calls != 6 || e.Plan.Defaults.PassThreshold != 0.5 || len(e.Plan.Scorers) != 0 {
		t.Errorf("%d calls, threshold %g, %d scorers", e.Counts.Calls, e.Plan.Defaults.PassThreshold, len(e.Plan.Scorers))
	}
	r.Settings = Settings{}
	if e, err = w.Start(t.Context(), "ws_1", r); err != nil || e.Counts.Calls != 3 || e.Plan.Defaults.PassThreshold != 1 {
		t.Errorf("the next run has %d calls and threshold %g: %v", e.Counts.Calls, e.Plan.Defaults.PassThreshold, err)
	}
}

// The repetitions may be those of the request as well as the agent's.
func TestARunWithTooManyCalls(t *testing.T) {
	t.Parallel()
	w := newWorld()
	items := w.store.rows.items
	for len(items["ds_1"]) <= maxCalls/1000 {
		items["ds_1"] = append(items["ds_1"], items["ds_1"][0])
	}
	r := StartRequest{AgentID: "agt_1", DatasetID: "ds_1", To: "+15550123", Settings: Settings{Repetitions: 1000}}
	_, err := w.Start(t.Context(), "ws_1", r)
	if p := problem.As(err); p == nil || len(p.Fields) != 1 || p.Fields[0].Message != "makes more than 10000 calls, counting repetitions" {
		t.Errorf("%v", err)
	}
}

// Such an experiment could never pass.
func TestMoreEvaluatedCallsThanThereAreCalls(t *testing.T) {
	t.Parallel()
	w := newWorld()
	r := StartRequest{AgentID: "agt_1", DatasetID: "ds_1", To: "+15550123", Settings: Settings{MinEvaluated: 4}}
	_, err := w.Start(t.Context(), "ws_1", r)
	if p := problem.As(err); fieldOf(err) != "min_evaluated" || p.Fields[0].Message != "is more than the calls of the experiment: 3" {
		t.Errorf("%v", err)
	}
	if len(w.store.rows.calls) > 0 {
		t.Errorf("it made %d calls all the same", len(w.store.rows.calls))
	}
	r.Settings.Repetitions = 2
	e, err := w.Start(t.Context(), "ws_1", r)
	if err != nil || e.Plan.Defaults.MinEvaluated != 4 {
		t.Errorf("of twice as many calls %d: %v", e.Plan.Defaults.MinEvaluated, err)
	}

	agent := w.store.rows.agents["agt_1"]
	agent.Defaults.MinEvaluated = 4
	w.store.rows.agents["agt_1"] = agent
	r.Settings = Settings{}
	if _, err := w.Start(t.Context(), "ws_1", r); !problem.Is(err, problem.Conflict) || !strings.Contains(err.Error(), "min_evaluated 4") {
		t.Errorf("by the agent's defaults: %v", err)
	}
	r.ItemIDs = []string{w.store.rows.items["ds_1"][0].ID}
	if e, err = w.Start(t.Context(), "ws_1", r); err != nil || e.Plan.Defaults.MinEvaluated != 1 {
		t.Errorf("the agent's defaults ask %d calls of the one that was chosen: %v", e.Plan.Defaults.MinEvaluated, err)
	}
	r.Settings.MinEvaluated = 2
	if _, err = w.Start(t.Context(), "ws_1", r); fieldOf(err) != "min_evaluated" {
		t.Errorf("for the one that was chosen: %v", err)
	}
	r.RerunOf = "ve_1"
	if e, err = w.Start(t.Context(), "ws_1", r); err != nil || e.Plan.Defaults.MinEvaluated != 1 {
		t.Errorf("a rerun of one call asks %d: %v", e.Plan.Defaults.MinEvaluated, err)
	}
}

// In rooms every scenario has one call, whatever the agent's defaults repeat.
func TestEvaluatedCallsInRoomsAreThoseThereCanBe(t *testing.T) {
	t.Parallel()
	w, _ := newRoomWorld()
	agent := w.store.rows.agents["agt_1"]
	agent.Defaults.Repetitions, agent.Defaults.MinEvaluated = 3, 7
	w.store.rows.agents["agt_1"] = agent
	e, _, err := w.StartInRooms(t.Context(), "ws_1", RoomsRequest{DatasetID: "ds_1", AgentID: "agt_1"})
	if err != nil || e.Counts.Calls != 3 || e.Plan.Defaults.MinEvaluated != 3 {
		t.Errorf("of %d calls %d are to be evaluated: %v", e.Counts.Calls, e.Plan.Defaults.MinEvaluated, err)
	}
}

func TestARunOfChosenItems(t *testing.T) {
	t.Parallel()
	w := newWorld()
	all := start(t, w)
	var ids []string
	for _, c := range w.store.rows.calls {
		if c.ExperimentID == all.ID {
			ids = append(ids, c.ItemID)
		}
	}
	slices.Sort(ids)
	r := StartRequest{AgentID: "agt_1", DatasetID: "ds_1", To: "+15550123", ItemIDs: ids[:1]}
	if e, err := w.Start(t.Context(), "ws_1", r); err != nil || e.Counts.Calls != 1 {
		t.Errorf("%d calls: %v", e.Counts.Calls, err)
	}
	r.ItemIDs = []string{ids[0], "di_none"}
	if _, err := w.Start(t.Context(), "ws_1", r); fieldOf(err) != "dataset_item_ids" {
		t.Errorf("an item that is not there: %v", err)
	}
	r.RerunOf = all.ID
	if e, err := w.Start(t.Context(), "ws_1", r); err != nil || e.Counts.Calls != 1 {
		t.Errorf("a rerun after an item was deleted: %d calls, %v", e.Counts.Calls, err)
	}
}

func TestARequestThatNamesWhatIsNotThere(t *testing.T) {
	t.Parallel()
	w := newWorld()
	prompt, scorers := "nobody", []string{"nothing"}
	for field, s := range map[string]Settings{
		"caller_prompt": {CallerPrompt: &prompt}, "scorers": {Scorers: &scorers}, "repetitions": {Repetitions: -1}, "pass_threshold": {PassThreshold: 2},
	} {
		r := StartRequest{AgentID: "agt_1", DatasetID: "ds_1", To: "+15550123", Settings: s}
		if _, err := w.Start(t.Context(), "ws_1", r); fieldOf(err) != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}

func fieldOf(err error) string {
	if p := problem.As(err); p != nil && len(p.Fields) == 1 {
		return p.Fields[0].Path
	}
	return ""
}
