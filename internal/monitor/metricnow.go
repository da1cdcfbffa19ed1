package monitor

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/departure"
)

// MetricNow is a figure of the last 24 complete hours against its baseline.
type MetricNow struct {
	Metric   string   `json:"metric"`
	Unit     string   `json:"unit"`
	N        int64    `json:"n"`
	Seen     *float64 `json:"seen" doc:"null when it rests on nothing, or is a share of fewer than 10"`
	Expected *float64 `json:"expected" doc:"Mean of the baseline over these hours, weighted by their calls (their sum, for calls); null when there is too little history"`
	Low      *float64 `json:"low" doc:"Mean of the lower ends of the hours' bands (their sum, for calls)"`
	High     *float64 `json:"high"`
}

// metricsNow sums the last 24 hours of the history up, with what their baselines let expect.
func metricsNow(history []watchedHour, reports []departure.Report, until time.Time) []MetricNow {
	from := until.Add(-recently)
	var now bucket.Bucket
	for i := range history {
		if at := history[i].at; !at.Before(from) && at.Before(until) {
			now.Add(&history[i].b.Counts)
			_ = now.TakeSpreads(&history[i].b.Shape) // fails for numbers of calls that nobody has
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

// expect fills in the baseline of the hours between the two.
func (m *MetricNow) expect(r *departure.Report, from, until time.Time) {
	var sum, low, high, weights float64
	if n := len(r.Hours); n == 0 || r.Hours[n-1].At.Add(time.Hour).Before(until) {
		return // not all of them have been looked at
	}
	for _, h := range r.Hours {
		if h.At.Before(from) || !h.At.Before(until) {
			continue
		}
		if !h.Known || !finite(h.Expected, h.Low, h.High) {
			return
		}
		w := float64(h.N)
		if r.Metric.Kind == trend.Count {
			w = 1
		}
		sum, low, high, weights = sum+w*h.Expected, low+w*h.Low, high+w*h.High, weights+w
	}
	if weights == 0 {
		return
	}
	if r.Metric.Kind == trend.Count {
		weights = 1
	}
	sum, low, high = sum/weights, low/weights, high/weights
	m.Expected, m.Low, m.High = &sum, &low, &high
}
