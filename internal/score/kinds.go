package score

import (
	"encoding/json"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// The scorer kinds.
const (
	KindSay        = "say"
	KindDoNotSay   = "do_not_say"
	KindRegex      = "regex"
	KindFactStated = "fact_stated"
	KindToolCalled = "tool_called"
	KindEndReason  = "end_reason"
	KindTiming     = "timing"
	KindDuration   = "duration"
	KindCEL        = "cel"
	KindJudge      = "judge"
)

// builder makes a scorer from its parameters.
type builder func(params json.RawMessage, m Mark, deps Deps) (Scorer, *problem.Error)

// kind is a scorer kind with its builder.
type kind struct {
	KindInfo
	build builder
}

// kinds returns every scorer kind.
func kinds() []kind { return append(wordKinds(), factKinds()...) }

// wordKinds are the kinds that look at words and tool calls.
func wordKinds() []kind {
	phrase := []ParamInfo{{"phrase", "string", true, "the words; how they are matched is in docs/scorers.md"}}
	return []kind{
		{KindInfo{KindSay, 9, "the agent says a phrase, in any turn", false, phrase}, buildSay(false)},
		{KindInfo{KindDoNotSay, 6, "the agent never says a phrase", false, phrase}, buildSay(true)},
		{KindInfo{KindRegex, 5, "the text of a turn matches a regular expression (RE2, case ignored)", false, []ParamInfo{
			{"pattern", "string", true, "the regular expression"},
			{"speaker", "string", false, `whose turns: "agent" (default) or "caller"`},
			{"never", "boolean", false, "no turn may match"},
		}}, buildRegex},
		{KindInfo{KindFactStated, 10, "the agent states a value, however it is spoken", false, []ParamInfo{
			{"name", "string", false, "what the value is, for the report (\"price\")"},
			{"value", "string", true, "the value: words, a number, an amount, a time, a date"},
		}}, buildFact},
		{KindInfo{KindToolCalled, 1, "the agent calls a tool with these arguments, or never does", true, []ParamInfo{
			{"name", "string", true, "the tool's name"},
			{"arguments", "object", false, "arguments that must be there with these values; others are allowed"},
			{"never", "boolean", false, "no such call may be made"},
		}}, buildTool},
		{KindInfo{KindJudge, 2, "a language model checks assertions in plain language", false, []ParamInfo{
			{"rubric", "array of strings", true, "the assertions; all must hold"},
			{"instruction", "string", false, "what the judge should know and how strict it should be"},
		}}, buildJudge},
	}
}

// factKinds are the kinds that look at measurements and at how the call went.
func factKinds() []kind {
	return []kind{
		{KindInfo{KindEndReason, 1, "the call ends the right way; without settings: its end is not the agent's or its platform's fault", false, []ParamInfo{
			{"any_of", "array of strings", false, "the codes that are right"},
			{"script_done", "boolean", false, "the caller must have come to the end of its script"},
		}}, buildEnding},
		{KindInfo{KindTiming, 2, "a measured figure lies within bounds", false, []ParamInfo{
			{"metric", "string", true, "the metric's name (docs/metrics)"},
			{"stat", "string", false, "of metrics with many values: n, mean, p50, p90, p95, p99, min or max (default p95)"},
			{"max", "number", false, "the figure may not be above, in the metric's unit"},
			{"min", "number", false, "the figure may not be below, in the metric's unit"},
		}}, buildTiming},
		{KindInfo{KindDuration, 1, "the answered call lasts within bounds", false, []ParamInfo{
			{"min_ms", "integer", false, "at least so many ms"},
			{"max_ms", "integer", false, "at most so many ms"},
		}}, buildDuration},
		{KindInfo{KindCEL, 3, "an expression over the call holds", false, []ParamInfo{
			{"expression", "string", true, "a CEL expression that gives true or false, over call.… (docs/scorers.md)"},
		}}, buildCEL},
	}
}
