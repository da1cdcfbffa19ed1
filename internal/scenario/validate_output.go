package scenario

import (
	"slices"
	"strings"

	"github.com/ringtrue/ringtrue/internal/call"
)

func (c *checker) output(path string, out *Output) {
	c.phrases(join(path, "say"), out.Say)
	c.phrases(join(path, "do_not_say"), out.DoNotSay)
	for i, phrase := range out.DoNotSay {
		if slices.ContainsFunc(out.Say, func(must string) bool { return strings.EqualFold(strings.TrimSpace(must), strings.TrimSpace(phrase)) }) {
			c.add(at(join(path, "do_not_say"), i), "is also in say, so no agent could pass")
		}
	}
	c.phrases(join(path, "rubric"), out.Rubric)
	if n := len(out.Rubric); n <= maxPhrases { // otherwise reported already
		c.count(join(path, "rubric"), n, MaxAssertions, "assertions")
	}
	c.count(join(path, "facts_stated"), len(out.FactsStated), maxPhrases, "facts")
	for _, name := range sortedKeys(out.FactsStated) {
		here := join(path, "facts_stated."+printable(name))
		c.oneLine(here, name, maxName)
		c.spoken(here, out.FactsStated[name], maxLine)
	}
	c.tools(join(path, "tool_calls"), out.ToolCalls)
	known := call.EndCodes()
	for i, code := range out.Outcome.EndReasons {
		if !slices.Contains(known, code) {
			c.suggest(at(join(path, "outcome.end_reasons"), i), code, known, "%q is not a way a call can end", clip(code))
		}
	}
	c.timing(join(path, "timing"), &out.Timing)
}

func (c *checker) tools(path string, list []ToolExpectation) {
	c.count(path, len(list), maxPhrases, "tool calls")
	for i, t := range list {
		here := at(path, i)
		if t.Name == "" {
			c.add(join(here, "name"), "is missing")
		}
		c.oneLine(join(here, "name"), t.Name, maxName)
		forbids := t.Never && len(t.Arguments) == 0
		if forbids && slices.ContainsFunc(list, func(other ToolExpectation) bool { return !other.Never && other.Name == t.Name }) {
			c.add(here, "forbids what another one expects, so no agent could pass")
		}
	}
}

func (c *checker) timing(path string, t *Timing) {
	for _, bound := range []struct {
		key   string
		value int
	}{
		{"time_to_first_word_ms", t.TimeToFirstWordMS},
		{"turn_latency_p50_ms", t.TurnLatencyP50MS},
		{"turn_latency_p95_ms", t.TurnLatencyP95MS},
		{"turn_latency_max_ms", t.TurnLatencyMaxMS},
		{"longest_dead_air_ms", t.LongestDeadAirMS},
		{"overlap_ms", t.OverlapMS},
		{"yield_time_ms", t.YieldTimeMS},
		{"duration_min_ms", t.DurationMinMS},
		{"duration_max_ms", t.DurationMaxMS},
	} {
		c.within(join(path, bound.key), bound.value, 1, maxDuration)
	}
	if t.DurationMaxMS != 0 && t.DurationMinMS > t.DurationMaxMS {
		c.add(join(path, "duration_min_ms"), "is more than duration_max_ms")
	}
}

func (c *checker) metadata(path string, m map[string]any) {
	c.count(path, len(m), maxFacts, "keys")
	for _, name := range sortedKeys(m) {
		c.text(join(path, name), name, maxName)
		if text, ok := m[name].(string); ok {
			c.text(join(path, name), text, maxText)
		}
	}
}
