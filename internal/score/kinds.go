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
	phrase := []ParamInfo{{"phrase", "string", true, "the words; case and punctuation do not matter, nor how a number, a date or a contraction is written"}}
	return []kind{
		{KindInfo{KindSay, 17, "the agent says a phrase, in any turn", false, phrase}, buildSay(false)},
		{KindInfo{KindDoNotSay, 14, "the agent never says a phrase", false, phrase}, buildSay(true)},
		{KindInfo{KindRegex, 7, "the text of a turn matches a regular expression (RE2, case ignored)", false, []ParamInfo{
			{"pattern", "string", true, "the regular expression"},
			{"speaker", "string", false, `whose turns: "agent" (default) or "caller"`},
			{"never", "boolean", false, "true: no turn may match"},
		}}, buildRegex},
		{KindInfo{KindFactStated, 18, "the agent states a value, however it is spoken", false, []ParamInfo{
			{"name", "string", false, "what the value is, as reasons name it (\"price\")"},
			{"value", "string", true, "the value: words, a number, an amount, a time, a date"},
		}}, buildFact},
		{KindInfo{KindToolCalled, 2, "the agent calls a tool with these arguments, or never does", true, []ParamInfo{
			{"name", "string", true, "the tool's name"},
			{"arguments", "object", false, "arguments the call must have, with these values; others are allowed"},
			{"never", "boolean", false, "true: no such call may be made"},
		}}, buildTool},
		{KindInfo{KindJudge, 4, "a language model checks assertions in plain language", false, []ParamInfo{
			{"rubric", "array of strings", true, "the assertions; all must hold"},
			{"instruction", "string", false, "what the judge should know and how strict it should be"},
		}}, buildJudge},
	}
}

// factKinds are the kinds that look at measurements and at how the call went.
func factKinds() []kind {
	return []kind{
		{KindInfo{KindEndReason, 2, "the call ends the right way; without settings: the agent and its platform are not at fault for how it ends", false, []ParamInfo{
			{"any_of", "array of strings", false, "the end reasons that are right"},
			{"script_done", "boolean", false, "the caller must have reached the end of its script"},
		}}, buildEnding},
		{KindInfo{KindTiming, 2, "a measured figure lies within limits", false, []ParamInfo{
			{"metric", "string", true, "the metric's name, one of the keys of a call's metrics, such as turn_latency, overlap_seconds or mos"},
			{"stat", "string", false, "for metrics with many values: n, mean, p50, p90, p95, p99, min or max (default p95)"},
			{"max", "number", false, "the highest value allowed, in the metric's unit"},
			{"min", "number", false, "the lowest value allowed, in the metric's unit"},
		}}, buildTiming},
		{KindInfo{KindDuration, 1, "the length of the answered call lies within limits", false, []ParamInfo{
			{"min_ms", "integer", false, "the shortest length allowed, in ms"},
			{"max_ms", "integer", false, "the longest length allowed, in ms"},
		}}, buildDuration},
		{KindInfo{KindCEL, 6, "an expression over the call is true", false, []ParamInfo{
			{"expression", "string", true, "a CEL expression that gives true or false, such as call.turn_latency.p95 < 0.8 && call.turns > 3. " + celNames},
		}}, buildCEL},
	}
}
