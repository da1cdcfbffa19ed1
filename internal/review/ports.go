package review

import (
	"context"
	"io"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/score"
)

// Store runs transactions. Write commits when f returns nil; the changes are then on disk. f may be
// run again after a serialisation failure.
type Store interface {
	Write(ctx context.Context, f func(Tx) error) error
	Read(ctx context.Context, f func(Tx) error) error
}

// Tx is a transaction as this package sees it.
type Tx interface {
	Rows
	ReviewRows
	HeardRows
	FetchRows
	ReplayRows
	// Enqueue adds a job that exists once the transaction commits. It runs after the given delay at the
	// earliest.
	Enqueue(ctx context.Context, kind, id string, after time.Duration) error
}

// Rows are the calls and what is stored about them.
type Rows interface {
	// CallByID returns a call without its timelines; workspaceID "" means any workspace.
	CallByID(ctx context.Context, workspaceID, id string) (call.Call, error)
	UpdateCall(ctx context.Context, c call.Call) error
	// LastAttempt returns the attempt that counts, with its timeline; ok is false if there was none.
	LastAttempt(ctx context.Context, callID string) (a call.Attempt, ok bool, err error)
	// AgentByID returns problem.Missing for an agent that is not the workspace's.
	AgentByID(ctx context.Context, workspaceID, id string) (scenario.Agent, error)
	// PlanOf returns what the call is to be scored by.
	PlanOf(ctx context.Context, callID string) (score.Plan, error)
	// ReportedOf returns what the client's platform reported about the call, all records merged; ok is
	// false if there is none.
	ReportedOf(ctx context.Context, callID string) (r call.Reported, ok bool, err error)
	// AgentRecord returns the tool calls in the agent's own record of the call; ok is false if there is
	// none.
	AgentRecord(ctx context.Context, callID string) (tools []call.ToolCall, ok bool, err error)
}

// ReviewRows are the results of reviews.
type ReviewRows interface {
	// ReviewOf returns the latest review; ok is false if there is none.
	ReviewOf(ctx context.Context, callID string) (r call.Review, ok bool, err error)
	// SaveReview stores a review in place of the call's previous one.
	SaveReview(ctx context.Context, r call.Review) error
	// NoteReview stores the number of the stored review (0 if any may take its place), what lists of
	// calls are filtered by: how the caller felt (nil when nobody looked), and a digest of everything
	// that the review depends on.
	NoteReview(ctx context.Context, callID string, number int64, f *call.Feeling, by string) error
	// ReviewedBy returns that digest for the latest review, "" if there is none.
	ReviewedBy(ctx context.Context, callID string) (string, error)
	// BeatReview records that somebody is working on the review of the call. A zero now means the
	// database's own time, on which processes with different clocks agree.
	BeatReview(ctx context.Context, callID string, now time.Time) error
	// BeginReview is the beat of a review that begins. It returns the review's number, which is larger
	// than those of all reviews of the call that began before.
	BeginReview(ctx context.Context, callID string, now time.Time) (number int64, err error)
	// EndReview is the beat of a review that is about to be stored. It reports whether the stored one
	// has a larger number.
	EndReview(ctx context.Context, callID string, number int64, now time.Time) (overtaken bool, err error)
}

// HeardRows keep what was heard, by recording and engines, so that a replay need not transcribe
// again.
type HeardRows interface {
	HeardOf(ctx context.Context, recordingSHA256, engines string) (h call.Heard, ok bool, err error)
	KeepHeard(ctx context.Context, recordingSHA256, engines string, h call.Heard) error
	// EraseHeard removes what any engines have heard on a recording.
	EraseHeard(ctx context.Context, recordingSHA256 string) error
	// StalledReviews are calls in SCORING whose last beat lies at least silent before now, on the
	// clock of BeatReview.
	StalledReviews(ctx context.Context, now time.Time, silent time.Duration, limit int) ([]string, error)
}

// FetchRows store the progress of fetching recordings of production calls.
type FetchRows interface {
	// FetchOf returns the row of a call; ok is false if there is none.
	FetchOf(ctx context.Context, callID string) (f Fetch, ok bool, err error)
	SaveFetch(ctx context.Context, f Fetch) error
}

