package monitor

import (
	"context"
	"time"

	"github.com/ringtrue/ringtrue/internal/bucket"
)

// Store runs transactions. Write commits when f returns nil; the changes are then on disk. f may be
// run again after a serialisation failure.
type Store interface {
	Write(ctx context.Context, f func(Tx) error) error
	Read(ctx context.Context, f func(Tx) error) error
}

// Tx is a transaction as this package sees it.
type Tx interface {
	FactRows
	WaitingRows
	CallerRows
	MarkRows
	RollRows
	WeekRows
	TextRows
	DimensionRows
	ReportRows
}

// FactRows are the facts.
type FactRows interface {
	// PutFact stores a fact in place of the call's previous one.
	PutFact(ctx context.Context, f Fact) error
	FactByCall(ctx context.Context, callID string) (f Fact, ok bool, err error)
	DeleteFact(ctx context.Context, callID string) error
	// FactsBetween returns the facts of calls that began in [from, until).
	FactsBetween(ctx context.Context, workspaceID, origin string, from, until time.Time) ([]Fact, error)
	// FactsToChange is FactsBetween, and HoldFact selects a call's fact, if it has one: others who
	// change these facts wait until the transaction ends.
	FactsToChange(ctx context.Context, workspaceID, origin string, from, until time.Time) ([]Fact, error)
	HoldFact(ctx context.Context, callID string) error
	// UpsetFacts returns the facts that q asks for, newest first.
	UpsetFacts(ctx context.Context, workspaceID string, q UpsetQuery) ([]Fact, error)
	// NextFact returns when the first call at or after from began; ok is false if there is none.
	NextFact(ctx context.Context, workspaceID, origin string, from time.Time) (at time.Time, ok bool, err error)
}

// WaitingRows are the calls without a fact so far.
type WaitingRows interface {
	// WaitingBetween counts the calls that began in [from, until) and still have to be reviewed, by the
	// beginning of their hour; agent is "" for all calls.
	WaitingBetween(ctx context.Context, workspaceID, origin, agent string, from, until time.Time) (map[time.Time]int, error)
	// Waiting returns when calls began that are over, answered or not, and still have to be reviewed:
	// the first limit of them in order of arrival. Of these, only the agent's are returned; "" is all.
	Waiting(ctx context.Context, workspaceID, origin, agent string, limit int) ([]time.Time, error)
}

// CallerRows tell who called; monitoring stores nothing of it.
type CallerRows interface {
	// CallersOf returns the callers' numbers by call; calls without one are left out.
	CallersOf(ctx context.Context, callIDs []string) (map[string]string, error)
}

// UpsetQuery asks for calls of upset callers.
type UpsetQuery struct {
	Origin string
	// Agent is an agent's id, NoAgent for calls without one, "" for all.
	Agent string
	// Dim and Value select calls with that value; both are "" or neither. Other selects calls whose
	// value has no number.
	Dim, Value  string
	From, Until time.Time
	// Before continues after the fact with this time and call id; zero starts with the newest.
	Before     time.Time
	BeforeCall string
	Limit      int
}

// Mark says that the facts of an hour have changed since its buckets were computed.
type Mark struct {
	ID          string
	WorkspaceID string
	Origin      string
	// Hour is the beginning of the hour.
	Hour time.Time
}

// MarkRows store the marks.
type MarkRows interface {
	// PutMarks adds marks; the store assigns their ids.
	PutMarks(ctx context.Context, marks []Mark) error
	// Marks returns the oldest marks; workspaceID "" means all workspaces.
	Marks(ctx context.Context, workspaceID string, limit int) ([]Mark, error)
	DeleteMarks(ctx context.Context, ids []string) error
	// HoldMonitor blocks other transactions that call it until this one ends.
	HoldMonitor(ctx context.Context) error
}

// Parts selects how much of a roll to read.
type Parts bool

// Light omits Roll.Hours; both omit Roll.Failed.
const (
	Light Parts = false
	Full  Parts = true
)

// SeriesWindow selects the days, or weeks, of a series in [From, Until).
type SeriesWindow struct {
	WorkspaceID, Origin string
	bucket.Series
	From, Until int
}

// RollRows store the buckets by day.
type RollRows interface {
	// RollsOfDay returns all rows of the day.
	RollsOfDay(ctx context.Context, workspaceID, origin string, day int) ([]bucket.Roll, error)
	// RollOf returns one row; ok is false if there is none.
	RollOf(ctx context.Context, workspaceID, origin string, s bucket.Series, day int) (r bucket.Roll, ok bool, err error)
	PutRoll(ctx context.Context, r bucket.Roll) error
	DeleteRoll(ctx context.Context, r bucket.Roll) error
	// Rolls returns the rows of a window of days, by day.
	Rolls(ctx context.Context, w SeriesWindow, p Parts) ([]bucket.Roll, error)
	// RollsByValue returns the rows of all values of the dimension in a window of days, by value and
	// day, read as Light.
	RollsByValue(ctx context.Context, w SeriesWindow) ([]bucket.Roll, error)
}

// WeekParts selects what to read of a week besides Week.Whole.
type WeekParts int

// WholeWeek reads neither Week.Days nor Week.Failed.
const (
	WholeWeek WeekParts = iota
	WithDays
	WithFailed
)

