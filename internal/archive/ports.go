// Package archive finds and shows calls of any origin: lists with filters, one
// call with everything known about it, its recording and its peaks. It changes
// nothing. Package store answers its questions, package api passes them on.
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
	// CallByID returns problem.Missing for another workspace's call. Calls carry their attempts everywhere, timelines left out.
	CallByID(ctx context.Context, workspaceID, id string) (call.Call, error)
	// Calls lists newest first, after the cursor (an id, "" from the start).
	Calls(ctx context.Context, workspaceID string, f Filter, limit int, cursor string) ([]call.Call, error)
	// ReviewOf is the latest review; ok is false when there is none yet.
	ReviewOf(ctx context.Context, callID string) (r call.Review, ok bool, err error)
	LastAttempt(ctx context.Context, callID string) (a call.Attempt, ok bool, err error)
	AttemptsOf(ctx context.Context, callID string) ([]call.Attempt, error)
}

// Filter narrows a list of calls; zero fields do not narrow.
type Filter struct {
	Origin        call.Origin
	AgentID       string
	ExperimentID  string
	Status        call.Status
	ScoringStatus call.ScoringStatus
	Verdict       call.Verdict
	EndCode       call.EndCode
	// From and Until bound the creation time: From <= created < Until.
	From, Until time.Time
	// Metadata must all be there with these values (text form).
	Metadata map[string]string
}

// Recordings opens stored audio from an offset.
type Recordings interface {
	// OpenRange reads length bytes from offset; length -1 means to the end.
	OpenRange(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error)
}
