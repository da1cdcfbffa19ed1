package api_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/api"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/store"
)

// report stores what a platform says of a call.
func (r *resources) report(callID string, told call.Reported) {
	r.t.Helper()
	text, err := json.Marshal(calllog.Record{Reported: told})
	if err != nil {
		r.t.Fatal(err)
	}
	err = r.store.Write(r.t.Context(), func(tx *store.Tx) error {
		return tx.InsertSubmissions(r.t.Context(), []calllog.Submission{{
			ID: "log_" + callID, WorkspaceID: "ws_a", Provider: told.Provider, ExternalID: told.ExternalID, CallID: callID,
			Kind: calllog.KindLog, HasTranscript: told.HasTranscript, ReceivedAt: time.UnixMilli(answeredAt), Packed: r.store.Pack(text, nil),
		}})
	})
	if err != nil {
		r.t.Fatal(err)
	}
}

// What the platform says is shown before a review, and beside it afterwards.
func TestCallShowsWhatThePlatformReported(t *testing.T) {
	t.Parallel()
	r, _ := withCalls(t)
	p50, cost, yes, two := 0.9, int64(123_400), true, 2
	told := call.Reported{
		Provider: calllog.PlatformB, ExternalID: "ext", AgentName: "Front desk", Medium: "phone", HasTranscript: true, Timed: true,
		Turns: []call.Turn{
			{Speaker: call.Agent, Start: time.Second, End: 2 * time.Second, Text: "Good morning"},
			{Index: 1, Speaker: call.Caller, Start: 3 * time.Second, End: 4 * time.Second, Text: "An appointment"},
			{Index: 2, Speaker: call.Agent, By: "transfer_target", Start: -1, End: -1, Text: "Who is there?"},
		},
		ToolCalls: []call.ToolCall{{ID: "t1", Name: "book", Arguments: json.RawMessage(`{"day":1}`), Result: "no", Failed: true, At: 5 * time.Second}, {ID: "t2", Name: "log", At: -1}},
		Stages:    []call.Stage{{Name: "greet"}, {Name: "book", At: -1, Turn: 2}},
		Latency:   map[string]call.ReportedLatency{"e2e": {N: 3, P50: &p50}},
		Sentiment: call.Positive, Successful: &yes, AgentInterrupted: &two, Summary: "Booked.", Cost: &cost, Words: map[string]any{"moon": "full"},
	}
	r.report("call_1", told)
	_, text := r.do(exchange{method: "GET", path: "/calls/call_1", status: 200, hasNot: []string{"ws_a"}})
	var c api.CallDetail
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		t.Fatal(err)
	}
	o := c.Reported
	if o == nil || o.Provider != "platform_b" || *o.AgentName != "Front desk" || *o.Sentiment != "positive" || !*o.Successful || *o.Summary != "Booked." || *o.CostUSD != 0.1234 ||
		*o.Latency["e2e"].P50 != 0.9 || o.Latency["e2e"].P90 != nil || o.Words["moon"] != "full" || *o.AgentInterrupted != 2 || o.CallerInterrupted != nil {
		t.Fatalf("%s", text)
	}
	if len(o.Stages) != 2 || *o.Stages[0].AtMS != 0 || o.Stages[1].AtMS != nil || o.Stages[1].Turn != 2 ||
		len(o.ToolCalls) != 2 || !o.ToolCalls[0].Failed || *o.ToolCalls[0].AtMS != 5000 || o.ToolCalls[1].AtMS != nil || o.ToolCalls[1].Arguments != "{}" {
		t.Errorf("%s", text)
	}
	if len(c.Turns) != 3 || c.Turns[0].StartMS != 1000 || *c.Turns[2].By != "transfer_target" || c.Turns[2].StartMS != -1 {
		t.Errorf("turns %+v", c.Turns)
	}
	var roles []string
	for _, m := range c.Transcript.Messages {
		roles = append(roles, m.Role)
	}
	if strings.Join(roles, " ") != "assistant user assistant assistant tool assistant" || c.Transcript.Messages[3].ToolCalls[0].Function.Name != "book" {
		t.Errorf("messages %s: %+v", roles, c.Transcript.Messages)
	}

	// The agent's own record of a test call stands beside what was heard.
	r.report("call_2", told)
	_, text = r.do(exchange{method: "GET", path: "/calls/call_2", status: 200})
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		t.Fatal(err)
	}
	if c.Reported == nil || c.Turns[0].Text != "Clinic, good morning" {
		t.Errorf("%s", text)
	}
	r.do(exchange{method: "GET", path: "/calls/call_1", key: "b", status: 404, code: "not_found", hasNot: []string{"Booked"}})
}
