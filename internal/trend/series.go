package trend

import "time"

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
		{Name: "valence", Kind: Mean, Worse: Down, Least: 0.06, Quiet: true},
		{Name: "reported_valence", Kind: Mean, Worse: Down, Least: 0.12, Quiet: true},
		{Name: "latency_p50", Kind: Quantile, Q: 0.5, Worse: Up, Least: 0.08, LeastRatio: 0.12, Quiet: true},
		{Name: "latency_p95", Kind: Quantile, Q: 0.95, Worse: Up, Least: 0.2, LeastRatio: 0.2, Quiet: true},
		{Name: "reported_latency_p50", Kind: Quantile, Q: 0.5, Worse: Up, Least: 0.08, LeastRatio: 0.12, Quiet: true},
		{Name: "reported_latency_p95", Kind: Quantile, Q: 0.95, Worse: Up, Least: 0.2, LeastRatio: 0.2, Quiet: true},
		{Name: "duration_p50", Kind: Quantile, Q: 0.5, Least: 10, LeastRatio: 0.25},
		{Name: "cost", Kind: Mean, FarOut: true, Worse: Up, Least: 0.01, LeastRatio: 0.25, Quiet: true},
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
	Sketch *Sketch
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

// Series is a metric over time, in buckets of an hour.
type Series struct {
	Metric Metric
	// Zone is where the callers' hours of the week are counted; nil is UTC.
	Zone *time.Location
	// Points are in order of time, at most one per hour, each at the beginning of
	// its hour (in UTC, or in Zone where that is offset by parts of an hour). Hours
	// without calls may be left out.
	Points []Point
}

// Window is the time that Watch reports on.
type Window struct {
	// From is the first hour that is reported, Until the end of the last one that
	// is complete: an hour that is still running is left out. What Series holds
	// before From is history; eight weeks are used where they are there.
	From, Until time.Time
	// Looks is how many series are watched side by side (agents × metrics). The more
	// there are, the more it takes for one to be told, so that all of them together
	// seldom cry for nothing. 0 is taken for 100.
	Looks int
}

// Expected is what an hour showed and what it was expected to show.
type Expected struct {
	At time.Time
	// N is the number of calls, Seen what they show; HasSeen is false when they show nothing.
	N       int64
	Seen    float64
	HasSeen bool
	// Expected lies between Low and High in 19 of 20 quiet hours with as many calls.
	// Known is false while there is too little history to tell.
	Expected, Low, High float64
	Known               bool
}

// Form is the way in which a series departs from its usual course.
type Form string

// The forms of a departure.
const (
	// Outage: calls vanish.
	Outage Form = "outage"
	// Step: something changed from one hour to the next, for a while or for good.
	Step Form = "step"
	// Drift: something has been changing little by little, day after day.
	Drift Form = "drift"
)

// Severity says how far a departure is from the usual.
type Severity string

// The severities, which order as strings of text do not: use Severity.Rank.
const (
	Minor    Severity = "minor"
	Major    Severity = "major"
	Critical Severity = "critical"
)

// Rank orders severities: 1 minor, 2 major, 3 critical, 0 anything else.
func (s Severity) Rank() int {
	switch s {
	case Minor:
		return 1
	case Major:
		return 2
	case Critical:
		return 3
	}
	return 0
}

// Incident is a stretch of time in which a series departed from its baseline.
type Incident struct {
	Metric string
	Form   Form
	Sign   Sign
	// Bad is true when the departure is to the metric's worse side.
	Bad      bool
	Severity Severity
	// Start and End bound the stretch; Open says that it had not ended at the end of
	// the window. Peak is the hour (the day, of a drift) that departed furthest.
	Start, End, Peak time.Time
	Open             bool
	// LikeDay is the day of the week that the days of missing calls resemble from beginning to
	// end ("Sunday"), as public holidays do; "" where they resemble none.
	LikeDay string `json:",omitempty"`
	// OneCaller is how many of the N calls one caller made without whom nothing would have
	// departed; 0 where there is none. Watch knows no callers: whoever does fills it in.
	OneCaller int64 `json:",omitempty"`
	// Told is the end of the hour at which there was enough to tell.
	Told time.Time
	// Seen, Expected, Low, High and N are those of the whole stretch: for a count the
	// number of calls, for a drift its last seven days.
	Seen, Expected, Low, High float64
	N                         int64
	// PeakSeen and PeakExpected are those of the peak.
	PeakSeen, PeakExpected float64
	// Score is the departure in standard deviations of quiet hours, signed.
	Score float64
	// Sure is 1 less the chance that anything like it shows up in any of the watched
	// series within a quiet week.
	Sure float64
}

// Report is what Watch found.
type Report struct {
	Metric Metric
	// Hours are the hours of the window, in order, none left out.
	Hours []Expected
	// Incidents are in order of their start.
	Incidents []Incident
	// Enough is false when there is too little history for any of it; Reason says so.
	Enough bool
	Reason string
}
