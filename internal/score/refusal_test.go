package score

import (
	"encoding/json"
	"testing"
)

// Refusals name the unknown name of an expression, and the JSON type that a parameter needs. In
// JSON Schema, and so in the description of the kinds, 1500.0 is a whole number.
func TestWholeNumbersOfParameters(t *testing.T) {
	t.Parallel()
	for _, number := range []string{"1500", "1500.0", "1.5e3"} {
		if _, bad := Build(Config{Kind: KindDuration, Params: json.RawMessage(`{"max_ms":` + number + `}`)}, Deps{}); bad != nil {
			t.Errorf("%s: %v", number, bad)
		}
	}
}

func TestRefusalsNameWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ kind, params, message, suggestion string }{
		{KindCEL, `{"expression":"call.turnz > 1"}`, `a call has no "call.turnz"`, "call.turns"},
		{KindCEL, `{"expression":"call.turns > 1 &&\n 'ä' != '' && call.turn_latency.p59 < 1.0"}`, `a call has no "call.turn_latency.p59"`, "call.turn_latency.p50"},
		{KindCEL, `{"expression":"call.agent_txt.contains('a')"}`, `a call has no "call.agent_txt"`, "call.agent_text"},
		{KindCEL, `{"expression":"call == 1"}`, `a call has no "call"`, ""},
		{KindCEL, `{"expression":"turns > 1"}`, "the expression does not compile: ERROR: <input>:1:1: undeclared reference to 'turns' (in container '')", ""},
		{KindSay, `{"phrase":["a"]}`, "must be text", ""},
		{KindToolCalled, `{"name":"a","arguments":[1]}`, "must be an object", ""},
		{KindToolCalled, `{"name":"a","never":"yes"}`, "must be true or false", ""},
		{KindTiming, `{"metric":"turn_latency","max":"1"}`, "must be a number", ""},
		{KindDuration, `{"max_ms":1.5}`, "must be a whole number", ""},
		{KindJudge, `{"rubric":"a"}`, "must be a list", ""},
	} {
		_, bad := Build(Config{Kind: c.kind, Params: json.RawMessage(c.params)}, Deps{})
		if bad == nil || len(bad.Fields) != 1 || bad.Fields[0].Message != c.message {
			t.Errorf("%s: %v, want %s", c.params, bad, c.message)
			continue
		}
		if c.suggestion != "" && bad.Fields[0].Suggestion != c.suggestion {
			t.Errorf("%s suggests %q, want %q", c.params, bad.Fields[0].Suggestion, c.suggestion)
		}
	}
}
