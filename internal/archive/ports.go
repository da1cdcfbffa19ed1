// Package archive finds and shows calls of any origin: lists with filters, one
// call with everything known about it, its recording and its peaks. It changes
// nothing, but clears away recordings that no call keeps. Package store answers its questions, package api passes them on.
package archive

import (
	"context"
	"io"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// Store gives read transactions.
type Store interface {
	Read(ctx context.Context, f func(Tx) error) error
}

// Tx is a transaction as this package sees it.
type Tx interface {
	Lists
	Pieces
}

// Lists finds calls, and tells of each what a list shows beside the call itself.
type Lists interface {
	// Calls lists by when they took place, newest first and then by id, behind the place (the zero Place from the start).
	Calls(ctx context.Context, workspaceID string, f Filter, limit int, after Place) ([]call.Call, error)
	// Glances are what is known of the calls with these ids; a call of which nothing is known may be left out.
	Glances(ctx context.Context, ids []string) (map[string]Glance, error)
	// Discarded are attempts that ended as interrupted at or after since and
	// whose recording their call does not keep, in order of their ids, behind after.
	Discarded(ctx context.Context, since time.Time, after string, limit int) ([]Discarded, error)
	// OldestBeat is the least of the last beats of attempts that have not ended; ok is false when there are none.
	OldestBeat(ctx context.Context) (at time.Time, ok bool, err error)
}

// Pieces are what a call consists of.
type Pieces interface {
	// CallByID returns problem.Missing for another workspace's call. Calls carry their attempts everywhere, timelines left out.
	CallByID(ctx context.Context, workspaceID, id string) (call.Call, error)
	// ReviewOf is the latest review; ok is false when there is none yet.
	ReviewOf(ctx context.Context, callID string) (r call.Review, ok bool, err error)
	// ReportedOf is what the client's platform tells of the call; ok is false when nobody told of it.
	ReportedOf(ctx context.Context, callID string) (r call.Reported, ok bool, err error)
	LastAttempt(ctx context.Context, callID string) (a call.Attempt, ok bool, err error)
}

// Glance is what a list shows of a call's review.
type Glance struct {
	// Sentiment is "" where nothing is known of the feeling.
	Sentiment call.Sentiment
	Upset     bool
	// TurnLatency is the median of the measured turn latencies, nil when there is none.
	TurnLatency *time.Duration
}

// Listed is a call as a list has it, its review left out but for a glance.
type Listed struct {
	call.Call
	Glance
}

// Discarded is an attempt whose recording, should there be one, nobody keeps.
type Discarded struct{ WorkspaceID, CallID, AttemptID string }

// Filter narrows a list of calls; zero fields do not narrow.
type Filter struct {
	Origin        call.Origin
	AgentID       string
	ExperimentID  string
	Status        call.Status
	ScoringStatus call.ScoringStatus
	Verdict       call.Verdict
	EndCode       call.EndCode
	Blame         call.Blame
	// ItemID is that of the dataset item that was played.
	ItemID string
	// Sentiment and Upset are how the caller felt by the latest review; nil does not narrow.
	Sentiment call.Sentiment
	Upset     *bool
	// From and Until bound when the call took place, see call.Call.Begun: From <= begun < Until.
	From, Until time.Time
	// Search finds a call by the beginning of its id or of its platform's id for
	// it, or by digits of one of its numbers.
	Search string
	// Metadata must all be there with these values (text form).
	Metadata map[string]string
	// Left narrows to callers who left early; nil does not.
	Left *Left
	// Failing narrows to the calls that monitoring counts as failing, Alike to
	// those of a group, by the group's numbers.
	Failing bool
	Alike   []int
	// Dimension and Value narrow to the calls with one value of a dimension, as
	// monitoring knows it; both are "" or neither.
	Dimension, Value string
}

// Recordings opens stored audio from an offset, and removes it.
type Recordings interface {
	// OpenRange reads length bytes from offset; length -1 means to the end.
	OpenRange(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error)
	// Delete removes a recording and what was begun of it; none is no error.
	Delete(ctx context.Context, key string) error
}
