package api_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
)

// The Go client and the server must mean the same.
func TestGoClient(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.experiments.calls = []experiment.CallResult{{Call: call.Call{ID: "call_1", Origin: call.Simulated, Status: call.Ended, ScoringStatus: call.Scored, Verdict: call.Passed}}}
	server := httptest.NewServer(b.handler)
	t.Cleanup(server.Close)
	c := client.New(server.URL+"/api/rest", b.first.Secret, client.WithHTTPClient(server.Client()))
	ctx := t.Context()

	// Who picked no scenario at all wants no calls, and least of all those of the whole dataset.
	if _, err := c.Run(ctx, "agt_1", client.RunRequest{ToNumber: "+15550100", DatasetID: "ds_1", DatasetItemIDs: []string{}}); !client.IsCode(err, "invalid_fields") {
		t.Errorf("no items: %v", err)
	}
	run, err := c.Run(ctx, "agt_1", client.RunRequest{ToNumber: "+15550100", DatasetID: "ds_1"}, client.IdempotencyKey("k"))
	if err != nil || run.VoiceExperimentID != "ve_1" {
		t.Fatalf("%+v %v", run, err)
	}
	if s, err := c.RunStatus(ctx, run.VoiceExperimentID); err != nil || !s.Over() {
		t.Errorf("%+v %v", s, err)
	}
	e, err := c.WaitFinished(ctx, run.VoiceExperimentID, nil)
	if err != nil || e.Verdict == nil || *e.Verdict != "failed" || e.Counts.Calls != 2 || e.CreatedAt == 0 || e.ToNumber != "+15550100" {
		t.Errorf("%+v %v", e, err)
	}
	if calls, err := c.RunCalls(ctx, e.ID); err != nil || len(calls) != 1 || calls[0].ID != "call_1" || calls[0].ScoringStatus != "SCORED" {
		t.Errorf("%+v %v", calls, err)
	}
	if r, err := c.Report(ctx, e.ID); err != nil || r.Experiment.ID != e.ID || len(r.Calls) != 1 || r.Calls[0].Call.ID != "call_1" {
		t.Errorf("%+v %v", r, err)
	}
	if x, err := c.ReportJUnit(ctx, e.ID); err != nil || !strings.Contains(string(x), "<testsuites") {
		t.Errorf("%s %v", x, err)
	}
	if p, err := c.Experiments(ctx, client.ExperimentFilter{AgentID: "agt_1"}, client.PageOptions{Limit: 1}); err != nil || len(p.Data) != 1 || p.NextCursor == nil {
		t.Errorf("%+v %v", p, err)
	}
	if _, err := c.Cancel(ctx, e.ID); err != nil {
		t.Error(err)
	}
	if again, err := c.Rerun(ctx, e.ID, true); err != nil || again.ID != "ve_new" || !b.experiments.reruns[0] {
		t.Errorf("%+v %v", again, err)
	}
	if _, err := c.Experiment(ctx, "nothing"); !client.IsCode(err, "not_found") {
		t.Errorf("%v", err)
	}
}

func TestGoClientSubmitsAndFollows(t *testing.T) {
	t.Parallel()
	b := setup(t)
	server := httptest.NewServer(b.handler)
	t.Cleanup(server.Close)
	c := client.New(server.URL, b.first.Secret, client.WithHTTPClient(server.Client()))
	start := int64(100)
	record := client.CallLog{Provider: "custom", Payload: client.CustomPayload{
		CallID: "c-9", RecordingURL: "http://127.0.0.1/a.wav", FromNumber: "+1", ToNumber: "+2",
		StartTimestamp: 1_760_000_000_000, EndTimestamp: 1_760_000_001_000, Status: "ended",
		Transcript: &client.Transcript{Kind: client.TranscriptKind, Messages: []client.Message{
			{Role: "user", Start: &start, Content: "Hello"},
			{Role: "assistant", ToolCalls: []client.MessageToolCall{{ID: "t", Type: "function", Function: client.MessageFunction{Name: "f", Arguments: "{}"}}}},
			{Role: "tool", Content: "ok", ToolCallID: "t"},
		}},
	}}
	first, err := c.SubmitCallLog(t.Context(), record)
	if err != nil || first.Duplicate || first.Status != "accepted" {
		t.Fatalf("%+v %v", first, err)
	}
	if second, err := c.SubmitCallLog(t.Context(), record); err != nil || !second.Duplicate || second.ID != first.ID {
		t.Errorf("%+v %v", second, err)
	}
	b.announce(t, b.first.Workspace.ID, "ve_1", "RUNNING", "FINISHED")
	zero := int64(0)
	var seen []string
	for e, err := range c.Events(t.Context(), client.EventsFrom{VoiceExperimentID: "ve_1", After: &zero}) {
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, e.Status)
		if e.Status == "FINISHED" {
			break
		}
	}
	if strings.Join(seen, " ") != "RUNNING FINISHED" {
		t.Errorf("saw %v", seen)
	}
}