// ReplayRows store replays and find their calls.
type ReplayRows interface {
	InsertReplay(ctx context.Context, r Replay) error
	// ReplayByID returns a replay; workspaceID "" means any workspace. LockReplay also locks it until
	// the transaction ends.
	ReplayByID(ctx context.Context, workspaceID, id string) (Replay, error)
	LockReplay(ctx context.Context, workspaceID, id string) (Replay, error)
	SaveReplay(ctx context.Context, r Replay) error
	// Replays lists replays, newest first, after the cursor (an id; "" for the first page).
	Replays(ctx context.Context, workspaceID string, limit int, cursor string) ([]Replay, error)
	// ToReplay returns the ids of calls in scope that follow after, in order.
	ToReplay(ctx context.Context, workspaceID string, s Scope, after string, limit int) ([]string, error)
	CountToReplay(ctx context.Context, workspaceID string, s Scope) (int, error)
}

// Recordings opens stored audio.
type Recordings interface {
	Open(ctx context.Context, key string) (io.ReadCloser, error)
}

// Shelf stores fetched recordings.
type Shelf interface {
	// KeepSound stores both sides as a two-channel WAV, the caller left, and describes it. It is
	// atomic: the file is on disk under its final name, or not at all.
	KeepSound(ctx context.Context, key string, rate int, caller, agent []int16) (call.Recording, error)
	// Delete removes a recording. It is no error if there is none.
	Delete(ctx context.Context, key string) error
	// DeleteAll removes all recordings in a folder, unfinished ones included.
	DeleteAll(ctx context.Context, folder string) error
}

// Transcriber turns speech into words.
type Transcriber interface {
	// Engine returns the recogniser's name and version. selfTest says that it is fit for synthetic
	// voices only.
	Engine() (name string, selfTest bool)
	// Transcribe returns one transcript per segment, in order.
	Transcribe(ctx context.Context, r Speech) ([]Transcript, error)
}

// Speech is audio to be transcribed.
type Speech struct {
	PCM      []int16
	Rate     int
	Segments []call.Segment
	Language string
	// Hints are sentences that are likely to occur (the scenario's own words).
	Hints []string
	// Maybe are sentences that must be understood if they are said, but that are no more likely
	// than others. An agent's forbidden words belong here: as hints, the recogniser might hear them
	// because it was looking for them.
	Maybe []string
}

// Transcript is what was said in one segment. Words have media times where the engine gives them,
// and how sure it was of each.
type Transcript struct {
	Text  string
	Words []call.Word
	// Readings are other texts that are almost as likely, the most likely first.
	Readings []string
}

// Outside fetches recordings of production calls from where their platform stores them.
type Outside interface {
	// Fetch opens the recording at an address, with the workspace's credentials for its host. Size and
	// time are bounded; reading may fail like Fetch. The caller closes the body, which may implement
	// Flawed. A NeverHad error is final; NotYet and any other error may be temporary.
	Fetch(ctx context.Context, workspaceID, address string) (io.ReadCloser, error)
}

// Flawed is a body that is known to have something wrong with it.
type Flawed interface {
	// Flaw returns a clause for people, "" if there is no flaw.
	Flaw() string
}

// NeverHad says that a recording cannot be fetched, now or later. Reason is a clause for people
// that contains no address: "its server says that there is none (404)".
type NeverHad struct {
	Reason string
	// Missing says that the host only answered that nothing is there. Soon after a call it may
	// still come.
	Missing bool
}

// Error implements error.
func (e NeverHad) Error() string { return "the recording cannot be fetched: " + e.Reason }

// NotYet says that a recording cannot be fetched now. Reason is as for NeverHad; After is how long
// its host asks to wait, 0 if it does not say.
type NotYet struct {
	Reason string
	After  time.Duration
}

// Error implements error.
func (e NotYet) Error() string { return "the recording cannot be fetched yet: " + e.Reason }

// Settled is called, within the transaction that settles it, when a call's review is done. It gets
// the call as it now is, its review, and what the client's platform reported (zero if nothing). It
// is called again for every further review of the call.
type Settled func(ctx context.Context, tx Tx, c call.Call, r call.Review, told call.Reported) error
