package calllog

import (
	"context"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// Store gives transactions. Write commits when f returns nil; after that the
// changes are on disk. f may be run again after a serialisation failure.
type Store interface {
	Write(ctx context.Context, f func(Tx) error) error
	Read(ctx context.Context, f func(Tx) error) error
}

// Tx is a transaction as this package sees it.
type Tx interface {
	// LockArrival makes other transactions that store a record of the same call wait for the end of this one.
	LockArrival(ctx context.Context, workspaceID, provider, externalID string) error
	// InsertSubmission appends a submission; it is never changed afterwards.
	InsertSubmission(ctx context.Context, s Submission) error
	// SubmissionByExternalID is the first submission of the platform's call id; ok is false when there is none.
	SubmissionByExternalID(ctx context.Context, workspaceID, provider, externalID string) (s Submission, ok bool, err error)
	// InsertCalls stores production calls, without items (nil).
	InsertCalls(ctx context.Context, calls []call.Call, items []scenario.Item) error
	// TestCall finds the simulated call an agent's record belongs to: by our id,
	// or by numbers and a start time within two minutes.
	TestCall(ctx context.Context, workspaceID string, m Match) (c call.Call, ok bool, err error)
	AgentBySourceID(ctx context.Context, workspaceID, sourceID string) (a scenario.Agent, ok bool, err error)
	// Enqueue adds a job that becomes real with the commit; it runs no earlier than after from now.
	Enqueue(ctx context.Context, kind, id string, after time.Duration) error
}

// Match is what an agent's record tells of the call it belongs to.
type Match struct {
	// CallID is ours, from the X-Ringtrue-Call header; "" when the record has none.
	CallID    string
	From, To  string
	StartedAt time.Time
}

// Submission is one record of a call as a client submitted it.
type Submission struct {
	ID          string `json:"id"`
	WorkspaceID string `json:"workspace_id"`
	Provider    string `json:"provider"`
	// ExternalID is the platform's own id of the call.
	ExternalID string `json:"external_id"`
	// CallID is the call it belongs to.
	CallID string `json:"call_id"`
	// ToolCalls and Messages are the transcript, normalised; HasTranscript tells "nothing said" from "not given".
	ToolCalls     []call.ToolCall `json:"tool_calls,omitempty"`
	Turns         []call.Turn     `json:"turns,omitempty"`
	HasTranscript bool            `json:"has_transcript"`
	ReceivedAt    time.Time       `json:"received_at"`
	// Raw is the body as it came; kept compressed, apart from the row.
	Raw []byte `json:"-"`
}
