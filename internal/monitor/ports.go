package monitor

import (
	"context"
	"time"

	"github.com/ringtrue/ringtrue/internal/bucket"
)

// Store gives transactions. Write commits when f returns nil; after that the
// changes are on disk. f may be run again after a serialisation failure.
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
	// PutFact stores a fact, in place of the call's earlier one.
	PutFact(ctx context.Context, f Fact) error
	FactByCall(ctx context.Context, callID string) (f Fact, ok bool, err error)
	DeleteFact(ctx context.Context, callID string) error
	// FactsBetween are the facts of the calls that began from from on and before until.
	FactsBetween(ctx context.Context, workspaceID, origin string, from, until time.Time) ([]Fact, error)
	// UpsetFacts are the facts that q asks for, newest first.
	UpsetFacts(ctx context.Context, workspaceID string, q UpsetQuery) ([]Fact, error)
	// NextFact is when the first call from from on began; ok is false when there is none.
	NextFact(ctx context.Context, workspaceID, origin string, from time.Time) (at time.Time, ok bool, err error)
}

// WaitingRows are the calls that there is no fact of yet.
type WaitingRows interface {
	// WaitingBetween counts, by the beginning of their hour, the calls that began from from
	// on and before until and are still to be reviewed; agent is "" for all calls.
	WaitingBetween(ctx context.Context, workspaceID, origin, agent string, from, until time.Time) (map[time.Time]int, error)
	// Waiting is when the first limit calls began that are over, answered or not, and are still to be reviewed,
	// in the order in which they came; agent is as in WaitingBetween, and looked for among those.
	Waiting(ctx context.Context, workspaceID, origin, agent string, limit int) ([]time.Time, error)
}

// CallerRows are who called; nothing of it is kept here.
type CallerRows interface {
	// CallersOf are the callers' numbers by call, as the calls have them; calls without one are left out.
	CallersOf(ctx context.Context, callIDs []string) (map[string]string, error)
}

// UpsetQuery asks for calls of upset callers.
type UpsetQuery struct {
	Origin string
	// Agent is an agent's id, NoAgent for calls without one, "" for all.
	Agent string
	// Dim and Value narrow to the calls with the value; both are "" or neither. Other narrows
	// to those whose value has no number.
	Dim, Value  string
	From, Until time.Time
	// Before goes on after the fact with this time and call id; zero begins with the newest.
	Before     time.Time
	BeforeCall string
	Limit      int
}

// Mark says that the facts of an hour have changed since its buckets were made.
type Mark struct {
	ID          string
	WorkspaceID string
	Origin      string
	// Hour is its beginning.
	Hour time.Time
}

// MarkRows are the marks.
type MarkRows interface {
	// PutMarks adds marks; their ids are given by the store.
	PutMarks(ctx context.Context, marks []Mark) error
	// Marks are the oldest marks, of any workspace when workspaceID is "".
	Marks(ctx context.Context, workspaceID string, limit int) ([]Mark, error)
	DeleteMarks(ctx context.Context, ids []string) error
	// HoldMonitor makes other transactions that hold it wait for the end of this one.
	HoldMonitor(ctx context.Context) error
}

// Parts says how much of a roll a reader needs.
type Parts bool

// The parts of a roll: Light is without Roll.Hours, and both are without Roll.Failed.
const (
	Light Parts = false
	Full  Parts = true
)

// SeriesWindow are the days, or the weeks, of a series from one up to and without another.
type SeriesWindow struct {
	WorkspaceID, Origin string
	bucket.Series
	From, Until int
}

// RollRows are the buckets by day.
type RollRows interface {
	// RollsOfDay are all rows of the day.
	RollsOfDay(ctx context.Context, workspaceID, origin string, day int) ([]bucket.Roll, error)
	// RollOf is one row; ok is false when there is none.
	RollOf(ctx context.Context, workspaceID, origin string, s bucket.Series, day int) (r bucket.Roll, ok bool, err error)
	PutRoll(ctx context.Context, r bucket.Roll) error
	DeleteRoll(ctx context.Context, r bucket.Roll) error
	// Rolls are the rows of a window of days, by day.
	Rolls(ctx context.Context, w SeriesWindow, p Parts) ([]bucket.Roll, error)
	// RollsByValue are the rows of all values of the dimension of a window of days, by value and day, with Light alone.
	RollsByValue(ctx context.Context, w SeriesWindow) ([]bucket.Roll, error)
}

// WeekParts says what more of a week than Week.Whole a reader needs.
type WeekParts int

// The parts of a week: WholeWeek is neither Week.Days nor Week.Failed.
const (
	WholeWeek WeekParts = iota
	WithDays
	WithFailed
)

// WeekWindow are the weeks of all values of a dimension that have something of some days.
type WeekWindow struct {
	WorkspaceID, Origin string
	// Agent narrows to one agent's calls, "" to none.
	Agent, Dim string
	// From is the first day, Until the one behind the last.
	From, Until int
}

