package score_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/score"
)

const ms = time.Millisecond

func word(text string, from, to time.Duration) call.Word {
	return call.Word{Text: text, Start: from * ms, End: to * ms}
}

// clinic returns a call in which the agent books an appointment.
func clinic() *score.Input {
	answered := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	value := func(v float64) *float64 { return &v }
	return &score.Input{
		Call: call.Call{
			AnsweredAt: answered, EndedAt: answered.Add(30 * time.Second), EndReason: call.EndOf(call.EndCallerHungUp, "BYE"),
		},
		Attempt: call.Attempt{Timeline: []call.Event{{Kind: call.KindScriptDone, At: 29 * time.Second}}},
		Heard: call.Heard{Turns: []call.Turn{
			{Index: 0, Speaker: call.Agent, Start: 1000 * ms, End: 3000 * ms, Text: "thank you for calling willow clinic"},
			{Index: 1, Speaker: call.Caller, Start: 4000 * ms, End: 6000 * ms, Text: "I would like to see a doctor."},
			{
				Index: 2, Speaker: call.Agent, Start: 7000 * ms, End: 11000 * ms,
				Text: "we can see you on tuesday at ten thirty it costs sixty five dollars",
				Words: []call.Word{
					word("we", 7000, 7100), word("can", 7100, 7300), word("see", 7300, 7500), word("you", 7500, 7700),
					word("on", 7700, 7800), word("tuesday", 7800, 8200), word("at", 8200, 8300), word("ten", 8300, 8600),
					word("thirty", 8600, 9000), word("it", 9000, 9200), word("costs", 9200, 9600), word("sixty", 9600, 10000),
					word("five", 10000, 10300), word("dollars", 10300, 11000),
				},
			},
		}},
		Metrics: []call.Metric{
			{Name: "turn_latency", Unit: "s", Spread: &call.Spread{N: 3, Mean: 0.9, P50: 0.8, P90: 1.1, P95: 1.2, P99: 1.2, Min: 0.6, Max: 1.25, Values: []float64{0.6, 0.8, 1.25}},
				Places: []call.Segment{{Start: 20 * time.Second, End: 21 * time.Second}, {Start: 22 * time.Second, End: 23 * time.Second}, {Start: 6000 * ms, End: 7000 * ms}}},
			{Name: "time_to_first_word", Unit: "s", Value: value(1), Places: []call.Segment{{End: 1000 * ms}}},
			{Name: "turn_taking", Unit: "score", Reason: "There was no second turn."},
		},
		HasRecord: true,
		ToolCalls: []call.ToolCall{
			{ID: "1", Name: "find_slot", Arguments: json.RawMessage(`{"day":"tuesday"}`), At: 6500 * ms},
			{ID: "2", Name: "book", Arguments: json.RawMessage(`{"day":"Tuesday","time":"10:30","patient":{"name":"Ann Lee","age":41},"tags":["a",2]}`), At: 9 * time.Second},
		},
	}
}

func build(t *testing.T, kind, params string) score.Scorer {
	t.Helper()
	s, bad := score.Build(score.Config{ID: "sc_1", Name: "check", Kind: kind, Version: 7, Params: json.RawMessage(params)}, score.Deps{})
	if bad != nil {
		t.Fatalf("%s %s: %v", kind, params, bad)
	}
	return s
}

