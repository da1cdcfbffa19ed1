package platforma

import (
	"strings"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
)

const (
	maxComponents = 32
	maxValues     = 10_000
)

// readAnalysis reads what the platform thinks of the call.
func readAnalysis(c calllog.Object, r *calllog.Record, words *calllog.Words) {
	a := c.Inside("call_analysis")
	r.Summary = a.Said("call_summary", maxProse)
	switch mood := strings.ToLower(a.Word("user_sentiment", maxName)); mood {
	case "negative", "positive", "neutral":
		r.Sentiment = call.Sentiment(mood)
	case "", "unknown":
	default:
		words.Keep("call_analysis.user_sentiment", a.Raw("user_sentiment"))
	}
	if success, ok := a.Truth("call_successful"); ok {
		r.Successful = &success
	}
	switch done := strings.ToLower(a.Word("agent_task_completion_rating", maxName)); {
	case r.Successful != nil: // the older form of the same
	case done == "complete" || done == "incomplete":
		success := done == "complete"
		r.Successful = &success
	}
	if voicemail, ok := a.Truth("in_voicemail"); ok {
		r.Voicemail = &voicemail
	}
	words.KeepRest(a, "call_analysis.")
}

// readFigures reads latency, which the platform gives in milliseconds, and cost, in cents.
func readFigures(c calllog.Object, r *calllog.Record, words *calllog.Words) {
	latency := c.Inside("latency")
	for _, name := range latency.Names() {
		addLatency(r, name, latency.Inside(name))
	}
	words.KeepRest(latency, "latency.")
	for _, name := range c.Names() { // the older form has each component in the call itself
		if component, older := strings.CutSuffix(name, "_latency"); older {
			addLatency(r, component, c.Inside(name))
		}
	}
	cost := c.Inside("call_cost")
	cost.Done("total_duration_seconds")
	if cents, ok := cost.Number("combined_cost"); ok {
		r.Cost = calllog.Micros(cents / 100)
	}
	words.KeepRest(cost, "call_cost.")
	if status := c.Word("call_status", maxName); status != "" {
		words.Keep("call_status", status)
	}
}

// addLatency takes in the figures of a component, unless there are none or it has some.
func addLatency(r *calllog.Record, name string, o calllog.Object) {
	figure, ok := latencyOf(o)
	name = calllog.Shown(name)
	if _, known := r.Latency[name]; !ok || known || len(r.Latency) == maxComponents {
		return
	}
	if r.Latency == nil {
		r.Latency = map[string]call.ReportedLatency{}
	}
	r.Latency[name] = figure
}

func latencyOf(o calllog.Object) (call.ReportedLatency, bool) {
	figure := calllog.Summarise(o.Numbers("values", maxValues), 1000)
	told := false
	for _, part := range []struct {
		name  string
		place **float64
	}{{"p50", &figure.P50}, {"p90", &figure.P90}, {"p95", &figure.P95}, {"p99", &figure.P99}, {"min", &figure.Min}, {"max", &figure.Max}} {
		ms, given := o.Number(part.name)
		if seconds, ok := calllog.Seconds(ms, 1000); given && ok {
			*part.place, told = &seconds, true
		}
	}
	if n, ok := o.Count("num"); ok && (n > 0 || told) {
		figure.N = max(figure.N, n)
	}
	return figure, told || figure.N > 0
}

// readRecording finds the best recording: scrubbed before plain, a channel for
// each side before both in one.
func readRecording(c calllog.Object, r *calllog.Record) {
	for _, place := range []struct {
		name     string
		channels int
	}{
		{"scrubbed_recording_multi_channel_url", 2},
		{"scrubbed_recording_url", 1},
		{"recording_multi_channel_url", 2},
		{"recording_url", 1},
	} {
		if link := c.Address(place.name); link != "" && r.RecordingURL == "" {
			r.RecordingURL, r.Channels = link, place.channels
		}
	}
}

// isVariables reports whether a field holds dynamic variables.
func isVariables(name string) bool { return strings.HasSuffix(name, "_dynamic_variables") }
