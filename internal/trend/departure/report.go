package departure

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/trend"
)

// Series is a metric over time, in hourly points.
type Series struct {
	Metric trend.Metric
	// Zone is the time zone in which the hours of the week are counted; nil is UTC.
	Zone *time.Location
	// Points are in order of time, at most one per hour, each at the beginning of its hour (in UTC, or
	// in Zone if that is offset by part of an hour). Hours without calls may be omitted.
	Points []trend.Point
}

// Window is the time that Find reports on.
type Window struct {
	// From is the first hour to report, Until the end of the last complete one: the current hour is
	// left out. Points before From are history, of which up to eight weeks are used.
	From, Until time.Time
	// Looks is how many series are watched together (agents × metrics). The more there are, the
	// stronger a departure must be to be reported, so that all of them together seldom raise a false
	// alarm. 0 means 100.
	Looks int
}

// Expected is an hour's value and what was expected of it.
type Expected struct {
	At time.Time
	// N is the number of calls, Seen the value, 0 if there is none.
	N    int64
	Seen float64
	// Low and High hold 19 of 20 quiet hours with as many calls. Known is false if there is too little
	// history.
	Expected, Low, High float64
	Known               bool
}

// Form is the way in which a series departs from its usual course.
type Form string

// The forms of a departure.
const (
	// Outage: calls vanish.
	Outage Form = "outage"
	// Step: something changed from one hour to the next, temporarily or permanently.
	Step Form = "step"
	// Drift: something has been changing gradually, day after day.
	Drift Form = "drift"
)

// Severity is how far a departure is from the usual.
type Severity string

// The severities. Compare them by Severity.Rank, not as strings.
const (
	Minor    Severity = "minor"
	Major    Severity = "major"
	Critical Severity = "critical"
)

// Rank returns 1 for minor, 2 for major, 3 for critical, 0 for anything else.
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
	Sign   trend.Sign
	// Bad says that the departure is to the metric's worse side.
	Bad      bool
	Severity Severity
	// Start and End bound the stretch; Open says that it had not ended at the end of the window. Peak
	// is the hour (for a drift, the day) that departed furthest.
	Start, End, Peak time.Time
	Open             bool
	// LikeDay is the day of the week that the days of missing calls resemble from beginning to end
	// ("Sunday"), as public holidays do; "" if there is none.
	LikeDay string `json:",omitempty"`
	// OneCaller is how many of the N calls came from a caller without whom nothing would have departed;
	// 0 if there is none. It is set by package monitor, since Find knows no callers.
	OneCaller int64 `json:",omitempty"`
	// Told is the end of the hour in which the departure could first be reported.
	Told time.Time
	// Seen, Expected, Low, High and N are those of the whole stretch, or of its worst part if it was
	// merged: for a count the number of calls, for a drift the last seven days.
	Seen, Expected, Low, High float64
	N                         int64
	// PeakSeen and PeakExpected are those of the peak.
	PeakSeen, PeakExpected float64
	// Score is the departure in standard deviations of quiet hours, signed.
	Score float64
	// Sure is 1 minus the probability that anything like it occurs in any of the watched series in a
	// quiet week.
	Sure float64
}

// Report is the result of Find.
type Report struct {
	Metric trend.Metric
	// Hours are all hours of the window, in order.
	Hours []Expected
	// Incidents are sorted by their start.
	Incidents []Incident
	// Enough is false if there is too little history for anything; Reason then says so.
	Enough bool
	Reason string
	// grid is used by Together.
	grid *grid
}
