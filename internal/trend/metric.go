package trend

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/trend/sketch"
)

// Kind is what the points of a series contain, and so how they vary by chance.
type Kind int

// The kinds of series.
const (
	// Count is a number: Point.N. An hour without a point has none.
	Count Kind = iota
	// Rate is a share: Point.Hits out of Point.N.
	Rate
	// Mean is the mean of Point.N values: Point.Sum is their sum, Point.Squares that of their
	// squares.
	Mean
	// Quantile is a quantile of the values in Point.Sketch, which come from Point.N calls.
	Quantile
)

// Sign is a direction: up, down or neither.
type Sign int

// The signs.
const (
	Down  Sign = -1
	Level Sign = 0
	Up    Sign = 1
)

// Metric is what a series shows, and which departures from the usual matter.
type Metric struct {
	// Name identifies the metric for callers; this package only returns it.
	Name string
	Kind Kind
	// Q is the quantile of a Quantile, 0 to 1.
	Q float64
	// Worse is the direction that is bad; Level if neither is.
	Worse Sign
	// Least and LeastRatio are the smallest departure worth reporting, however certain it is: Least
	// in the metric's own unit, LeastRatio as a share of the expected value. Both must be reached, in
	// either direction.
	Least, LeastRatio float64
	// Quiet suppresses departures to the better side.
	Quiet bool
	// FarOut says that a Mean's values are nonnegative and some lie far above the rest.
	FarOut bool
	// Low and High bound the values of a Mean, unless they are equal.
	Low, High float64
}

// Metrics returns the metrics watched by default, in the order of importance. Latencies are in
// seconds, costs in US dollars.
func Metrics() []Metric {
	return []Metric{
		{Name: "calls", Kind: Count, Worse: Down, Least: 5, LeastRatio: 0.5, Quiet: true},
		{Name: "error_rate", Kind: Rate, Worse: Up, Least: 0.05, LeastRatio: 0.5, Quiet: true},
		{Name: "failed_rate", Kind: Rate, Worse: Up, Least: 0.07, LeastRatio: 0.3, Quiet: true},
		{Name: "drop_off_rate", Kind: Rate, Worse: Up, Least: 0.07, LeastRatio: 0.3, Quiet: true},
		{Name: "upset_rate", Kind: Rate, Worse: Up, Least: 0.05, LeastRatio: 0.4, Quiet: true},
		{Name: "valence", Kind: Mean, Low: -1, High: 1, Worse: Down, Least: 0.06, Quiet: true},
		{Name: "reported_valence", Kind: Mean, Low: -1, High: 1, Worse: Down, Least: 0.12, Quiet: true},
		{Name: "latency_p50", Kind: Quantile, Q: 0.5, Worse: Up, Least: 0.08, LeastRatio: 0.12, Quiet: true},
		{Name: "latency_p95", Kind: Quantile, Q: 0.95, Worse: Up, Least: 0.2, LeastRatio: 0.2, Quiet: true},
		{Name: "reported_latency_p50", Kind: Quantile, Q: 0.5, Worse: Up, Least: 0.08, LeastRatio: 0.12, Quiet: true},
		{Name: "reported_latency_p95", Kind: Quantile, Q: 0.95, Worse: Up, Least: 0.2, LeastRatio: 0.2, Quiet: true},
		{Name: "duration_p50", Kind: Quantile, Q: 0.5, Least: 10, LeastRatio: 0.25},
		{Name: "cost", Kind: Mean, FarOut: true, High: 1000, Worse: Up, Least: 0.01, LeastRatio: 0.25, Quiet: true},
	}
}

// MetricOf returns one of Metrics by its name.
func MetricOf(name string) (m Metric, ok bool) {
	for _, m := range Metrics() {
		if m.Name == name {
			return m, true
		}
	}
	return Metric{}, false
}

// Point is the content of one bucket of time. Points can be added: two points of the same hour
// are one with the sums of both.
type Point struct {
	// At is the beginning of the bucket.
	At time.Time
	// N is the number of calls that the point is based on.
	N int64
	// Tens is the N of a Count divided by the ten-minute parts of the hour; all 0 if unknown.
	Tens [6]int64
	// Hits is for a Rate, 0 to N.
	Hits int64
	// Sum and Squares are for a Mean.
	Sum, Squares float64
	// Sketch is for a Quantile; nil means empty.
	Sketch *sketch.Sketch
}

// Value returns a point's value of the metric; ok is false if it is based on nothing.
func (m Metric) Value(p Point) (v float64, ok bool) {
	switch m.Kind {
	case Count:
		return float64(p.N), true
	case Rate:
		return float64(p.Hits) / float64(max(p.N, 1)), p.N > 0
	case Mean:
		return p.Sum / float64(max(p.N, 1)), p.N > 0
	case Quantile:
		return p.Sketch.Quantile(m.Q)
	}
	return 0, false
}
