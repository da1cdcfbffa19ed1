package api_test

import (
	"errors"
	"net/http/httptest"
	"testing"

	"github.com/ringtrue/ringtrue/client"
)

// The public client and the interface must mean the same thing by every field.
func TestClientSpeaksToTheCatalog(t *testing.T) {
	t.Parallel()
	r := newResources(t)
	server := httptest.NewServer(r.handler)
	t.Cleanup(server.Close)
	c, ctx := client.New(server.URL, "a"), t.Context()
	check := func(what string, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	_, err := c.CreateScorer(ctx, client.NewScorer{Slug: "greets", Kind: "say", Params: map[string]string{"phrase": "hello"}, Labels: []string{"prod"}})
	check("create scorer", err)
	scorer, err := c.LabelScorer(ctx, "greets", "nightly", 1)
	if err != nil || scorer.Version != 1 || len(scorer.Labels) != 2 || string(scorer.Params) != `{"phrase":"hello"}` {
		t.Fatalf("%+v %v", scorer, err)
	}
	if kinds, err := c.ScorerKinds(ctx); err != nil || len(kinds) < 5 || kinds[0].Kind == "" || kinds[0].Version == 0 {
		t.Fatalf("%+v %v", kinds, err)
	}
	_, err = c.CreatePrompt(ctx, client.NewPrompt{Slug: "caller", Text: "be kind"}, client.IdempotencyKey("p"))
	check("create prompt", err)
	prompt, err := c.CreatePrompt(ctx, client.NewPrompt{Slug: "caller", Text: "be kind"}, client.IdempotencyKey("p"))
	if err != nil || prompt.Version != 1 {
		t.Fatalf("%+v %v", prompt, err)
	}
	if versions, err := c.PromptVersions(ctx, "caller"); err != nil || len(versions) != 1 {
		t.Fatalf("%+v %v", versions, err)
	}
	three, ref := 3, "caller"
	agent, err := c.CreateAgent(ctx, client.NewAgent{
		Name: "Desk", SourceID: "desk", Defaults: &client.AgentDefaults{Repetitions: &three, CallerPrompt: &ref, Scorers: &[]string{"greets@prod"}},
	})
	check("create agent", err)
	name := "Front desk"
	agent, err = c.UpdateAgent(ctx, agent.ID, client.AgentChange{Name: &name})
	if err != nil || agent.Name != name || *agent.SourceID != "desk" || *agent.Defaults.Repetitions != 3 || agent.CreatedAt == 0 {
		t.Fatalf("%+v %v", agent, err)
	}
	if page, err := c.Agents(ctx, client.PageOptions{Limit: 1}); err != nil || len(page.Data) != 1 || page.NextCursor != nil {
		t.Fatalf("%+v %v", page, err)
	}
	check("delete agent", c.DeleteAgent(ctx, agent.ID))
	if _, err := c.Agent(ctx, agent.ID); !client.IsCode(err, "not_found") {
		t.Fatal(err)
	}
}

func TestClientSpeaksToDatasetsAndCalls(t *testing.T) {
	t.Parallel()
	r, audio := withCalls(t)
	server := httptest.NewServer(r.handler)
	t.Cleanup(server.Close)
	c, ctx := client.New(server.URL, "a"), t.Context()
	d, err := c.CreateDataset(ctx, client.NewDataset{Name: "x", Items: []client.Item{{Key: "k", Input: []byte(`{"goal":"Ask"}`)}}})
	if err != nil || d.ItemCount != 1 {
		t.Fatalf("%+v %v", d, err)
	}
	_, err = c.ImportItems(ctx, d.ID, client.Import{Format: "yaml", Data: []byte("- input:\n    gaol: x\n")})
	var bad *client.Error
	if !errors.As(err, &bad) || bad.Fields[0].Line != 2 || bad.Fields[0].Suggestion != "goal" {
		t.Fatal(err)
	}
	checked, err := c.CheckItems(ctx, "yaml", []byte("- input:\n    gaol: x\n"))
	if err != nil || checked.ItemCount != 0 || len(checked.Problems) == 0 || checked.Problems[0].Line != 2 || checked.Problems[0].Suggestion != "goal" {
		t.Fatalf("%+v %v", checked, err)
	}
	checked, err = c.CheckItems(ctx, "yaml", []byte("- key: k\n  input: {goal: x}\n"))
	if err != nil || checked.ItemCount != 1 || checked.Items[0].Key != "k" || len(checked.Problems) != 0 {
		t.Fatalf("%+v %v", checked, err)
	}
	imported, err := c.ImportItems(ctx, d.ID, client.Import{Format: "yaml", Data: []byte("- key: k\n  input: {goal: x}\n"), Replace: true})
	if err != nil || imported.Imported != 1 || imported.Dataset.Version != 2 {
		t.Fatalf("%+v %v", imported, err)
	}
	added, err := c.AddItems(ctx, d.ID, []client.Item{{Input: []byte(`{"goal":"y"}`)}})
	if err != nil || added.DatasetVersion != 3 {
		t.Fatalf("%+v %v", added, err)
	}
	item := added.Items[0]
	item.Input = []byte(`{"goal":"z"}`)
	if item, err = c.ReplaceItem(ctx, d.ID, item.ID, item); err != nil || string(item.Input) != `{"goal":"z"}` {
		t.Fatalf("%s %v", item.Input, err)
	}
	if again, err := c.ReplaceItem(ctx, d.ID, item.ID, item); err != nil || again.ID != item.ID {
		t.Fatalf("sent again: %+v %v", again, err)
	}
	if old, err := c.ItemAt(ctx, d.ID, item.ID, 3); err != nil || string(old.Input) != `{"goal":"y"}` {
		t.Fatalf("%s %v", old.Input, err)
	}
	if page, err := c.Items(ctx, d.ID, 3, client.PageOptions{}); err != nil || len(page.Data) != 2 || page.DatasetVersion != 3 {
		t.Fatalf("%+v %v", page, err)
	}
	if err := c.DeleteItem(ctx, d.ID, item.ID); err != nil {
		t.Fatal(err)
	}
	if versions, err := c.DatasetVersions(ctx, d.ID); err != nil || len(versions) != 5 || versions[0].ItemCount != 1 {
		t.Fatalf("%+v %v", versions, err)
	}
	calls, err := c.Calls(ctx, client.CallFilter{Origin: "simulated", From: 1, Metadata: map[string]string{"plan": "silver"}}, client.PageOptions{})
	if err != nil || len(calls.Data) != 1 || calls.Data[0].ID != "call_2" {
		t.Fatalf("%+v %v", calls, err)
	}
	call, err := c.Call(ctx, "call_2")
	if err != nil || call.Metrics["turn_latency"].Spread.P95 != 1.5 || *call.Metrics["talk_ratio"].Value != 0.5 || call.Metrics["wer"].Value != nil || call.Timeline[1].Kind != "said" || call.Attempts[0].Stats["jitter_ms"] != 1.5 || len(call.Transcript.Messages) != 5 {
		t.Fatalf("%+v %v", call, err)
	}
	part, err := c.RecordingRange(ctx, "call_2", 8, 4)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = part.Close() }()
	if got := readAll(t, part); string(got) != string(audio[8:12]) {
		t.Fatalf("%q", got)
	}
	if peaks, err := c.Peaks(ctx, "call_2", 10); err != nil || peaks.N != 10 || len(peaks.Caller) != 20 {
		t.Fatalf("%+v %v", peaks, err)
	}
}
