package score

import (
	"encoding/json"
	"fmt"
	"sort"

	"github.com/ringtrue/ringtrue/internal/scenario"
)

// FromOutput turns an item's expectations into configurations with stable
// names, such as "say:1", "fact_stated:price" and "timing:turn_latency_p95_ms".
// All are required.
func FromOutput(item scenario.Item) []Config {
	o := item.Output
	var out []Config
	add := func(name, kind string, params any) { out = append(out, expected(name, kind, params)) }
	for i, text := range o.Say {
		add(fmt.Sprintf("say:%d", i+1), KindSay, phraseParams{text})
	}
	for i, text := range o.DoNotSay {
		add(fmt.Sprintf("do_not_say:%d", i+1), KindDoNotSay, phraseParams{text})
	}
	for _, name := range sortedKeys(o.FactsStated) {
		add("fact_stated:"+name, KindFactStated, factParams{Name: name, Value: o.FactsStated[name]})
	}
	for i, t := range o.ToolCalls {
		add(fmt.Sprintf("tool_called:%d", i+1), KindToolCalled, toolParams{Name: t.Name, Arguments: t.Arguments, Never: t.Never})
	}
	if len(o.Outcome.EndReasons) > 0 || o.Outcome.ScriptDone {
		add("outcome", KindEndReason, endingParams{AnyOf: o.Outcome.EndReasons, ScriptDone: o.Outcome.ScriptDone})
	}
	out = append(out, fromTiming(o.Timing)...)
	if len(o.Rubric) > 0 {
		add("rubric", KindJudge, JudgeParams{Rubric: o.Rubric})
	}
	return out
}

// fromTiming turns bounds in milliseconds into bounds of metrics in seconds.
func fromTiming(t scenario.Timing) []Config {
	var out []Config
	for _, b := range []struct {
		name, metric, stat string
		ms                 int
	}{
		{"time_to_first_word_ms", "time_to_first_word", "", t.TimeToFirstWordMS},
		{"turn_latency_p50_ms", "turn_latency", "p50", t.TurnLatencyP50MS},
		{"turn_latency_p95_ms", "turn_latency", "p95", t.TurnLatencyP95MS},
		{"turn_latency_max_ms", "turn_latency", "max", t.TurnLatencyMaxMS},
		{"longest_dead_air_ms", "dead_air_longest", "", t.LongestDeadAirMS},
		{"overlap_ms", "overlap_seconds", "", t.OverlapMS},
		{"yield_time_ms", "yield_time", "max", t.YieldTimeMS},
	} {
		if b.ms > 0 {
			limit := float64(b.ms) / 1000
			out = append(out, expected("timing:"+b.name, KindTiming, boundParams{Metric: b.metric, Stat: b.stat, Max: &limit}))
		}
	}
	if t.DurationMinMS > 0 || t.DurationMaxMS > 0 {
		out = append(out, expected("timing:duration", KindDuration,
			durationParams{MinMS: int64(t.DurationMinMS), MaxMS: int64(t.DurationMaxMS)}))
	}
	return out
}

// expected returns a required configuration. params is one of this package's
// structs; marshalling it cannot fail, since its only free part was read from
// JSON.
func expected(name, kind string, params any) Config {
	data, err := json.Marshal(params)
	if err != nil {
		data = fmt.Appendf(nil, `{"unwritable":%q}`, err.Error())
	}
	return Config{Slug: name, Name: name, Kind: kind, Params: data}
}

func sortedKeys(m map[string]string) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}
