package review

import (
	"context"
	"io"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/score"
)

// Store gives transactions. Write commits when f returns nil; after that the
// changes are on disk. f may be run again after a serialisation failure.
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
	// Enqueue adds a job that becomes real with the commit; it runs no earlier than after from now.
	Enqueue(ctx context.Context, kind, id string, after time.Duration) error
}

// Rows are the calls and what is stored about them.
type Rows interface {
	// CallByID finds a call; workspaceID "" means any. Timelines are left out.
	CallByID(ctx context.Context, workspaceID, id string) (call.Call, error)
	UpdateCall(ctx context.Context, c call.Call) error
	// LastAttempt is the attempt that counts, with its timeline; ok is false when there was none.
	LastAttempt(ctx context.Context, callID string) (a call.Attempt, ok bool, err error)
	// AgentByID returns problem.Missing for an agent that is not the workspace's.
	AgentByID(ctx context.Context, workspaceID, id string) (scenario.Agent, error)
	// PlanOf is what the call is to be scored by.
	PlanOf(ctx context.Context, callID string) (score.Plan, error)
	// ReportedOf is what the client's platform tells of the call, all its records
	// merged; ok is false while there is none.
	ReportedOf(ctx context.Context, callID string) (r call.Reported, ok bool, err error)
	// AgentRecord is the agent's own record of the call; ok is false while there is none.
	AgentRecord(ctx context.Context, callID string) (tools []call.ToolCall, ok bool, err error)
}

// ReviewRows are the results of reviews.
type ReviewRows interface {
	// ReviewOf is the latest review; ok is false when there is none yet.
	ReviewOf(ctx context.Context, callID string) (r call.Review, ok bool, err error)
	// SaveReview keeps a review in the place of the call's earlier one.
	SaveReview(ctx context.Context, r call.Review) error
	// NoteReview stores what lists of calls are filtered by: how the caller felt (nil when nobody
	// looked), and a digest of everything that the review depends on.
	NoteReview(ctx context.Context, callID string, f *call.Feeling, by string) error
	// ReviewedBy is that digest of the latest review, "" before there is one.
	ReviewedBy(ctx context.Context, callID string) (string, error)
	// BeatReview records that somebody is working on the review of the call. A zero now means the
	// database's own time, on which processes with different clocks agree.
	BeatReview(ctx context.Context, callID string, now time.Time) error
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

// FetchRows tell how far the recordings of production calls have come.
type FetchRows interface {
	// FetchOf finds the row of a call; ok is false while there is none.
	FetchOf(ctx context.Context, callID string) (f Fetch, ok bool, err error)
	SaveFetch(ctx context.Context, f Fetch) error
}

// ReplayRows keep replays and find the calls they are about.
type ReplayRows interface {
	InsertReplay(ctx context.Context, r Replay) error
	// ReplayByID finds a replay, workspaceID "" means any; LockReplay also keeps
	// others from changing it until the transaction ends.
	ReplayByID(ctx context.Context, workspaceID, id string) (Replay, error)
	LockReplay(ctx context.Context, workspaceID, id string) (Replay, error)
	SaveReplay(ctx context.Context, r Replay) error
	// Replays lists newest first, after the cursor (an id, "" from the start).
	Replays(ctx context.Context, workspaceID string, limit int, cursor string) ([]Replay, error)
	// ToReplay are the ids of the calls in scope behind after, in order.
	ToReplay(ctx context.Context, workspaceID string, s Scope, after string, limit int) ([]string, error)
	CountToReplay(ctx context.Context, workspaceID string, s Scope) (int, error)
}

// Recordings opens stored audio.
type Recordings interface {
	Open(ctx context.Context, key string) (io.ReadCloser, error)
}

// Shelf keeps the recordings that were fetched.
type Shelf interface {
	// KeepSound stores both sides as a two-channel WAV, caller left, and describes
	// it; when it returns, it is on disk under its whole name, or not at all.
	KeepSound(ctx context.Context, key string, rate int, caller, agent []int16) (call.Recording, error)
	// Delete removes a recording; one that is not there is no error.
	Delete(ctx context.Context, key string) error
	// DeleteAll removes all recordings of a folder, and what was begun of any.
	DeleteAll(ctx context.Context, folder string) error
}

// Transcriber turns speech into words.
type Transcriber interface {
	// Engine names the recogniser and its version; selfTest says it is fit for synthetic voices only.
	Engine() (name string, selfTest bool)
	// Transcribe returns the words of each segment, in order, one entry per segment.
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
	// Readings are other texts that are almost as likely, the likeliest first.
	Readings []string
}

// Outside gets the recordings of production calls from where their platform keeps them.
type Outside interface {
	// Fetch opens the recording at an address, with the credentials that the
	// workspace keeps for its host. How much and how long may be read is bounded;
	// reading may fail as Fetch may. The caller closes the body, which may be Flawed. A NeverHad error is
	// final, a NotYet error or any other may go away.
	Fetch(ctx context.Context, workspaceID, address string) (io.ReadCloser, error)
}

// Flawed is a body that is known to have something wrong with it.
type Flawed interface {
	// Flaw is a clause for people, "" when nothing is.
	Flaw() string
}

// NeverHad says that a recording cannot be had, now or later. Reason is a clause
// for people that names no address: "its server says that there is none (404)".
type NeverHad struct {
	Reason string
	// Missing says that the host only answered that nothing is there. Soon after a call it may
	// still come.
	Missing bool
}

// Error implements error.
func (e NeverHad) Error() string { return "the recording cannot be had: " + e.Reason }

// NotYet says that a recording cannot be had now. Reason is as that of NeverHad,
// After when its host wants to be asked again, 0 when it did not say.
type NotYet struct {
	Reason string
	After  time.Duration
}

// Error implements error.
func (e NotYet) Error() string { return "the recording cannot be had yet: " + e.Reason }

// Settled is told, inside the transaction that settles it, that a call's review
// is over: the call as it now is, its review, and what the client's platform
// tells of it (the zero value when that is nothing). It is told again of every
// further review of the same call.
type Settled func(ctx context.Context, tx Tx, c call.Call, r call.Review, told call.Reported) error
