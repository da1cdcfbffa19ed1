package catalog

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// past is a production call of ws_a in which the caller says a line.
func past(id, line string) pastCall {
	turns := []call.Turn{{Speaker: call.Agent, Start: -1, End: -1, Text: "Hello?"}, {Index: 1, Speaker: call.Caller, Start: -1, End: -1, Text: line}}
	return pastCall{
		call: call.Call{ID: id, WorkspaceID: "ws_a", Origin: call.Production, EndReason: call.EndOf(call.EndCompleted, "")},
		told: &call.Reported{HasTranscript: true, Turns: turns},
	}
}

func TestScenariosAreMadeOfCalls(t *testing.T) {
	t.Parallel()
	s, f := setup(t)
	d := must(s.CreateDataset(t.Context(), "ws_a", DatasetInput{Name: "x", Items: []scenario.Item{said("first", "Hi.")}}))(t)
	reviewed := past("call_2", "what the platform told")
	reviewed.review = &call.Review{Heard: call.Heard{Turns: []call.Turn{{Speaker: call.Caller, Text: "What was heard."}}}}
	tested := pastCall{
		call:   call.Call{ID: "call_3", WorkspaceID: "ws_a", Origin: call.Simulated, EndReason: call.EndOf(call.EndCompleted, "")},
		review: &call.Review{Heard: call.Heard{Turns: []call.Turn{{Speaker: call.Caller, Text: "By the goal."}}}},
		played: &scenario.Item{Input: scenario.Input{Goal: "the goal", Persona: scenario.Persona{Voice: "slt"}}},
	}
	secret := past("call_4", "My number is 8675309.")
	secret.call.Keep = call.KeepNoPeople
	f.past = []pastCall{past("call_1", "A table, please."), reviewed, tested, secret}
	want := FromCalls{CallIDs: []string{"call_3", "call_1", "call_2", "call_4"}, DryRun: true}
	dry := must(s.FromCalls(t.Context(), "ws_a", d.ID, want))(t)
	if len(dry.Items) != 4 || dry.Items[0].ID != "" || dry.Dataset.Version != 1 || len(lines(t, s, d.ID, 0)) != 1 {
		t.Fatalf("%+v", dry)
	}
	want.DryRun = false
	made := must(s.FromCalls(t.Context(), "ws_a", d.ID, want))(t)
	if made.Dataset.Version != 2 || made.Dataset.Items != 5 || !strings.HasPrefix(made.Items[0].ID, "di_") {
		t.Fatalf("%+v", made)
	}
	said := func(i scenario.Item) string {
		return i.Input.Script[slices.IndexFunc(i.Input.Script, func(s scenario.Step) bool { return s.Say != "" })].Say
	}
	var heard []string
	for i, item := range made.Items {
		heard = append(heard, said(item))
		if dry.Items[i].ID = item.ID; !reflect.DeepEqual(dry.Items[i], item) {
			t.Errorf("the dry run showed %+v, not %+v", dry.Items[i], item)
		}
	}
	if !reflect.DeepEqual(heard, []string{"By the goal.", "A table, please.", "What was heard.", "My number is 5550100."}) {
		t.Errorf("%q", heard)
	}
	if made.Items[0].Input.Goal != "the goal" || made.Items[0].Input.Persona.Voice != "slt" {
		t.Errorf("%+v", made.Items[0])
	}
}

func TestCallsThatMakeNoScenario(t *testing.T) {
	t.Parallel()
	s, f := setup(t)
	d := must(s.CreateDataset(t.Context(), "ws_a", DatasetInput{Name: "x", Items: []scenario.Item{said("call_1", "Hi.")}}))(t)
	silent, foreign := past("call_2", ""), past("call_3", "Hello.")
	foreign.call.WorkspaceID = "ws_b"
	f.past = []pastCall{past("call_1", "Hi."), silent, foreign, past("call_4", "Fine.")}
	from := func(dataset string, ids ...string) error {
		_, err := s.FromCalls(t.Context(), "ws_a", dataset, FromCalls{CallIDs: ids})
		return err
	}
	if got := paths(t, from(d.ID, "call_1", "call_4", "call_2", "call_3", "nothing")); !slices.Equal(got, []string{"call_ids[0]", "call_ids[2]", "call_ids[3]", "call_ids[4]"}) {
		t.Errorf("faults at %v", got)
	}
	if got := paths(t, from(d.ID, "call_4", "call_4")); !slices.Equal(got, []string{"call_ids[1]"}) {
		t.Errorf("faults at %v", got)
	}
	var many []string
	for i := range maxFromCalls + 1 {
		many = append(many, fmt.Sprint(i))
	}
	for _, ids := range [][]string{nil, many} {
		if got := paths(t, from(d.ID, ids...)); !slices.Equal(got, []string{"call_ids"}) {
			t.Errorf("faults at %v", got)
		}
	}
	if err := from("ds_none", "call_4"); !problem.Is(err, problem.NotFound) {
		t.Errorf("%v", err)
	}
	if _, err := s.FromCalls(t.Context(), "ws_b", d.ID, FromCalls{CallIDs: []string{"call_3"}}); !problem.Is(err, problem.NotFound) {
		t.Errorf("another workspace's dataset: %v", err)
	}
	if n := len(lines(t, s, d.ID, 0)); n != 1 {
		t.Errorf("%d items were kept although some call made none", n)
	}
}