func TestScorers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind, params string
		verdict      call.Verdict
		// reason is a part of the reason, quote that of the first evidence.
		reason, quote string
		turn          int
	}{
		{"say", `{"phrase":"Thank you for calling"}`, call.Passed, "100 % alike", "thank you for calling", 0},
		{"say", `{"phrase":"Is there anything else?"}`, call.NotPassed, "never said", "", 0},
		{"say", `{"phrase":"we can see you on monday"}`, call.NotPassed, "the closest words were", "we can see you on tuesday", 2},
		{"say", `{"phrase":"I would like to see a doctor"}`, call.NotPassed, "never said", "we can see", 2},
		{"do_not_say", `{"phrase":"sixty five dollars"}`, call.NotPassed, "must not say", "sixty five dollars", 2},
		{"do_not_say", `{"phrase":"$45"}`, call.Passed, "did not say", "", 0},
		{"fact_stated", `{"name":"price","value":"$65"}`, call.Passed, "the price", "sixty five dollars", 2},
		{"fact_stated", `{"name":"price","value":"$45"}`, call.NotPassed, "the closest value it gave was", "sixty five dollars", 2},
		{"fact_stated", `{"name":"day","value":"Thursday"}`, call.NotPassed, "the closest value it gave was", "tuesday", 2},
		{"fact_stated", `{"value":"10:45"}`, call.NotPassed, "the closest value it gave was", "ten thirty", 2},
		{"fact_stated", `{"value":"10:30"}`, call.Passed, "0:08.3", "ten thirty", 2},
		{"fact_stated", `{"value":"10 o'clock"}`, call.NotPassed, "the closest value it gave was", "ten thirty", 2},
		{"fact_stated", `{"value":"March 3rd"}`, call.NotPassed, "or any value of that kind", "", 0},
		{"regex", `{"pattern":"ten (thirty|forty)"}`, call.Passed, "matches", "ten thirty", 2},
		{"regex", `{"pattern":"DOCTOR","speaker":"caller"}`, call.Passed, "caller said", "doctor", 1},
		{"regex", `{"pattern":"doctor","never":true}`, call.Passed, "Nothing the agent said", "", 0},
		{"regex", `{"pattern":"dollars$","never":true}`, call.NotPassed, "matches the forbidden pattern", "dollars", 2},
		{"regex", `{"pattern":"nowhere"}`, call.NotPassed, "No turn", "", 0},
		{"tool_called", `{"name":"book"}`, call.Passed, "The agent called book", "book(", 2},
		{"tool_called", `{"name":"book","arguments":{"day":"tuesday","patient":{"age":41.0},"tags":["A",2]}}`, call.Passed, "at 0:09.0", "book(", 2},
		{"tool_called", `{"name":"book","arguments":{"day":"monday"}}`, call.NotPassed, `day is "Tuesday", not "monday"`, "book(", 2},
		{"tool_called", `{"name":"book","arguments":{"phone":"1"}}`, call.NotPassed, "phone is missing", "book(", 2},
		{"tool_called", `{"name":"cancel"}`, call.NotPassed, `has only "find_slot", "book"`, "", 0},
		{"tool_called", `{"name":"cancel","never":true}`, call.Passed, `did not call the tool "cancel", according to its own record`, "", 0},
		{"tool_called", `{"name":"book","never":true}`, call.NotPassed, "must not do", "book(", 2},
		{"end_reason", `{}`, call.Passed, "was not at fault", "we can see", 2},
		{"end_reason", `{"any_of":["completed","caller_hung_up"]}`, call.Passed, "as it should", "we can see", 2},
		{"end_reason", `{"any_of":["transferred"]}`, call.NotPassed, "should have ended as transferred", "we can see", 2},
		{"end_reason", `{"script_done":true}`, call.Passed, "end of its script", "we can see", 2},
		{"timing", `{"metric":"turn_latency","max":1.3}`, call.Passed, "Turn latency (p95) was 1.2 s, within the limit of 1.3 s (3 values).", "", 0},
		{"timing", `{"metric":"turn_latency","stat":"max","max":1.2}`, call.NotPassed, "Turn latency (max) was 1.25 s, above the limit of 1.2 s (3 values).", "we can see", 2},
		{"timing", `{"metric":"time_to_first_word","max":0.5}`, call.NotPassed, "above the limit", "thank you", 0},
		{"timing", `{"metric":"time_to_first_word","min":0.5}`, call.Passed, "at or above", "", 0},
		{"timing", `{"metric":"turn_taking","min":0.8}`, call.NotEvaluated, "There was no second turn.", "", 0},
		{"timing", `{"metric":"dead_air_longest","max":2}`, call.NotEvaluated, "not measured", "", 0},
		{"duration", `{"max_ms":20000}`, call.NotPassed, "lasted 30.00 s, longer than the 20.00 s", "we can see", 2},
		{"duration", `{"min_ms":40000}`, call.NotPassed, "shorter", "we can see", 2},
		{"duration", `{"min_ms":10000,"max_ms":40000}`, call.Passed, "within", "", 0},
		{"cel", `{"expression":"call.turn_latency.p95 < 0.8 && call.turns > 3"}`, call.NotPassed, "call.turn_latency.p95 is 1.2, call.turns is 3", "", 0},
		{"cel", `{"expression":"call.turn_latency.p95 < 2 && call.end_reason == 'caller_hung_up'"}`, call.Passed, "is true", "", 0},
		{"cel", `{"expression":"call.tool_calls.exists(t, t.name == 'book' && t.arguments.time == '10:30')"}`, call.Passed, "is true", "", 0},
		{"cel", `{"expression":"call.agent_text.contains('clinic') && call.script_done"}`, call.Passed, "is true", "", 0},
		{"cel", `{"expression":"call.turn_taking > 0.5"}`, call.NotEvaluated, "There was no second turn.", "", 0},
		{"cel", `{"expression":"call.turn_latency.values.all(v, v < 1.0)"}`, call.NotPassed, "is false", "", 0},
		{"cel", `{"expression":"call.yield_time.values.all(v, v < 1.0)"}`, call.NotEvaluated, "call.yield_time.values has no value", "", 0},
		{"judge", `{"rubric":["the agent is polite"]}`, call.NotEvaluated, "No language model is configured", "", 0},
	} {
		s := build(t, c.kind, c.params).Score(context.Background(), clinic())
		if s.Verdict != c.verdict || !strings.Contains(s.Reason, c.reason) {
			t.Errorf("%s %s: %s because %q, want %s because …%q…", c.kind, c.params, s.Verdict, s.Reason, c.verdict, c.reason)
		}
		if s.ScorerID != "sc_1" || s.Version != 7 || s.Name != "check" || !s.Required {
			t.Errorf("%s %s: the score is marked %+v", c.kind, c.params, s)
		}
		if !strings.HasSuffix(s.Reason, ".") {
			t.Errorf("%s %s: %q is no full sentence", c.kind, c.params, s.Reason)
		}
		switch {
		case c.quote == "" && len(s.Evidence) > 0:
			t.Errorf("%s %s: unexpected evidence %+v", c.kind, c.params, s.Evidence)
		case c.quote != "" && (len(s.Evidence) == 0 || !strings.HasPrefix(s.Evidence[0].Quote, c.quote) || s.Evidence[0].Turn != c.turn):
			t.Errorf("%s %s: evidence %+v, want %q in turn %d", c.kind, c.params, s.Evidence, c.quote, c.turn)
		}
	}
}

