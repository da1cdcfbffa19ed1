package score

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// boundParams are the settings of timing.
type boundParams struct {
	Metric string   `json:"metric"`
	Stat   string   `json:"stat,omitempty"`
	Max    *float64 `json:"max,omitempty"`
	Min    *float64 `json:"min,omitempty"`
}

// bound checks a measured figure.
type bound struct {
	mark Mark
	want boundParams
	info MetricInfo
}

func buildTiming(params json.RawMessage, m Mark, _ Deps) (Scorer, *problem.Error) {
	var p boundParams
	if e := decode(params, &p); e != nil {
		return nil, e
	}
	info, ok := metricOf(p.Metric)
	if !ok {
		return nil, problem.Invalid(problem.Field{
			Path: "params.metric", Message: "there is no metric " + quoted(p.Metric), Suggestion: problem.Nearest(p.Metric, metricNames()),
		})
	}
	switch {
	case p.Stat != "" && !info.Spread:
		return nil, invalid("params.stat", "the metric "+p.Metric+" is a single figure")
	case p.Stat != "" && !slices.Contains(stats(), p.Stat):
		return nil, problem.Invalid(problem.Field{Path: "params.stat", Message: "there is no such statistic", Suggestion: problem.Nearest(p.Stat, stats())})
	case p.Max == nil && p.Min == nil:
		return nil, invalid("params", "max or min is needed")
	case p.Max != nil && p.Min != nil && *p.Min > *p.Max:
		return nil, invalid("params.min", "the lower bound is above the upper one")
	}
	if p.Stat == "" && info.Spread {
		p.Stat = "p95"
	}
	return bound{mark: m, want: p, info: info}, nil
}

// Score implements Scorer.
func (b bound) Score(_ context.Context, in *Input) call.Score {
	value, n, reason := figure(in.Metrics, b.want.Metric, b.want.Stat)
	if reason != "" {
		return b.mark.Score(call.NotEvaluated, fmt.Sprintf("%s has no value: %s", b.title(), reason))
	}
	s := b.verdict(value, n)
	if why := b.faint(in); why != "" && s.Verdict == call.NotPassed {
		s = b.mark.Score(call.NotEvaluated, s.Reason+why)
	}
	s.Value, s.Unit = &value, b.unit()
	if s.Verdict == call.NotPassed {
		s.Evidence = b.place(in, value)
	}
	return s
}

// faint returns a sentence saying why it cannot be told who spoke over whom, "" if it can or
// the metric does not depend on it. An agent so soft that half of its syllables are as quiet as
// the line seems to pause where it does not, and does so to its callers as well.
func (b bound) faint(in *Input) string {
	switch b.want.Metric {
	case "agent_interruptions", "overlap_seconds", "overlap_ratio", "turn_taking", "yield_time", "barge_in_success", "missed_barge_in",
		"false_barge_in", "backchannel_selectivity", "backchannel_errors":
	default:
		return ""
	}
	level, _, missing := figure(in.Metrics, "level", "")
	if missing != "" || level >= faintest {
		return ""
	}
	return fmt.Sprintf(" But the agent's speech, at %.0f dBFS, was too quiet to tell where it paused, so this was not evaluated.", level)
}

func (b bound) verdict(value float64, n int) call.Score {
	shown := func(limit float64, words string) string {
		decimals := apart(value, limit, 3)
		return b.title() + b.verb() + withUnit(value, b.unit(), decimals) + words + withUnit(limit, b.unit(), decimals)
	}
	over := "."
	if n > 0 && b.want.Stat != "n" {
		over = fmt.Sprintf(" (%d %s).", n, plural(n, "value"))
	}
	low, high := b.want.Min, b.want.Max
	switch {
	case high != nil && value > *high:
		return b.mark.Score(call.NotPassed, shown(*high, ", above the limit of ")+over)
	case low != nil && value < *low:
		return b.mark.Score(call.NotPassed, shown(*low, ", below the minimum of ")+over)
	case high != nil:
		return b.mark.Score(call.Passed, shown(*high, ", within the limit of ")+over)
	}
	return b.mark.Score(call.Passed, shown(*low, ", at or above the minimum of ")+over)
}

// unit is the unit of what is compared: how many values there are is a count whatever they measure.
func (b bound) unit() string {
	if b.want.Stat == "n" {
		return "count"
	}
	return b.info.Unit
}

