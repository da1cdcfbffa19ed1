package catalog

import (
	"reflect"
	"testing"

	"github.com/ringtrue/ringtrue/internal/page"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

func TestAgentIsCreatedChangedAndDeleted(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	must(s.CreatePrompt(t.Context(), "ws_a", PromptInput{Slug: "caller", Text: "be kind"}))(t)
	must(s.CreateScorer(t.Context(), "ws_a", ScorerInput{Slug: "greets", Kind: "say"}))(t)
	a := must(s.CreateAgent(t.Context(), "ws_a", AgentInput{
		Name: "Front desk", SourceID: "desk-1",
		Defaults: scenario.TestDefaults{ToNumber: "+15550100", CallerPrompt: "caller", Scorers: []string{"greets@1"}, Repetitions: 3},
	}))(t)
	b := must(s.UpdateAgent(t.Context(), "ws_a", a.ID, AgentPatch{
		Name: new("Desk"), Defaults: DefaultsPatch{Repetitions: new(0), PassThreshold: new(0.5)},
	}))(t)
	want := a
	want.Name, want.Defaults.Repetitions, want.Defaults.PassThreshold, want.UpdatedAt = "Desk", 0, 0.5, b.UpdatedAt
	if !reflect.DeepEqual(b, want) || !b.UpdatedAt.After(a.UpdatedAt) {
		t.Fatalf("a patch changed what it does not name:\n%+v\n%+v", want, b)
	}
	if got := must(s.Agent(t.Context(), "ws_a", a.ID))(t); !reflect.DeepEqual(got, b) {
		t.Fatalf("stored %+v", got)
	}
	if err := s.DeleteAgent(t.Context(), "ws_a", a.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Agent(t.Context(), "ws_a", a.ID); !problem.Is(err, problem.NotFound) {
		t.Fatalf("deleted: %v", err)
	}
}

func TestAgentRefusals(t *testing.T) {
	t.Parallel()
	s, f := setup(t)
	_, err := s.CreateAgent(t.Context(), "ws_a", AgentInput{Defaults: scenario.TestDefaults{ToNumber: "112", Repetitions: -1}})
	if got := paths(t, err); !reflect.DeepEqual(got, []string{"name", "defaults.to_number", "defaults.repetitions"}) {
		t.Errorf("%v", got)
	}
	_, err = s.CreateAgent(t.Context(), "ws_a", AgentInput{
		Name: "x", Defaults: scenario.TestDefaults{CallerPrompt: "nobody", Scorers: []string{"nothing@prod"}},
	})
	if got := paths(t, err); !reflect.DeepEqual(got, []string{"defaults.caller_prompt", "defaults.scorers[0]"}) {
		t.Errorf("%v", got)
	}
	if len(f.agents) != 0 {
		t.Error("a refused agent was stored")
	}
	a := must(s.CreateAgent(t.Context(), "ws_a", AgentInput{Name: "x", SourceID: "s"}))(t)
	if _, err := s.CreateAgent(t.Context(), "ws_a", AgentInput{Name: "y", SourceID: " s "}); !problem.Is(err, problem.Conflict) {
		t.Errorf("source id taken twice: %v", err)
	}
	must(s.CreateAgent(t.Context(), "ws_b", AgentInput{Name: "y", SourceID: "s"}))(t)
	if _, err := s.UpdateAgent(t.Context(), "ws_a", a.ID, AgentPatch{Name: new("")}); !reflect.DeepEqual(paths(t, err), []string{"name"}) {
		t.Errorf("%v", err)
	}
	if _, err := s.UpdateAgent(t.Context(), "ws_b", a.ID, AgentPatch{Name: new("stolen")}); !problem.Is(err, problem.NotFound) {
		t.Errorf("another workspace's agent: %v", err)
	}
	if err := s.DeleteAgent(t.Context(), "ws_b", a.ID); !problem.Is(err, problem.NotFound) {
		t.Errorf("another workspace's agent: %v", err)
	}
}

func TestAgentsPage(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	for _, name := range []string{"a", "b", "c"} {
		must(s.CreateAgent(t.Context(), "ws_a", AgentInput{Name: name}))(t)
	}
	must(s.CreateAgent(t.Context(), "ws_b", AgentInput{Name: "foreign"}))(t)
	list, next, err := s.Agents(t.Context(), "ws_a", 2, "")
	if err != nil || len(list) != 2 || list[0].Name != "c" || list[1].Name != "b" || next != list[1].ID {
		t.Fatalf("%+v %q %v", list, next, err)
	}
	list, next, err = s.Agents(t.Context(), "ws_a", 2, next)
	if err != nil || len(list) != 1 || list[0].Name != "a" || next != "" {
		t.Fatalf("%+v %q %v", list, next, err)
	}
	if _, _, err := s.Agents(t.Context(), "ws_a", 2, "call_1"); !reflect.DeepEqual(paths(t, err), []string{"cursor"}) {
		t.Error(err)
	}
	if _, _, err := s.Agents(t.Context(), "ws_a", page.Max+1, ""); !reflect.DeepEqual(paths(t, err), []string{"limit"}) {
		t.Error(err)
	}
}