func TestEvidenceHasThePlaceOfTheWords(t *testing.T) {
	t.Parallel()
	s := build(t, "fact_stated", `{"value":"$65"}`).Score(context.Background(), clinic())
	if len(s.Evidence) != 1 || s.Evidence[0].Start != 9600*ms || s.Evidence[0].End != 11*time.Second {
		t.Errorf("the evidence is %+v", s.Evidence)
	}
	// Words without times are spread over the turn.
	s = build(t, "say", `{"phrase":"willow clinic"}`).Score(context.Background(), clinic())
	if len(s.Evidence) != 1 || s.Evidence[0].Start < 2*time.Second || s.Evidence[0].End != 3*time.Second {
		t.Errorf("the evidence is %+v", s.Evidence)
	}
}

func TestSelfTestGradeIsSaid(t *testing.T) {
	t.Parallel()
	in := clinic()
	in.Heard.SelfTestGrade = true
	for _, params := range []string{`{"phrase":"thank you for calling"}`, `{"phrase":"no such thing"}`} {
		if s := build(t, "say", params).Score(context.Background(), in); !strings.Contains(s.Reason, "self-test-grade") {
			t.Errorf("the reason is %q", s.Reason)
		}
	}
}

func TestScoresThatNeedTheRecordWaitForIt(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{{"tool_called", `{"name":"book"}`}, {"tool_called", `{"name":"book","never":true}`}, {"cel", `{"expression":"size(call.tool_calls) == 0"}`}} {
		in := clinic()
		in.HasRecord, in.ToolCalls, in.MayStillCome = false, nil, true
		s := build(t, c[0], c[1]).Score(context.Background(), in)
		if s.Verdict != call.NotEvaluated || !s.Waits {
			t.Errorf("%v while the record may come: %+v", c, s)
		}
		in.MayStillCome = false
		s = build(t, c[0], c[1]).Score(context.Background(), in)
		if s.Verdict != call.NotEvaluated || s.Waits || s.Reason == "" {
			t.Errorf("%v without a record: %+v", c, s)
		}
	}
}

