package platforma

import (
	"strings"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/calllog/lenient"
)

const (
	maxComponents = 32
	maxValues     = 10_000
)

// readAnalysis reads the platform's own opinion of the call. The scrubbed version is read
// first: it is the only one when people must not be kept, and otherwise its summary is the
// one that names nobody.
func readAnalysis(c lenient.Object, r *calllog.Record, words *calllog.Words) {
	for _, name := range []string{"scrubbed_call_analysis", "call_analysis"} {
		readOpinion(c.Inside(name), name, r, words)
	}
}

// readOpinion reads an analysis without overwriting what is known.
func readOpinion(a lenient.Object, name string, r *calllog.Record, words *calllog.Words) {
	if summary := a.Said("call_summary", maxProse); r.Summary == "" {
		r.Summary = summary
	}
	switch mood := strings.ToLower(a.Word("user_sentiment", maxName)); mood {
	case "negative", "positive", "neutral":
		if r.Sentiment == "" {
			r.Sentiment = call.Sentiment(mood)
		}
	case "", "unknown":
	default:
		words.Keep(name+".user_sentiment", a.Raw("user_sentiment"))
	}
	if success, ok := a.Truth("call_successful"); ok && r.Successful == nil {
		r.Successful = &success
	}
	switch done := strings.ToLower(a.Word("agent_task_completion_rating", maxName)); {
	case r.Successful != nil: // the field below is the older form
	case done == "complete" || done == "incomplete":
		success := done == "complete"
		r.Successful = &success
	}
	if voicemail, ok := a.Truth("in_voicemail"); ok && r.Voicemail == nil {
		r.Voicemail = &voicemail
	}
	words.KeepRest(a, name+".")
}

// readFigures reads latencies, given in milliseconds, and the cost, given in cents.
func readFigures(c lenient.Object, r *calllog.Record, words *calllog.Words) {
	latency := c.Inside("latency")
	for _, name := range latency.Names() {
		addLatency(r, name, latency.Inside(name))
	}
	words.KeepRest(latency, "latency.")
	for _, name := range c.Names() { // in the older form, the call itself has one field per component
		if component, older := strings.CutSuffix(name, "_latency"); older {
			addLatency(r, component, c.Inside(name))
		}
	}
	readCost(c, r, words)
	if status := c.Word("call_status", maxName); status != "" {
		words.Keep("call_status", status)
	}
}

// readCost reads what the call cost: the platform's sum, or else the sum of its products,
// or a bare number.
func readCost(c lenient.Object, r *calllog.Record, words *calllog.Words) {
	cost := c.Inside("call_cost")
	cost.Done("total_duration_seconds")
	parts := calllog.Parts(cost, "product_costs") // without marking them as read, so that they are kept as they came
	if !calllog.InDollars(append(parts, c, cost)...) {
		words.KeepRest(cost, "call_cost.")
		return
	}
	cents, told := cost.Amount("combined_cost")
	if !told {
		for _, part := range parts {
			if n, ok := part.Number("cost"); ok {
				cents, told = cents+n, true
			}
		}
	}
	if !told {
		cents, told = c.Amount("call_cost")
	}
	if told {
		r.Cost = calllog.Micros(cents / 100)
	}
	words.KeepRest(cost, "call_cost.")
}

// addLatency adds the figures of a component, unless there are none or they are known
// already.
func addLatency(r *calllog.Record, name string, o lenient.Object) {
	figure, ok := latencyOf(o)
	name = lenient.Shown(name)
	if _, known := r.Latency[name]; !ok || known || len(r.Latency) == maxComponents {
		return
	}
	if r.Latency == nil {
		r.Latency = map[string]call.ReportedLatency{}
	}
	r.Latency[name] = figure
}

func latencyOf(o lenient.Object) (call.ReportedLatency, bool) {
	figure := figureOf(o)
	told, zeros := false, true
	for _, part := range []struct {
		name  string
		place **float64
	}{{"p50", &figure.P50}, {"p90", &figure.P90}, {"p95", &figure.P95}, {"p99", &figure.P99}, {"min", &figure.Min}, {"max", &figure.Max}} {
		ms, given := o.Number(part.name)
		if seconds, ok := calllog.Seconds(ms, 1000); given && ok {
			*part.place, told = &seconds, true
			zeros = zeros && seconds == 0
		}
	}
	n, counted := o.Count("num")
	if counted && n == 0 && zeros && figure.N == 0 { // all zero because nothing was measured
		return figure, false
	}
	figure.N = max(figure.N, n)
	return figure, told || figure.N > 0
}

// figureOf summarises the values if all are there. Fewer than the platform counted say
// nothing about the whole.
func figureOf(o lenient.Object) call.ReportedLatency {
	values := o.Numbers("values", maxValues)
	there, _ := o.List("values") // includes elements that are not numbers
	if n, ok := o.Count("num"); ok && n > there && len(values) < maxValues {
		return call.ReportedLatency{}
	}
	return calllog.Summarise(values, 1000)
}

// readRecording finds the best recording: one with a channel per side before a mixed one.
// If there are scrubbed recordings, only those count.
func readRecording(c lenient.Object, r *calllog.Record) {
	for _, place := range []struct {
		name     string
		channels int
	}{
		{"scrubbed_recording_multi_channel_url", 2},
		{"scrubbed_recording_url", 1},
		{"recording_multi_channel_url", 2},
		{"recording_url", 1},
	} {
		link := c.Address(place.name)
		if strings.HasPrefix(place.name, "scrubbed_") {
			r.HasScrubbedRecording(link, place.channels)
		} else {
			r.HasRecording(link, place.channels)
		}
	}
}

// isVariables reports whether a field holds dynamic variables.
func isVariables(name string) bool { return strings.HasSuffix(name, "_dynamic_variables") }
