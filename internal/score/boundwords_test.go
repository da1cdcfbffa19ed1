package score_test

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/score"
)

// The reason names the metric as people do, and counts it with a colon, since no verb suits them all.
func TestABoundReadsAsASentence(t *testing.T) {
	t.Parallel()
	value := func(v float64) *float64 { return &v }
	in := func() *score.Input {
		return &score.Input{Metrics: []call.Metric{
			{Name: "yield_time", Unit: "s", Spread: &call.Spread{N: 1, P95: 4.421, Max: 4.421, Values: []float64{4.421}}},
			{Name: "packets_lost", Unit: "count", Value: value(12)},
			{Name: "words_per_minute", Unit: "wpm", Value: value(180)},
			{Name: "dropouts_per_minute", Unit: "per_min", Value: value(3)},
			{Name: "mos", Unit: "MOS", Value: value(4.2)},
			{Name: "level", Unit: "dBFS", Value: value(-28)},
		}}
	}
	for params, want := range map[string]string{
		`{"metric":"yield_time","stat":"max","max":1.2}`: "Yield time (max) was 4.421 s, above the limit of 1.2 s (1 value).",
		`{"metric":"packets_lost","max":5}`:              "Packets lost: 12, above the limit of 5.",
		`{"metric":"words_per_minute","max":200}`:        "Speaking rate was 180 words per minute, within the limit of 200 words per minute.",
		`{"metric":"dropouts_per_minute","max":2}`:       "Dropouts: 3 per minute, above the limit of 2 per minute.",
		`{"metric":"mos","min":4}`:                       "MOS was 4.2, at or above the minimum of 4.",
		`{"metric":"level","min":-20}`:                   "Speech level was -28 dBFS, below the minimum of -20 dBFS.",
		`{"metric":"mos","min":4.2001}`:                  "MOS was 4.2, below the minimum of 4.2001.",
		`{"metric":"yield_time","max":4.42099}`:          "Yield time (p95) was 4.421 s, above the limit of 4.42099 s (1 value).",
		`{"metric":"snr","min":20}`:                      "SNR has no value: it was not measured in this call.",
	} {
		if got := build(t, "timing", params).Score(t.Context(), in()); got.Reason != want {
			t.Errorf("%s: %q, want %q", params, got.Reason, want)
		}
	}
}

// How many values a metric has is a count, and not as many seconds.
func TestTheNumberOfValuesIsACount(t *testing.T) {
	t.Parallel()
	got := build(t, "timing", `{"metric":"turn_latency","stat":"n","max":2}`).Score(t.Context(), clinic())
	if want := "Turn latency (n): 3, above the limit of 2."; got.Verdict != call.NotPassed || got.Unit != "count" || got.Reason != want {
		t.Errorf("%s in %q because %q, want %q", got.Verdict, got.Unit, got.Reason, want)
	}
}

// A call that is longer than it may be by less than what is usually shown still looks longer.
func TestAShortExcessIsShown(t *testing.T) {
	t.Parallel()
	in := clinic()
	in.Call.EndedAt = in.Call.AnsweredAt.Add(10*time.Second + 4*time.Millisecond)
	got := build(t, "duration", `{"max_ms":10000}`).Score(t.Context(), in)
	if want := "The call lasted 10.004 s, longer than the 10.000 s allowed."; got.Reason != want {
		t.Errorf("%q, want %q", got.Reason, want)
	}
}

// The evidence of a figure outside of two bounds is at the bound that it missed.
func TestEvidenceIsAtTheBoundThatWasMissed(t *testing.T) {
	t.Parallel()
	in := func() *score.Input {
		return &score.Input{Metrics: []call.Metric{{
			Name: "turn_latency", Unit: "s", Spread: &call.Spread{N: 3, P50: 1, Min: -0.4, Max: 3, Values: []float64{1, -0.4, 3}},
			Places: []call.Segment{{Start: 10 * time.Second, End: 11 * time.Second}, {Start: 20 * time.Second, End: 21 * time.Second}, {Start: 30 * time.Second, End: 33 * time.Second}},
		}}}
	}
	for params, want := range map[string]time.Duration{
		`{"metric":"turn_latency","stat":"min","min":0.2,"max":4}`:   20 * time.Second,
		`{"metric":"turn_latency","stat":"min","min":0.2}`:           20 * time.Second,
		`{"metric":"turn_latency","stat":"max","min":0.2,"max":2}`:   30 * time.Second,
		`{"metric":"turn_latency","stat":"p50","min":1.2,"max":1.5}`: 20 * time.Second,
	} {
		got := build(t, "timing", params).Score(t.Context(), in())
		if got.Verdict != call.NotPassed || len(got.Evidence) != 1 || got.Evidence[0].Start != want {
			t.Errorf("%s: %s, evidence %+v, want it at %s", params, got.Reason, got.Evidence, want)
		}
	}
}