func TestEndOfLongCallIsToldInMinutes(t *testing.T) {
	t.Parallel()
	for length, want := range map[time.Duration]string{61*time.Second + 500*time.Millisecond: "after 61.50 s", 3*time.Hour + 7*time.Minute: "after 187 min 0 s", 203_632 * time.Millisecond: "after 3 min 24 s"} {
		in := clinic()
		in.Call.EndedAt = in.Call.AnsweredAt.Add(length)
		in.Call.EndReason = call.EndOf(call.EndCompleted, "")
		if got := build(t, "end_reason", ``).Score(t.Context(), in); !strings.Contains(got.Reason, want) {
			t.Errorf("%s, want %q", got.Reason, want)
		}
	}
}

func TestEndOfCallBlamesTheRightSide(t *testing.T) {
	t.Parallel()
	for code, want := range map[call.EndCode]call.Verdict{
		call.EndCompleted: call.Passed, call.EndCallerHungUp: call.Passed, call.EndAgentHungUp: call.NotPassed, call.EndBusy: call.NotPassed,
		call.EndProviderError: call.NotPassed, call.EndUnreachable: call.NotEvaluated, call.EndUnknown: call.NotEvaluated, call.EndRingtrueError: call.NotEvaluated,
	} {
		in := clinic()
		in.Call.EndReason = call.EndOf(code, "")
		if s := build(t, "end_reason", ``).Score(context.Background(), in); s.Verdict != want {
			t.Errorf("%s: %s (%s), want %s", code, s.Verdict, s.Reason, want)
		}
	}
	in := clinic()
	in.Attempt.Timeline = nil
	if s := build(t, "end_reason", `{"script_done":true,"any_of":["caller_hung_up"]}`).Score(context.Background(), in); s.Verdict != call.NotPassed {
		t.Errorf("without the end of the script: %+v", s)
	}
}

// An agent's scorers go for its production calls too, which have neither script nor goal.
func TestAProductionCallHasNoScript(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind, params string
		end          call.EndCode
		want         call.Verdict
	}{
		{"end_reason", `{"script_done":true}`, call.EndCompleted, call.NotEvaluated},
		{"end_reason", `{"script_done":true}`, call.EndAgentError, call.NotPassed},
		{"end_reason", `{"script_done":true,"any_of":["transferred"]}`, call.EndCompleted, call.NotPassed},
		{"end_reason", `{"script_done":true,"any_of":["transferred"]}`, call.EndTransferred, call.NotEvaluated},
		{"cel", `{"expression":"call.script_done"}`, call.EndCompleted, call.NotEvaluated},
		{"cel", `{"expression":"!call.goal_reached && call.turns > 0"}`, call.EndCompleted, call.NotEvaluated},
		{"cel", `{"expression":"call.goal_reached || call.turns > 0"}`, call.EndCompleted, call.Passed},
	} {
		in := clinic()
		in.Call.Origin, in.Call.EndReason = call.Production, call.EndOf(c.end, "")
		if s := build(t, c.kind, c.params).Score(t.Context(), in); s.Verdict != c.want {
			t.Errorf("%s %s, %s: %s (%s), want %s", c.kind, c.params, c.end, s.Verdict, s.Reason, c.want)
		}
	}
}

func TestBuildNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ kind, params, path, suggestion string }{
		{"sai", `{}`, "kind", "say"},
		{"say", `{}`, "params.phrase", ""},
		{"say", `{"phrase":"..."}`, "params.phrase", ""},
		{"say", `{"phrase":5}`, "params.phrase", ""},
		{"say", `{"frase":"hello"}`, "params.frase", "phrase"},
		{"say", `[]`, "params", ""},
		{"say", `{"phrase":"` + strings.Repeat("a", 1001) + `"}`, "params.phrase", ""},
		{"regex", `{"pattern":"("}`, "params.pattern", ""},
		{"regex", `{"pattern":"a","speaker":"bot"}`, "params.speaker", ""},
		{"tool_called", `{}`, "params.name", ""},
		{"end_reason", `{"any_of":["complete"]}`, "params.any_of[0]", "completed"},
		{"timing", `{"metric":"turn_latensy","max":1}`, "params.metric", "turn_latency"},
		{"timing", `{"metric":"turn_latency","stat":"p96","max":1}`, "params.stat", "p90"},
		{"timing", `{"metric":"overlap_seconds","stat":"p95","max":1}`, "params.stat", ""},
		{"timing", `{"metric":"turn_latency"}`, "params", ""},
		{"timing", `{"metric":"turn_latency","min":2,"max":1}`, "params.min", ""},
		{"duration", `{}`, "params", ""},
		{"duration", `{"max_ms":-1}`, "params.max_ms", ""},
		{"cel", `{"expression":""}`, "params.expression", ""},
		{"cel", `{"expression":"call.turn_latency.p96 < 1"}`, "params.expression", "call.turn_latency.p90"},
		{"cel", `{"expression":"call.unknown > 1"}`, "params.expression", ""},
		{"cel", `{"expression":"call.turns"}`, "params.expression", ""},
		{"cel", `{"expression":"call.turns >"}`, "params.expression", ""},
		{"judge", `{"rubric":[]}`, "params.rubric", ""},
		{"judge", `{"rubric":["ok"," "]}`, "params.rubric[1]", ""},
	} {
		_, bad := score.Build(score.Config{Kind: c.kind, Params: json.RawMessage(c.params)}, score.Deps{})
		if bad == nil || len(bad.Fields) == 0 {
			t.Errorf("%s %s is accepted", c.kind, c.params)
			continue
		}
		if f := bad.Fields[0]; f.Path != c.path || f.Suggestion != c.suggestion {
			t.Errorf("%s %s: %+v, want %s with %q", c.kind, c.params, f, c.path, c.suggestion)
		}
	}
}

