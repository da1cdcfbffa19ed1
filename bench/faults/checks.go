package main

import (
	"encoding/json"
	"fmt"

	"github.com/ringtrue/ringtrue/internal/catalog"
	"github.com/ringtrue/ringtrue/internal/score"
)

// bounds returns the bounds that the agent is held to in every call, one scorer for each metric.
// They are written down before anything is measured and are the same for every agent. The statistic
// "" is that of a single value.
func bounds() []bound {
	return []bound{
		{metric: "time_to_first_word", max: 1.5},
		{metric: "turn_latency", stat: "max", max: 1.2},
		{metric: "turn_latency_tool", stat: "max", max: 1.2},
		{metric: "turn_taking", min: 0.8},
		{metric: "yield_time", stat: "max", max: 1.5},
		{metric: "barge_in_success", min: 1},
		{metric: "missed_barge_in", max: 0},
		{metric: "false_barge_in", max: 0},
		{metric: "backchannel_selectivity", min: 1},
		{metric: "backchannel_errors", max: 0},
		{metric: "agent_interruptions", max: 0},
		{metric: "overlap_seconds", max: 2.2},
		{metric: "overlap_ratio", max: 0.12},
		{metric: "dead_air_count", max: 0},
		{metric: "dead_air_total", max: 2},
		{metric: "dead_air_longest", max: 2},
		{metric: "talk_ratio", min: 0.3, max: 0.9},
		{metric: "longest_monologue", max: 9.5},
		{metric: "words_per_minute", min: 90, max: 240},
		{metric: "packets_sent", min: 100},
		{metric: "packets_received", min: 100},
		{metric: "packets_lost", max: 5},
		{metric: "packets_late", max: 5},
		{metric: "packets_duplicate", max: 5},
		{metric: "loss", max: 0.01},
		{metric: "jitter", max: 0.03},
		{metric: "jitter_max", max: 0.06},
		{metric: "round_trip", max: 0.4},
		{metric: "longest_gap", max: 0.2},
		{metric: "r_factor", min: 80},
		{metric: "mos", min: 4},
		{metric: "level", min: -35, max: -10},
		{metric: "clipping", max: 0.001},
		{metric: "snr", min: 25},
		{metric: "dropouts", max: 3},
		{metric: "dropouts_per_minute", max: 5},
	}
}

type bound struct {
	metric, stat string
	min, max     float64
}

// params returns the parameters of the scorer. Without any bounds the metric must be at most 0.
func (b bound) params() map[string]any {
	p := map[string]any{"metric": b.metric}
	if b.stat != "" {
		p["stat"] = b.stat
	}
	if b.min != 0 {
		p["min"] = b.min
	}
	if b.max != 0 || b.min == 0 {
		p["max"] = b.max
	}
	return p
}

// askedOnce returns the questions that a good agent asks only once in a call, by name.
func askedOnce() map[string]string {
	return map[string]string{"day": "which day", "name": "may i have your name", "time": "what time would you like"}
}

// phrases returns phrases that nobody says twice in one turn.
func phrases() map[string]string {
	return map[string]string{"help": "how can i help", "else": "anything else", "day": "which day would", "name": "may i have your name", "right": "is that right", "cancel": "shall i cancel", "move": "shall i move"}
}

// scorers returns the checks by which every call is scored, in addition to what its item expects.
func scorers() []catalog.ScorerInput {
	var out []catalog.ScorerInput
	add := func(slug, kind string, params any) {
		data, err := json.Marshal(params)
		if err != nil {
			panic(err) // the parameters are literals in this file
		}
		out = append(out, catalog.ScorerInput{Slug: slug, Kind: kind, Params: data})
	}
	for _, b := range bounds() {
		add("bound-"+dashed(b.metric), score.KindTiming, b.params())
	}
	add("duration", score.KindDuration, map[string]any{"min_ms": 12_000, "max_ms": 100_000})
	add("understands", score.KindRegex, map[string]any{"never": true, "pattern": `did not understand|could you say that again`})
	add("no-transfer", score.KindToolCalled, map[string]any{"name": "transfer_call", "never": true})
	add("greets", score.KindRegex, map[string]any{"pattern": `how can i help`})
	add("ends-well", score.KindEndReason, map[string]any{"any_of": []string{"completed", "agent_hung_up"}, "script_done": true})
	add("blameless-end", score.KindEndReason, map[string]any{})
	for name, words := range phrases() {
		add("says-once-"+name, score.KindRegex, map[string]any{"never": true, "pattern": words + ".*" + words})
	}
	for name, words := range askedOnce() {
		add("asks-once-"+name, score.KindCEL, map[string]any{
			"expression": fmt.Sprintf(`!call.agent_text.matches("(?s)%s.*%s")`, words, words),
		})
	}
	add("reads-well", score.KindJudge, map[string]any{"rubric": []string{
		`At most 1 turn of the agent holds "which day would you like".`,
		`At most 0 turns of the agent hold "i am sorry i did not understand".`,
	}})
	return out
}

// dashed returns a metric's name as a slug.
func dashed(name string) string {
	out := []byte(name)
	for i, c := range out {
		if c == '_' {
			out[i] = '-'
		}
	}
	return string(out)
}