// title names the metric as a sentence begins with it.
func (b bound) title() string {
	name, ok := map[string]string{
		"barge_in_success": "Successful barge-ins", "missed_barge_in": "Missed barge-ins", "false_barge_in": "False barge-ins",
		"overlap_seconds": "Overlap", "dead_air_total": "Total dead air", "dead_air_longest": "Longest dead air",
		"words_per_minute": "Speaking rate", "loss": "Packet loss", "jitter_max": "Maximum jitter", "r_factor": "R factor",
		"mos": "MOS", "level": "Speech level", "snr": "SNR", "dropouts_per_minute": "Dropouts",
	}[b.want.Metric]
	if !ok {
		name = strings.ReplaceAll(b.want.Metric, "_", " ")
		name = strings.ToUpper(name[:1]) + name[1:]
	}
	if b.want.Stat == "" {
		return name
	}
	return name + " (" + b.want.Stat + ")"
}

// verb stands between title and value. Counts have plural titles, which no single verb suits.
func (b bound) verb() string {
	switch b.unit() {
	case "count", "per_min":
		return ": "
	}
	return " was "
}

// maxPlaces limits how many places are shown for a metric.
const maxPlaces = 5

// place returns where the value comes from: for a metric with many values the place of the most
// extreme one, otherwise all places.
func (b bound) place(in *Input, value float64) []call.Evidence {
	i := slices.IndexFunc(in.Metrics, func(m call.Metric) bool { return m.Name == b.want.Metric })
	if i < 0 {
		return nil
	}
	m := &in.Metrics[i]
	places := m.Places
	if m.Spread != nil && len(m.Spread.Values) == len(places) && len(places) > 0 {
		worst := farthest(m.Spread.Values, b.want.Max != nil && value > *b.want.Max)
		places = places[worst : worst+1]
	}
	var out []call.Evidence
	for _, p := range places[:min(len(places), maxPlaces)] {
		out = append(out, stretch(&in.Heard, p))
	}
	return out
}

// farthest returns the index of the largest value, or of the smallest if the figure is too low.
func farthest(values []float64, high bool) int {
	best := 0
	for i, v := range values {
		if high && v > values[best] || !high && v < values[best] {
			best = i
		}
	}
	return best
}

// figure returns a metric's value, or one of its statistics, with the number of values behind
// it. If there is none, reason is a full sentence saying why.
func figure(metrics []call.Metric, name, stat string) (value float64, n int, reason string) {
	for _, m := range metrics {
		if m.Name != name {
			continue
		}
		switch {
		case stat != "" && m.Spread != nil && m.Spread.N > 0:
			return statOf(m.Spread, stat), m.Spread.N, ""
		case stat == "" && m.Value != nil:
			return *m.Value, 0, ""
		case m.Reason != "":
			return 0, 0, strings.TrimRight(m.Reason, ". ") + "."
		}
		return 0, 0, "nothing in this call could be measured for it."
	}
	return 0, 0, "it was not measured in this call."
}

func statOf(s *call.Spread, stat string) float64 {
	switch stat {
	case "n":
		return float64(s.N)
	case "mean":
		return s.Mean
	case "p50":
		return s.P50
	case "p90":
		return s.P90
	case "p95":
		return s.P95
	case "p99":
		return s.P99
	case "min":
		return s.Min
	}
	return s.Max
}

func stats() []string { return []string{"n", "mean", "p50", "p90", "p95", "p99", "min", "max"} }

// apart returns the decimals, the usual ones or more, with which a value does not look like the limit that it misses.
func apart(v, limit float64, usual int) int {
	for decimals := usual; decimals < usual+6; decimals++ {
		if rounded(v, decimals) != rounded(limit, decimals) {
			return decimals
		}
	}
	return usual
}

func rounded(v float64, decimals int) float64 {
	shift := math.Pow10(decimals)
	return math.Round(v*shift) / shift
}

// withUnit formats a value with its unit for people, with so many decimals at most.
func withUnit(v float64, unit string, decimals int) string {
	text := strconv.FormatFloat(rounded(v, decimals)+0, 'f', -1, 64) // +0 has no sign
	switch unit {
	case "", "ratio", "count", "R", "MOS":
		return text
	case "wpm":
		return text + " words per minute"
	case "per_min":
		return text + " per minute"
	}
	return text + " " + unit
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
