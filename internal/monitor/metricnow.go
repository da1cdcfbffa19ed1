package monitor

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/trend/departure"
)

// MetricNow is a figure of the last 24 complete hours against its baseline.
type MetricNow struct {
	Metric   string   `json:"metric" doc:"Name of the metric"`
	Unit     string   `json:"unit" enum:"calls,share,score,s,usd" doc:"Unit of the figures: calls, share (0 to 1), score, s (seconds) or usd"`
	N        int64    `json:"n" doc:"How many calls (or values, for a percentile) seen rests on"`
	Seen     *float64 `json:"seen" doc:"The metric over the last 24 complete hours; null when there is nothing to measure, or when it is a share of fewer than 10"`
	Expected *float64 `json:"expected" doc:"What is usual for these hours with as many calls; null when there is too little history"`
	Low      *float64 `json:"low" doc:"Lower end of the range that 19 of 20 usual days with as many calls lie in; null when expected is"`
	High     *float64 `json:"high" doc:"Upper end of that range; null when expected is"`
}

// metricsNow summarises the last 24 hours of the history and compares them with their
// baselines.
func metricsNow(history []watchedHour, reports []departure.Report, until time.Time) []MetricNow {
	from := until.Add(-recently)
	var now bucket.Bucket
	for i := range history {
		if at := history[i].at; !at.Before(from) && at.Before(until) {
			now.Add(&history[i].b.Counts)
			_ = now.TakeSpreads(&history[i].b.Shape) // fails only for impossibly large numbers of calls
		}
	}
	out := []MetricNow{}
	for _, r := range reports {
		f, _ := figureOf(r.Metric.Name)
		v, ok := f.seen(&now.Counts, &now.Shape)
		point := f.shown(from, &now.Counts, v, ok)
		m := MetricNow{Metric: f.Name, Unit: f.unit, N: point.N, Seen: point.Value}
		m.expect(&r, from, until)
		out = append(out, m)
	}
	return out
}

// expect fills in the baseline of the hours from from to until taken together.
func (m *MetricNow) expect(r *departure.Report, from, until time.Time) {
	e := r.Together(from, until)
	if !e.Known || !finite(e.Expected, e.Low, e.High) {
		return
	}
	m.Expected, m.Low, m.High = &e.Expected, &e.Low, &e.High
}
