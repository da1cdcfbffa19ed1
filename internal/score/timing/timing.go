// Package timing computes metrics from who spoke when: how fast the agent answers,
// how it takes and yields the floor, how long nobody speaks, and what the line did
// to the sound. Its functions are pure; each metric has a version and a page under
// docs/metrics.
//
// It stands on packages call (segments, turns, line statistics) and audio (levels of
// the recording). Package review measures with it; its parent score checks the
// values against bounds.
package timing

import (
	"math"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
)

// Input is what the metrics are computed from. Everything but Heard is optional;
// metrics that lack their input say so.
type Input struct {
	// Heard holds the segments of both sides, the turns with their manner and text, and
	// the length of the media. Missing turns are built from the segments, missing
	// segments from the turns.
	Heard call.Heard
	// Stats are those of our leg; HasStats is false if the line keeps none (a loopback).
	Stats    call.LineStats
	HasStats bool
	// JitterBuffer is the delay that our receiving side adds, for the E-model.
	JitterBuffer time.Duration
	// Concealed says that lost packets were concealed, not filled with silence.
	Concealed bool
	// ToolCalls are from the agent's own record; HasRecord tells "no tool was called"
	// from "unknown".
	ToolCalls []call.ToolCall
	HasRecord bool
	// Pressed is when the caller pressed telephone keys.
	Pressed []call.Segment
	// Agent is the agent's channel of the recording, for level, clipping, noise and
	// dropouts.
	Agent audio.Clip
}

// Spec describes a metric.
type Spec struct {
	Name string
	// Version is raised whenever the result may change for the same input.
	Version int
	// Unit is "s", "ratio", "count", "wpm", "dBFS", "dB", "per_min", "R" or "MOS".
	Unit string
	// Page is the file under docs/metrics that explains it.
	Page string
}

// Catalog returns every metric of this package, in the order of Measure.
func Catalog() []Spec {
	var out []Spec
	for _, d := range definitions() {
		out = append(out, d.Spec)
	}
	return out
}

// Measure computes every metric of Catalog, in its order. A metric that cannot be
// evaluated has a nil Value and a Reason. The Value of a metric with a Spread is its
// median. No value is NaN or infinite.
func Measure(in Input) []call.Metric {
	v := look(in)
	var out []call.Metric
	for _, d := range definitions() {
		r := d.compute(v)
		m := call.Metric{Name: d.Name, Version: d.Version, Unit: d.Unit, Reason: r.reason, Spread: r.spread, Places: r.places}
		if r.reason == "" {
			m.Value, m.Reason = finite(r.value)
		}
		out = append(out, m)
	}
	return out
}

// finite returns a value, or a reason if it is NaN or infinite.
func finite(x float64) (*float64, string) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil, "the figure is not a number"
	}
	return &x, ""
}

// definition is a metric with the function that computes it.
type definition struct {
	Spec
	compute func(*view) result
}

// result is a value, or the reason why there is none.
type result struct {
	value  float64
	spread *call.Spread
	reason string
	// places show where in the call the value comes from.
	places []call.Segment
}

// seenAt sets the places that show the value.
func (r result) seenAt(places ...call.Segment) result {
	if r.reason == "" {
		r.places = places
	}
	return r
}

func is(x float64) result       { return result{value: x} }
func count(n int) result        { return result{value: float64(n)} }
func none(reason string) result { return result{reason: reason} }

// many summarises values; without any, the result is the given reason.
func many(values []float64, reason string) result {
	s := summarise(values)
	if s == nil {
		return none(reason)
	}
	return result{value: s.P50, spread: s}
}

func definitions() []definition {
	return append(append(speaking(), line()...), sound()...)
}

