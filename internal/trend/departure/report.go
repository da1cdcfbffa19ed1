package departure

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/trend"
)

// Series is a metric over time, in buckets of an hour.
type Series struct {
	Metric trend.Metric
	// Zone is where the callers' hours of the week are counted; nil is UTC.
	Zone *time.Location
	// Points are in order of time, at most one per hour, each at the beginning of
	// its hour (in UTC, or in Zone where that is offset by parts of an hour). Hours
	// without calls may be left out.
	Points []trend.Point
}

// Window is the time that Find reports on.
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
	// N is the number of calls, Seen what they show, 0 when they show nothing.
	N    int64
	Seen float64
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
	Sign   trend.Sign
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
	// departed; 0 where there is none. Find knows no callers: whoever does fills it in.
	OneCaller int64 `json:",omitempty"`
	// Told is the end of the hour at which there was enough to tell.
	Told time.Time
	// Seen, Expected, Low, High and N are those of the whole stretch, or of the part of it that departs
	// furthest where it was put together: for a count the number of calls, for a drift its last seven days.
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

// Report is what Find found.
type Report struct {
	Metric trend.Metric
	// Hours are the hours of the window, in order, none left out.
	Hours []Expected
	// Incidents are in order of their start.
	Incidents []Incident
	// Enough is false when there is too little history for any of it; Reason says so.
	Enough bool
	Reason string
	// grid is what Together reads.
	grid *grid
}
