package compare

import (
	"math"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/trend"
)

// MetricResult is a metric over the calls of an experiment that are evidence.
type MetricResult struct {
	Name      string      `json:"name" doc:"Name of the metric"`
	Unit      string      `json:"unit" doc:"Unit of the figures, such as s (seconds) or count"`
	Better    *string     `json:"better" enum:"lower,higher" doc:"Whether lower or higher figures are better; null when neither is"`
	Calls     int         `json:"calls" doc:"How many calls have the metric"`
	Values    int         `json:"values" doc:"How many values there are; some metrics have many in a call"`
	Mean      *float64    `json:"mean" doc:"Mean of the values; null when there are none"`
	Min       *float64    `json:"min" doc:"Smallest value; null when there is none"`
	Max       *float64    `json:"max" doc:"Largest value; null when there is none"`
	P50       MetricStat  `json:"p50" doc:"Median of the values"`
	P90       MetricStat  `json:"p90" doc:"90th percentile of the values"`
	P95       MetricStat  `json:"p95" doc:"95th percentile of the values"`
	Histogram []MetricBin `json:"histogram" doc:"How many values lie in which stretch; the last stretch reaches to the largest value"`
}

// MetricStat is a quantile of a metric's values with its 95 % interval.
type MetricStat struct {
	Value *float64 `json:"value" doc:"The percentile; null when there are no values"`
	Low   *float64 `json:"low" doc:"Lower end of its 95 % interval; null when there are too few values to bound it from below (of a median five or fewer)"`
	High  *float64 `json:"high" doc:"Upper end of its 95 % interval; null when there are too few values to bound it from above (of a median five or fewer, of a 95th percentile 71 or fewer)"`
}

// MetricBin is a stretch of a histogram.
type MetricBin struct {
	From  float64 `json:"from" doc:"Start of the stretch"`
	Until float64 `json:"until" doc:"End of the stretch"`
	Count int     `json:"count" doc:"How many values lie in it"`
}

// measured is a metric with its values, call by call.
type measured struct {
	name, unit string
	version    int
	calls      [][]float64
}

func metricsOf(calls []experiment.Result) []MetricResult {
	list, _ := measure(calls)
	out := make([]MetricResult, 0, len(list))
	for _, m := range list {
		out = append(out, m.result())
	}
	return out
}

// measure gathers the values of all metrics, in the order of the reviews. Void
// calls are left out, and metrics that no call has a value of.
func measure(calls []experiment.Result) ([]*measured, map[string]*measured) {
	var order []*measured
	by := map[string]*measured{}
	for _, r := range calls {
		for i := range metricsAsEvidence(&r) {
			m := &r.Found.Metrics[i]
			values := m.Values()
			if len(values) == 0 {
				continue
			}
			to := by[m.Name]
			if to == nil {
				to = &measured{name: m.Name}
				by[m.Name] = to
				order = append(order, to)
			}
			to.unit, to.version = m.Unit, m.Version
			to.calls = append(to.calls, values)
		}
	}
	return order, by
}

// metricsAsEvidence are the metrics of a call; of a void one they tell nothing.
func metricsAsEvidence(r *experiment.Result) []experiment.FoundMetric {
	if r.Found == nil || r.Call.Verdict == call.Void {
		return nil
	}
	return r.Found.Metrics
}

// valuesOf adds the values that the calls of a scenario have of a metric, call by call. They
// are looked for, and not kept by scenario: thousands have a call and some values each.
func (r *row) valuesOf(to [][]float64, name string) [][]float64 {
	for i := range r.calls {
		metrics := metricsAsEvidence(&r.calls[i])
		for k := range metrics {
			if metrics[k].Name == name {
				to = append(to, metrics[k].Values())
			}
		}
	}
	return to
}

func (m *measured) result() MetricResult {
	v := trend.NewValues(m.calls...)
	out := MetricResult{
		Name: m.name, Unit: m.unit, Better: better(m.name), Calls: int(v.Calls), Values: int(v.Count()),
		P50: statOf(v, 0.5), P90: statOf(v, 0.9), P95: statOf(v, 0.95), Histogram: histogram(v),
	}
	if sorted := v.Sorted(); len(sorted) > 0 {
		sum := 0.0
		for _, x := range sorted {
			sum += x
		}
		mean := sum / float64(len(sorted))
		out.Mean, out.Min, out.Max = &mean, &sorted[0], &sorted[len(sorted)-1]
	}
	return out
}

func statOf(v trend.Values, q float64) MetricStat {
	value, ok := v.Quantile(q)
	if !ok {
		return MetricStat{}
	}
	out, i := MetricStat{Value: &value}, v.Interval(q)
	if !math.IsInf(i.Low, 0) {
		out.Low = &i.Low
	}
	if !math.IsInf(i.High, 0) {
		out.High = &i.High
	}
	return out
}

// maxBins is how many stretches of a histogram lie below the 98th percentile.
const maxBins = 24

// histogram lays the values out in stretches of 1, 2 or 5 times a power of ten.
func histogram(v trend.Values) []MetricBin {
	sorted := v.Sorted()
	if len(sorted) == 0 {
		return []MetricBin{}
	}
	least, most := sorted[0], sorted[len(sorted)-1]
	common, _ := v.Quantile(0.98)
	width := niceWidth((common - least) / maxBins)
	if width == 0 {
		return []MetricBin{{From: least, Until: most, Count: len(sorted)}}
	}
	from := math.Floor(least/width) * width
	bins := []MetricBin{}
	i := 0
	for k := 0; i < len(sorted); k++ {
		b := MetricBin{From: rounded(from+float64(k)*width, width), Until: rounded(from+float64(k+1)*width, width)}
		if k > maxBins { // what lies far out shares the last stretch
			b.Until = max(most, b.Until)
		}
		for i < len(sorted) && (sorted[i] < b.Until || k > maxBins) {
			b.Count++
			i++
		}
		bins = append(bins, b)
	}
	return bins
}

// niceWidth is the least of 1, 2 and 5 times a power of ten that is not below w.
func niceWidth(w float64) float64 {
	if w <= 0 || math.IsInf(w, 0) || math.IsNaN(w) {
		return 0
	}
	power := math.Pow(10, math.Floor(math.Log10(w)))
	for _, times := range []float64{1, 2, 5, 10} {
		if times*power >= w {
			return times * power
		}
	}
	return 10 * power
}

// rounded takes the dust of arithmetic off a bound.
func rounded(v, width float64) float64 {
	unit := width / 1000
	return math.Round(v/unit) * unit
}

// better says which way a metric is better, nil when neither is.
func better(name string) *string {
	word := ""
	switch name {
	case "time_to_first_word", "turn_latency", "turn_latency_tool", "yield_time", "missed_barge_in", "false_barge_in",
		"backchannel_errors", "agent_interruptions", "overlap_seconds", "overlap_ratio", "dead_air_count", "dead_air_total",
		"dead_air_longest", "packets_lost", "packets_late", "packets_duplicate", "loss", "jitter", "jitter_max", "round_trip",
		"longest_gap", "clipping", "dropouts", "dropouts_per_minute":
		word = "lower"
	case "turn_taking", "barge_in_success", "backchannel_selectivity", "r_factor", "mos", "snr":
		word = "higher"
	}
	return orNull(word)
}
