package score_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/score"
)

// If a transcript has no times, words are located by their turn and not by a second of the call.
func TestPlacesWithoutTimes(t *testing.T) {
	t.Parallel()
	in := &score.Input{
		Heard: call.Heard{Turns: []call.Turn{
			{Index: 0, Speaker: call.Caller, Start: -1, End: -1, Text: "Is Tuesday free?"},
			{Index: 1, Speaker: call.Agent, Start: -1, End: -1, Text: "See you Friday at ten thirty."},
		}},
		HasRecord: true, ToolCalls: []call.ToolCall{{Name: "book", Arguments: json.RawMessage(`{"day":"friday"}`), At: -1}},
	}
	for _, c := range []struct{ kind, params, where string }{
		{"say", `{"phrase":"see you Friday"}`, "in turn 1"},
		{"say", `{"phrase":"see you on Tuesday"}`, "in turn 1"},
		{"do_not_say", `{"phrase":"see you Friday"}`, "in turn 1"},
		{"fact_stated", `{"value":"10:30"}`, "in turn 1"},
		{"fact_stated", `{"value":"11:30"}`, "in turn 1"},
		{"regex", `{"pattern":"friday"}`, "in turn 1"},
		{"regex", `{"pattern":"friday","never":true}`, "in turn 1"},
		{"tool_called", `{"name":"book"}`, ""},
	} {
		got := build(t, c.kind, c.params).Score(t.Context(), in)
		if !strings.Contains(got.Reason, c.where) || strings.Contains(got.Reason, "0:") && !strings.Contains(c.params, "0:") || strings.Contains(got.Reason, "-0") {
			t.Errorf("%s %s: %s", c.kind, c.params, got.Reason)
		}
		if len(got.Evidence) != 1 || got.Evidence[0].Start >= 0 || got.Evidence[0].End >= 0 {
			t.Errorf("%s %s: the evidence is %+v", c.kind, c.params, got.Evidence)
		}
	}
}

// A tool call whose time is known is in no turn of which that cannot be said.
func TestAToolCallIsInNoTurnWithoutTimes(t *testing.T) {
	t.Parallel()
	turn := func(i int, start time.Duration) call.Turn {
		return call.Turn{Index: i, Speaker: call.Agent, Start: start, End: start, Text: "one moment"}
	}
	for want, turns := range map[int][]call.Turn{
		-1: {turn(0, -1), turn(1, -1), turn(2, -1)},
		1:  {turn(0, 1000*ms), turn(1, 4000*ms), turn(2, -1), turn(3, 9000*ms)},
	} {
		in := &score.Input{Heard: call.Heard{Turns: turns}, HasRecord: true, ToolCalls: []call.ToolCall{{Name: "book", At: 5000 * ms}}}
		got := build(t, "tool_called", `{"name":"book"}`).Score(t.Context(), in)
		if len(got.Evidence) != 1 || got.Evidence[0].Turn != want || got.Evidence[0].Start != 5000*ms {
			t.Errorf("the evidence is %+v, want it in turn %d", got.Evidence, want)
		}
	}
}

// Platforms do not tell the times of all words of a turn. What they leave out was said all the same.
func TestWordsWithoutTimesWereSaidToo(t *testing.T) {
	t.Parallel()
	const text = "Your new card costs forty five dollars. We call you on Friday."
	timed := func(words ...string) (out []call.Word) {
		for i, w := range words {
			out = append(out, call.Word{Text: w, Start: time.Duration(i) * 300 * ms, End: time.Duration(i+1) * 300 * ms})
		}
		return out
	}
	for name, words := range map[string][]call.Word{
		"all but the beginning": timed("We", "call", "you", "on", "Friday."), "all but the end": timed("Your", "new", "card"),
		"all":                  timed("your", "new", "card", "costs", "forty", "five", "dollars", "we", "call", "you", "on", "friday"),
		"all, in other pieces": timed("your", "new", "card", "costs", "fortyfive", "dollars", "we", "call", "you", "onfriday"),
		"all, in other signs":  timed("your", "new", "card", "costs", "$45", ".", "we", "call", "you", "on", "friday", "."),
	} {
		in := &score.Input{Heard: call.Heard{Turns: []call.Turn{{Speaker: call.Agent, Start: 0, End: 6000 * ms, Text: text, Words: words}}}}
		for kind, want := range map[string]call.Verdict{"say": call.Passed, "do_not_say": call.NotPassed} {
			for _, phrase := range []string{"new card", "we call you"} {
				if got := build(t, kind, `{"phrase":"`+phrase+`"}`).Score(t.Context(), in); got.Verdict != want {
					t.Errorf("%s: %s %q: %s, %s", name, kind, phrase, got.Verdict, got.Reason)
				}
			}
		}
		if _, ok := score.Quote(&in.Heard, 0, "your new card"); !ok {
			t.Errorf("%s: the quote is not found", name)
		}
	}
}

// An expression that asks for the time of a tool call is not true because nobody knows that time.
func TestAnExpressionKnowsNoTimeThatIsNotTold(t *testing.T) {
	t.Parallel()
	for expression, want := range map[string]call.Verdict{
		"call.tool_calls.all(t, t.at < 10.0)":                        call.NotEvaluated,
		"call.tool_calls.exists(t, t.name == 'book' && t.at < 10.0)": call.NotEvaluated,
		"call.tool_calls.exists(t, t.name == 'find')":                call.Passed,
		"call.tool_calls.exists(t, t.name == 'find' && t.at < 10.0)": call.Passed,
		"call.tool_calls.all(t, has(t.at))":                          call.NotPassed,
	} {
		in := &score.Input{HasRecord: true, ToolCalls: []call.ToolCall{{Name: "find", At: 5000 * ms}, {Name: "book", At: -1}}}
		if got := build(t, "cel", `{"expression":"`+expression+`"}`).Score(t.Context(), in); got.Verdict != want {
			t.Errorf("%s: %s, %s", expression, got.Verdict, got.Reason)
		}
	}
}