// The type of a parameter is named in JSON's words, not in Go's.
func TestParametersOfAnotherKind(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ kind, params, path, message string }{
		{"say", `{"phrase":5}`, "params.phrase", "must be text"},
		{"regex", `{"pattern":"a","never":"x"}`, "params.never", "must be true or false"},
		{"duration", `{"max_ms":"1500"}`, "params.max_ms", "must be a whole number"},
		{"timing", `{"metric":"turn_latency","max":"1"}`, "params.max", "must be a number"},
		{"end_reason", `{"any_of":"completed"}`, "params.any_of", "must be a list"},
		{"tool_called", `{"name":"book","arguments":[5]}`, "params.arguments", "must be an object"},
	} {
		_, bad := score.Build(score.Config{Kind: c.kind, Params: json.RawMessage(c.params)}, score.Deps{})
		if bad == nil || len(bad.Fields) != 1 || bad.Fields[0].Path != c.path || bad.Fields[0].Message != c.message {
			t.Errorf("%s %s: %v, want %s: %s", c.kind, c.params, bad, c.path, c.message)
		}
	}
}

func TestExpensiveExpressionsAreStopped(t *testing.T) {
	t.Parallel()
	in := clinic()
	values := make([]float64, 400)
	in.Metrics[0].Spread.Values = values
	s := build(t, "cel", `{"expression":"call.turn_latency.values.all(a, call.turn_latency.values.all(b, call.turn_latency.values.all(c, a + b + c < 1.0)))"}`).Score(context.Background(), in)
	if s.Verdict != call.NotEvaluated || !strings.Contains(s.Reason, "cost") {
		t.Errorf("the score is %+v", s)
	}
}

// A costly regular expression could take hours on a long text, and cannot be stopped.
func TestExpensivePatternsAreRefused(t *testing.T) {
	t.Parallel()
	const costly = `(?:a?b?c?d?e?f?){1000}z`
	if _, bad := score.Build(score.Config{Kind: "regex", Params: json.RawMessage(`{"pattern":"` + costly + `"}`)}, score.Deps{}); bad == nil || bad.Fields[0].Path != "params.pattern" {
		t.Errorf("it is accepted: %v", bad)
	}
	build(t, "regex", `{"pattern":"(?:\\w+\\W+){0,500}willow"}`)
	build(t, "regex", `{"pattern":"[a-z]{1000}[a-z]{1000}[a-z]{1000}"}`) // 3000 classes written out
	for expression, want := range map[string]call.Verdict{
		"call.agent_text.matches('" + costly + "')":                           call.NotEvaluated,
		"matches(call.agent_text, '(?:a?b?c?d?e?f?)' + '{1000}z')":            call.NotEvaluated,
		"call.agent_text.matches('(')":                                        call.NotEvaluated,
		"call.agent_text.matches('[a-z]+') && matches('willow', '^w.{0,9}w')": call.Passed,
		"call.agent_text.matches('^$')":                                       call.NotPassed,
	} {
		params, err := json.Marshal(map[string]string{"expression": expression})
		if err != nil {
			t.Fatal(err)
		}
		if got := build(t, "cel", string(params)).Score(context.Background(), clinic()); got.Verdict != want {
			t.Errorf("%s: the score is %+v, want %s", expression, got, want)
		}
	}
}