// WeekWindow selects the weeks of all values of a dimension that overlap the days in [From, Until).
type WeekWindow struct {
	WorkspaceID, Origin string
	// Agent restricts to one agent's calls, "" for all.
	Agent, Dim string
	// From is the first day, Until the day after the last.
	From, Until int
}

// WeekRows store the buckets by week.
type WeekRows interface {
	// WeekOf returns one row; ok is false if there is none.
	WeekOf(ctx context.Context, workspaceID, origin string, s bucket.Series, week int) (w bucket.Week, ok bool, err error)
	PutWeek(ctx context.Context, w bucket.Week) error
	DeleteWeek(ctx context.Context, w bucket.Week) error
	// Weeks returns the rows of a window of weeks, by week.
	Weeks(ctx context.Context, w SeriesWindow, p WeekParts) ([]bucket.Week, error)
	// EachWeekByValue calls give with each row of the window, by value and week, without Week.Failed,
	// and without Week.Days for weeks that lie entirely in the window. The row and its bytes are only
	// valid until give returns; an error from give ends the iteration.
	EachWeekByValue(ctx context.Context, w WeekWindow, give func(*bucket.Week) error) error
}

// TextRows store the texts that buckets refer to by number.
type TextRows interface {
	// Texts returns the texts of the kinds, or of all kinds if none is given.
	Texts(ctx context.Context, workspaceID string, kinds ...string) ([]Value, error)
	PutTexts(ctx context.Context, workspaceID string, values []Value) error
	// ForgetText erases the texts that no fact contains any more; their numbers are not reused. It
	// takes MarkRows.HoldMonitor before the facts are changed: whoever counts them at that time would
	// store their texts afterwards.
	ForgetText(ctx context.Context, workspaceID, act, failure string) error
	// ForgetValue erases a value of a dimension that no bucket of any origin contains any more, and the
	// reports of its series; its number is not reused.
	ForgetValue(ctx context.Context, workspaceID, dim, value string) error
}

// Dimensions are the metadata keys that a workspace declared.
type Dimensions struct {
	WorkspaceID string
	Keys        []string
	ChangedAt   time.Time
	// Zone is the name of the time zone of the hours of the week, "" for UTC.
	Zone string
	// Origin and From say which facts still have to be updated to the keys: those of Origin at or after
	// From. Origin "" means none.
	Origin string
	From   time.Time
}

// DimensionRows store the declared dimensions.
type DimensionRows interface {
	// Dimensions returns those of the workspace, without keys if it declared none.
	Dimensions(ctx context.Context, workspaceID string) (Dimensions, error)
	PutDimensions(ctx context.Context, d Dimensions) error
	// OldDimensions returns those whose facts are not up to date. In a writing transaction, others who
	// change them wait until it ends.
	OldDimensions(ctx context.Context, limit int) ([]Dimensions, error)
	// MetadataOf returns the values of the keys in the calls' metadata, by call.
	MetadataOf(ctx context.Context, callIDs, keys []string) (map[string]map[string]string, error)
}

// StoredReport is what was found in the history of one series that is not restricted to an agent:
// all calls of a workspace (Dim ""), those of one agent, or those with a dimension's value.
type StoredReport struct {
	WorkspaceID string
	Origin      string
	bucket.Series
	// Until is up to when the series was looked at; zero if never.
	Until time.Time
	// Redo is the first hour before Until whose figures have changed since, zero if none.
	Redo time.Time
	// TakenAt is when a process last started to look at the series.
	TakenAt time.Time
	// Found and Bands are encoded; Bands may be omitted.
	Found, Bands []byte
}

// ReportRows store the reports.
type ReportRows interface {
	// Reports returns those of all series of a workspace, without bands.
	Reports(ctx context.Context, workspaceID, origin string) ([]StoredReport, error)
	// CountReports returns the number of series with a report by dimension: "" for all calls, DimAgent
	// for those of agents.
	CountReports(ctx context.Context, workspaceID, origin string) (map[string]int, error)
	// ReportOf returns that of one series, with its bands.
	ReportOf(ctx context.Context, workspaceID, origin string, s bucket.Series) (r StoredReport, ok bool, err error)
	// PutReport stores the result of a look; changes of the series since it was taken stay due. It
	// stores nothing if the series was taken again since, or no longer exists.
	PutReport(ctx context.Context, r StoredReport, taken time.Time) error
	// TakeReport sets TakenAt to now unless somebody did so after before; ok says whether the caller is
	// to do the work. A TakenAt further ahead than clocks differ comes from a clock that was set back,
	// and is ignored.
	TakeReport(ctx context.Context, r StoredReport, before, now time.Time) (ok bool, err error)
	// RedoReports marks the series as changed from the hour on, including those without a report.
	RedoReports(ctx context.Context, workspaceID, origin string, hour time.Time, series []bucket.Series) error
	// OldReports returns series with calls on or after the day since whose report does not reach until,
	// and any whose report has to be redone, unless they were taken after before. Those taken longest
	// ago come first, so that all get their turn if there are more than can be looked at in time. A
	// report that reaches or was taken far ahead comes from a clock that was set back, and is due.
	OldReports(ctx context.Context, origin string, since int, until, before time.Time, limit int) ([]StoredReport, error)
}