// speaking are the metrics of who spoke when.
func speaking() []definition {
	return []definition{
		{Spec{"time_to_first_word", 2, "s", "time_to_first_word.md"}, (*view).firstWord},
		{Spec{"turn_latency", 6, "s", "turn_latency.md"}, (*view).turnLatency},
		{Spec{"turn_latency_tool", 6, "s", "turn_latency.md"}, (*view).turnLatencyTool},
		{Spec{"turn_taking", 5, "ratio", "turn_taking.md"}, (*view).turnTaking},
		{Spec{"yield_time", 3, "s", "barge_in.md"}, (*view).yieldTime},
		{Spec{"barge_in_success", 3, "count", "barge_in.md"}, (*view).bargeInSuccess},
		{Spec{"missed_barge_in", 3, "count", "barge_in.md"}, (*view).missedBargeIn},
		{Spec{"false_barge_in", 4, "count", "barge_in.md"}, (*view).falseBargeIn},
		{Spec{"backchannel_selectivity", 4, "count", "barge_in.md"}, (*view).backchannelSelectivity},
		{Spec{"backchannel_errors", 4, "count", "barge_in.md"}, (*view).backchannelErrors},
		{Spec{"agent_interruptions", 3, "count", "overlap.md"}, (*view).agentInterruptions},
		{Spec{"overlap_seconds", 3, "s", "overlap.md"}, (*view).overlapSeconds},
		{Spec{"overlap_ratio", 3, "ratio", "overlap.md"}, (*view).overlapRatio},
		{Spec{"dead_air_count", 4, "count", "dead_air.md"}, (*view).deadAirCount},
		{Spec{"dead_air_total", 4, "s", "dead_air.md"}, (*view).deadAirTotal},
		{Spec{"dead_air_longest", 4, "s", "dead_air.md"}, (*view).deadAirLongest},
		{Spec{"talk_ratio", 3, "ratio", "talking.md"}, (*view).talkRatio},
		{Spec{"longest_monologue", 5, "s", "talking.md"}, (*view).longestMonologue},
		{Spec{"words_per_minute", 3, "wpm", "talking.md"}, (*view).wordsPerMinute},
	}
}

// line are the metrics of packets.
func line() []definition {
	return []definition{
		{Spec{"packets_sent", 1, "count", "line.md"}, packets(func(s *call.LineStats) int64 { return s.Sent })},
		{Spec{"packets_received", 1, "count", "line.md"}, packets(func(s *call.LineStats) int64 { return s.Received })},
		{Spec{"packets_lost", 1, "count", "line.md"}, packets(func(s *call.LineStats) int64 { return s.Lost })},
		{Spec{"packets_late", 2, "count", "line.md"}, (*view).packetsLate},
		{Spec{"packets_duplicate", 1, "count", "line.md"}, packets(func(s *call.LineStats) int64 { return s.Duplicate })},
		{Spec{"loss", 1, "ratio", "line.md"}, (*view).loss},
		{Spec{"jitter", 2, "s", "line.md"}, (*view).jitter},
		{Spec{"jitter_max", 2, "s", "line.md"}, (*view).jitterMax},
		{Spec{"round_trip", 1, "s", "line.md"}, (*view).roundTrip},
		{Spec{"longest_gap", 2, "s", "line.md"}, (*view).longestGap},
		{Spec{"r_factor", 2, "R", "mos.md"}, (*view).rFactor},
		{Spec{"mos", 2, "MOS", "mos.md"}, (*view).mos},
	}
}

// sound are the metrics of the agent's channel as it was recorded.
func sound() []definition {
	return []definition{
		{Spec{"level", 2, "dBFS", "sound.md"}, (*view).level},
		{Spec{"clipping", 2, "ratio", "sound.md"}, (*view).clipping},
		{Spec{"snr", 3, "dB", "sound.md"}, (*view).snr},
		{Spec{"dropouts", 2, "count", "sound.md"}, (*view).dropouts},
		{Spec{"dropouts_per_minute", 2, "per_min", "sound.md"}, (*view).dropoutsPerMinute},
	}
}
