package trend

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/trend/sketch"
)

// Kind says what the points of a series hold, and so how they vary by chance.
type Kind int

// The kinds of series.
const (
	// Count is how many there were: Point.N. An hour without a point is an hour with none.
	Count Kind = iota
	// Rate is a share: Point.Hits of Point.N.
	Rate
	// Mean is the mean of Point.N values: Point.Sum, and Point.Squares, the sum of their squares.
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

// Metric says what a series shows and which departures from the usual matter.
type Metric struct {
	// Name is what callers know it by; the package gives it back.
	Name string
	Kind Kind
	// Q is the quantile that a series of kind Quantile follows, 0 to 1.
	Q float64
	// Worse is the direction that is bad; Level when neither is.
	Worse Sign
	// Least and LeastRatio are the smallest departure worth telling, however sure
	// it is: Least in the metric's own unit, LeastRatio as share of what was
	// expected. Both must be reached, in either direction.
	Least, LeastRatio float64
	// Quiet turns departures to the better side off.
	Quiet bool
	// FarOut says of a Mean that its values are never negative, and that some lie far above the rest.
	FarOut bool
	// Low and High bound the values of a Mean, where they differ.
	Low, High float64
}

// Metrics returns the metrics that are watched as a matter of course, in the
// order in which they matter. Latencies are in seconds, costs in US dollars.
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

// Point is what one bucket of time holds. Points add up: two points of the same
// hour are one with the sums of both.
type Point struct {
	// At is the beginning of the bucket.
	At time.Time
	// N is the number of calls the point stands on.
	N int64
	// Tens are the N of a Count by the ten minutes of the hour in which they came; all
	// are 0 where that is not known.
	Tens [6]int64
	// Hits of a Rate, 0 to N.
	Hits int64
	// Sum and Squares of a Mean.
	Sum, Squares float64
	// Sketch of a Quantile; nil is an empty one.
	Sketch *sketch.Sketch
}

// Value is what a point shows of a metric; ok is false when it stands on nothing.
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