func TestFromOutputCoversEveryKey(t *testing.T) {
	t.Parallel()
	item := scenario.Item{Output: scenario.Output{
		Say: []string{"hello", "goodbye"}, DoNotSay: []string{"never"}, FactsStated: map[string]string{"price": "$45", "day": "monday"},
		ToolCalls: []scenario.ToolExpectation{{Name: "book", Arguments: map[string]any{"n": 1}}, {Name: "cancel", Never: true}},
		Outcome:   scenario.Outcome{EndReasons: []string{"completed"}, ScriptDone: true},
		Timing: scenario.Timing{
			TimeToFirstWordMS: 1000, TurnLatencyP50MS: 800, TurnLatencyP95MS: 1500, TurnLatencyMaxMS: 3000, LongestDeadAirMS: 4000,
			OverlapMS: 500, YieldTimeMS: 2000, DurationMinMS: 10, DurationMaxMS: 60000,
		},
		Rubric: []string{"polite"},
	}}
	var names []string
	for _, c := range score.FromOutput(item) {
		names = append(names, c.Name)
		if c.Optional {
			t.Errorf("%s is optional", c.Name)
		}
		if _, bad := score.Build(c, score.Deps{}); bad != nil {
			t.Errorf("%s does not build: %v", c.Name, bad)
		}
	}
	want := "say:1 say:2 do_not_say:1 fact_stated:day fact_stated:price tool_called:1 tool_called:2 outcome " +
		"timing:time_to_first_word_ms timing:turn_latency_p50_ms timing:turn_latency_p95_ms timing:turn_latency_max_ms " +
		"timing:longest_dead_air_ms timing:overlap_ms timing:yield_time_ms timing:duration rubric"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("the names are\n%s\nwant\n%s", got, want)
	}
	if len(score.FromOutput(scenario.Item{})) != 0 {
		t.Error("an item without expectations has scores")
	}
}

func TestKindsAreDocumented(t *testing.T) {
	t.Parallel()
	for _, k := range score.Kinds() {
		if k.Version < 1 || k.Summary == "" {
			t.Errorf("%+v says too little", k)
		}
		for _, p := range k.Params {
			if p.Name == "" || p.Type == "" || p.Meaning == "" {
				t.Errorf("%s: %+v says too little", k.Kind, p)
			}
		}
	}
}

func FuzzBuild(f *testing.F) {
	for _, k := range score.Kinds() {
		f.Add(k.Kind, `{"phrase":"a","rubric":["x"]}`)
	}
	f.Add("cel", `{"expression":"call.turns > 1 || call.agent_text.matches('(')"}`)
	f.Add("tool_called", `{"name":"a","arguments":{"a":1e999999999}}`)
	f.Add("tool_called", `{"name":"book","arguments":{"tags":[{"a":[1]}]}}`)
	f.Fuzz(func(t *testing.T, kind, params string) {
		s, bad := score.Build(score.Config{Kind: kind, Params: json.RawMessage(params)}, score.Deps{})
		if bad != nil {
			return
		}
		if got := s.Score(context.Background(), clinic()); got.Reason == "" || got.Verdict == "" {
			t.Fatalf("%s %s: the score is %+v", kind, params, got)
		}
	})
}

// An object in a list is compared by the keys that are wanted, like any other.
func TestObjectsInListsMayHoldMoreThanIsWanted(t *testing.T) {
	t.Parallel()
	in := &score.Input{HasRecord: true, ToolCalls: []call.ToolCall{
		{Name: "order", Arguments: json.RawMessage(`{"items":[{"sku":"A1","count":2},{"sku":"B2","count":1}]}`)},
	}}
	for params, want := range map[string]call.Verdict{
		`{"name":"order","arguments":{"items":[{"sku":"a1"},{"sku":"b2","count":1.0}]}}`: call.Passed,
		`{"name":"order","arguments":{"items":[{"sku":"A1"},{"sku":"C3"}]}}`:             call.NotPassed,
		`{"name":"order","arguments":{"items":[{"sku":"A1"}]}}`:                          call.NotPassed,
	} {
		if got := build(t, "tool_called", params).Score(t.Context(), in); got.Verdict != want {
			t.Errorf("%s: %s because %s", params, got.Verdict, got.Reason)
		}
	}
}