// WeekRows are the buckets by week.
type WeekRows interface {
	// WeekOf is one row; ok is false when there is none.
	WeekOf(ctx context.Context, workspaceID, origin string, s bucket.Series, week int) (w bucket.Week, ok bool, err error)
	PutWeek(ctx context.Context, w bucket.Week) error
	DeleteWeek(ctx context.Context, w bucket.Week) error
	// Weeks are the rows of a window of weeks, by week.
	Weeks(ctx context.Context, w SeriesWindow, p WeekParts) ([]bucket.Week, error)
	// EachWeekByValue gives the rows of a window one after the other, by value and week, without
	// Week.Failed, and without Week.Days where the window has the whole week. What is
	// given belongs to the store again, with its bytes, as soon as give returns; an error of
	// give is the last thing that happens.
	EachWeekByValue(ctx context.Context, w WeekWindow, give func(*bucket.Week) error) error
}

// TextRows are the texts that buckets hold as numbers.
type TextRows interface {
	// Texts are those of the kinds, of all kinds when none is given.
	Texts(ctx context.Context, workspaceID string, kinds ...string) ([]Value, error)
	PutTexts(ctx context.Context, workspaceID string, values []Value) error
	// ForgetText blots out the text wherever no fact holds it any more; its number stays taken.
	ForgetText(ctx context.Context, workspaceID, act, failure string) error
	// ForgetValue blots out a value of a dimension that no bucket of any origin holds any
	// more, with the reports of its series; its number stays taken.
	ForgetValue(ctx context.Context, workspaceID, dim, value string) error
}

// Dimensions are the metadata keys that a workspace declares.
type Dimensions struct {
	WorkspaceID string
	Keys        []string
	ChangedAt   time.Time
	// Zone is the name of the time zone in which the hours of the week are counted, "" for UTC.
	Zone string
	// Origin and From say where the facts are still to be brought up to date with
	// the keys: from From on; Origin "" means that all are.
	Origin string
	From   time.Time
}

// DimensionRows are the declared dimensions.
type DimensionRows interface {
	// Dimensions are those of the workspace, without keys when it declared none.
	Dimensions(ctx context.Context, workspaceID string) (Dimensions, error)
	PutDimensions(ctx context.Context, d Dimensions) error
	// OldDimensions are those whose facts are not up to date.
	OldDimensions(ctx context.Context, limit int) ([]Dimensions, error)
	// MetadataOf are the values of the keys by call, as the calls' metadata hold them.
	MetadataOf(ctx context.Context, callIDs, keys []string) (map[string]map[string]string, error)
}

// StoredReport is what was found in the history of one series that is not
// narrowed to an agent: all calls of a workspace (Dim ""), those of an agent, or
// those with a dimension's value.
type StoredReport struct {
	WorkspaceID string
	Origin      string
	bucket.Series
	// Until is up to when was looked; zero when never.
	Until time.Time
	// Redo is the first hour before Until whose figures have changed since, zero when none has.
	Redo time.Time
	// TakenAt is when a process last set out to look at the series.
	TakenAt time.Time
	// Found and Bands are packed; Bands may be left out.
	Found, Bands []byte
}

// ReportRows are the stored reports.
type ReportRows interface {
	// Reports are those of all series of a workspace, without bands.
	Reports(ctx context.Context, workspaceID, origin string) ([]StoredReport, error)
	// CountReports are how many series have one, by their dimension: "" for all calls, DimAgent for those of agents.
	CountReports(ctx context.Context, workspaceID, origin string) (map[string]int, error)
	// ReportOf is that of one series, with its bands.
	ReportOf(ctx context.Context, workspaceID, origin string, s bucket.Series) (r StoredReport, ok bool, err error)
	// PutReport stores what a look found, and what of the series has changed since it was taken
	// as to be redone. It stores nothing where the series was taken again since, or is gone.
	PutReport(ctx context.Context, r StoredReport, taken time.Time) error
	// TakeReport sets TakenAt to now unless somebody did so later than before; ok says who is to do the work.
	// It minds none that lies ahead of any clock but one that has been set back since.
	TakeReport(ctx context.Context, r StoredReport, before, now time.Time) (ok bool, err error)
	// RedoReports says that figures of the series have changed from the hour on, of those
	// too that have no report yet.
	RedoReports(ctx context.Context, workspaceID, origin string, hour time.Time, series []bucket.Series) error
	// OldReports are series with calls on the day since or later whose report does not reach up to
	// until, and any whose report is to be redone, that nobody has taken since before: those first that
	// were taken longest ago, so that all get their turn where there are more than can be looked at in time.
	// One that reaches, or was taken, far ahead is of a clock that has been set back since, and due.
	OldReports(ctx context.Context, origin string, since int, until, before time.Time, limit int) ([]StoredReport, error)
}
