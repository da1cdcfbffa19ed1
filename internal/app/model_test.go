package app

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/speech"
)

// goalItem has a goal and no script, so a language model plays it; its tool
// call is seen in the agent's own record alone, its rubric is judged by the model.
const goalItem = `
- input:
    goal: Find out when the clinic is open.
    persona: {voice: slt}
  output:
    tool_calls: [{name: get_opening_hours}]
    rubric: [The caller asks for the opening hours.]
`

func TestGoalIsPlayedAndJudgedByALanguageModel(t *testing.T) {
	t.Parallel()
	b := newBench(t, speech.Options{HTTP: fakeModel(t)})
	c, fair := b.heard(t, goalItem, func(c client.Call) bool { return word(c.Verdict) == "passed" })
	if !fair {
		t.Skip("this machine is too busy for an agent")
	}
	checkPassed(t, c)
	var heard, asked, left bool
	for _, turn := range c.Turns {
		heard = heard || turn.Speaker == "agent" && strings.Contains(turn.Text, "nine")
		asked = asked || turn.Speaker == "caller" && turn.Text == "What are your opening hours?"
		left = left || turn.Speaker == "caller" && strings.Contains(turn.Text, "goodbye")
	}
	if !heard || !asked || !left {
		t.Errorf("the conversation was %+v", c.Turns)
	}
	if word(c.EndReason.Code) == "ringtrue_error" {
		t.Errorf("the call ended as %s", word(c.EndReason.Detail))
	}
	if s := verdictOf(t, c, "rubric"); s.Verdict != "passed" || len(s.Evidence) == 0 || s.Evidence[0].Quote == "" {
		t.Errorf("the rubric: %+v", s)
	}
}

// toolItems differ in what they expect of the agent's tools.
const toolItem = `
- input:
    persona: {voice: slt}
    script: [wait_for_agent, {say: "How much is a cleaning?"}, wait_for_agent, hang_up]
  output:
    tool_calls: [{name: get_price, arguments: {service: %s}}]
`

func TestToolCallsAreScoredFromTheAgentsOwnRecord(t *testing.T) {
	t.Parallel()
	b := newBench(t, speech.Options{})
	for service, want := range map[string]string{"cleaning": "passed", "vaccination": "failed"} {
		t.Run(service, func(t *testing.T) {
			t.Parallel()
			c, fair := b.heard(t, fmt.Sprintf(toolItem, service), func(c client.Call) bool { return word(c.Verdict) == want })
			if !fair {
				t.Skip("this machine is too busy for an agent")
			}
			if s := verdictOf(t, c, "tool"); s.Verdict != want || word(c.Verdict) != want {
				t.Errorf("the tool call: %+v, the call %s: %s", s, word(c.Verdict), c.VerdictReason)
			}
		})
	}
}

// fakeModel is a server that speaks the OpenAI chat protocol, streaming, and
// knows one conversation.
func fakeModel(t *testing.T) speech.HTTPOptions {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			Stream   bool `json:"stream"`
			Messages []struct {
				Role string `json:"role"`
			} `json:"messages"`
			Tools  []any `json:"tools"`
			Format *struct {
				Type string `json:"type"`
			} `json:"response_format"`
		}
		if r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer secret" ||
			json.NewDecoder(r.Body).Decode(&q) != nil || !q.Stream {
			http.Error(w, "not what was agreed", http.StatusBadRequest)
			return
		}
		answered := 0
		for _, m := range q.Messages {
			if m.Role == "assistant" {
				answered++
			}
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for _, piece := range reply(q.Format != nil, len(q.Tools) > 0, answered) {
			fmt.Fprintf(w, "data: {\"choices\":[%s]}\n\n", piece)
		}
		fmt.Fprint(w, "data: [DONE]\n\n")
	}))
	t.Cleanup(server.Close)
	return speech.HTTPOptions{BaseURL: server.URL + "/v1", Key: "secret", ChatModel: "fake"}
}

// reply is what the model says, in pieces: as a judge, to the greeting, and then.
func reply(judging, playing bool, answered int) []string {
	const stop, tools = `{"delta":{},"finish_reason":"stop"}`, `{"delta":{},"finish_reason":"tool_calls"}`
	switch {
	case judging && !playing:
		verdict, _ := json.Marshal(`{"assertions":[{"number":1,"verdict":"holds","quote":"opening hours","why":"It asked."}]}`)
		return []string{`{"delta":{"content":` + string(verdict) + `}}`, stop}
	case answered == 0:
		return []string{`{"delta":{"content":"What are your "}}`, `{"delta":{"content":"opening hours?"}}`, stop}
	}
	return []string{
		`{"delta":{"content":"No thank you, goodbye."}}`,
		`{"delta":{"tool_calls":[{"index":0,"id":"t1","function":{"name":"hang_up","arguments":"{"}}]}}`,
		`{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"}"}}]}}`,
		tools,
	}
}
