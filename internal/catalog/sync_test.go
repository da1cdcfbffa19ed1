package catalog

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ringtrue/ringtrue/internal/scenario"
)

func TestSyncCreatesAndRenamesAndDeletesNothing(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	ctx := t.Context()
	kept, err := s.CreateAgent(ctx, "ws_1", AgentInput{Name: "by hand"})
	if err != nil {
		t.Fatal(err)
	}
	old, err := s.CreateAgent(ctx, "ws_1", AgentInput{Name: "old name", SourceID: "a1", Defaults: scenario.TestDefaults{Repetitions: 3}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.CreateAgent(ctx, "ws_2", AgentInput{Name: "theirs", SourceID: "a2"}); err != nil {
		t.Fatal(err)
	}
	listed := []scenario.Agent{{SourceID: "a1", Name: "new name"}, {SourceID: "a2", Name: "two"}, {SourceID: "", Name: "none"}, {SourceID: "a3", Name: "..."}}
	created, updated, skipped, err := s.SyncAgents(ctx, "ws_1", listed)
	if err != nil || len(created) != 1 || created[0].SourceID != "a2" || len(updated) != 1 || updated[0].ID != old.ID || skipped != 2 {
		t.Fatalf("created %v, updated %v, skipped %d: %v", created, updated, skipped, err)
	}
	got, err := s.Agent(ctx, "ws_1", old.ID)
	if err != nil || got.Name != "new name" || got.Defaults.Repetitions != 3 {
		t.Errorf("%+v %v", got, err)
	}
	if _, err := s.Agent(ctx, "ws_1", kept.ID); err != nil {
		t.Error("an agent that was not listed is gone")
	}
	if created, updated, _, err = s.SyncAgents(ctx, "ws_1", listed); err != nil || len(created)+len(updated) != 0 {
		t.Errorf("the second time changed %v %v: %v", created, updated, err)
	}
}

// Whoever sends call logs before the first sync has calls that wait for their agents.
func TestSyncGivesANewAgentItsEarlierCalls(t *testing.T) {
	t.Parallel()
	s, f := setup(t)
	if _, err := s.CreateAgent(t.Context(), "ws_1", AgentInput{Name: "old name", SourceID: "a1"}); err != nil {
		t.Fatal(err)
	}
	f.jobs = nil
	created, _, _, err := s.SyncAgents(t.Context(), "ws_1", []scenario.Agent{{SourceID: "a1", Name: "one"}, {SourceID: "a2", Name: "two"}})
	if err != nil || len(created) != 1 {
		t.Fatal(created, err)
	}
	if want := []string{"relink " + created[0].ID + " 0s", "relink " + created[0].ID + " 30s"}; !slices.Equal(f.jobs, want) {
		t.Errorf("jobs %q, want %q", f.jobs, want)
	}
}

func TestSyncOfManyComesInBatches(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	var listed []scenario.Agent
	for i := range 2*syncBatch + 1 {
		listed = append(listed, scenario.Agent{SourceID: fmt.Sprint("a", i), Name: fmt.Sprint("Agent ", i)})
	}
	created, _, _, err := s.SyncAgents(t.Context(), "ws_1", listed)
	if err != nil || len(created) != len(listed) {
		t.Errorf("%d created: %v", len(created), err)
	}
}
