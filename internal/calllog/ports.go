package calllog

import (
	"context"
	"hash/fnv"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// Store gives transactions. Write commits when f returns nil; after that the
// changes are on disk. f may be run again after a serialisation failure.
type Store interface {
	Write(ctx context.Context, f func(Tx) error) error
	Read(ctx context.Context, f func(Tx) error) error
	// Pack compresses what a Submission keeps: its body as it came, or, when that
	// must not be kept, the JSON of its Record. The other is nil.
	Pack(record, raw []byte) []byte
	// ReadBodies says how to make the Record of a Submission that keeps its body.
	ReadBodies(read func(provider string, body []byte) (Record, error))
}

// Tx is a transaction as this package sees it.
type Tx interface {
	ArrivalRows
	RecordRows
	CallRows
	LinkRows
	// Enqueue adds a job that becomes real with the commit; it runs no earlier than after from now.
	Enqueue(ctx context.Context, kind, id string, after time.Duration) error
	// EnqueueAll is Enqueue for one job per id, all to run at once.
	EnqueueAll(ctx context.Context, kind string, ids []string) error
}

// ArrivalRows are the submissions as they come in.
type ArrivalRows interface {
	// LockArrivals makes other transactions that store records of the same calls wait for the end of this one.
	LockArrivals(ctx context.Context, keys []Key) error
	// Known tells what there is that has to do with the arrivals, in the order in which they stand.
	Known(ctx context.Context, arrivals []Arriving) (Known, error)
	// InsertSubmissions appends submissions. Only ReplaceRecord changes them afterwards.
	InsertSubmissions(ctx context.Context, all []Submission) error
	// UseKey remembers what a request with an Idempotency-Key makes; ctx is the
	// request's. An error means that nothing may be made for it.
	UseKey(ctx context.Context, made string) error
}

// RecordRows are the submissions of one call and what they tell.
type RecordRows interface {
	// RecordOf is what all submissions of the call tell together; ok is false when there is none.
	RecordOf(ctx context.Context, callID string) (r Record, ok bool, err error)
	// RecordsOf is what each submission of the call tells, by the submission's id.
	RecordsOf(ctx context.Context, callID string) (map[string]Record, error)
	// SubmissionsOf are the call's submissions in the order they came, without their bodies.
	SubmissionsOf(ctx context.Context, callID string) ([]Submission, error)
	// KeptOf is how many submissions of the call there are, and how many bytes they
	// are together, unpacked; none of them is read for it.
	KeptOf(ctx context.Context, callID string) (submissions int, bytes int64, err error)
	// ReplaceRecord puts less in the place of a submission's record, and removes its raw body.
	ReplaceRecord(ctx context.Context, s Submission) error
	// EraseReview removes the call's review and what was heard on its recording ("" for none).
	EraseReview(ctx context.Context, callID, recordingSHA256 string) error
}

// CallRows are the calls.
type CallRows interface {
	// InsertArrived stores production calls. Unless they are to be findable, lists
	// that are narrowed by metadata leave them out until MakeFindable.
	InsertArrived(ctx context.Context, calls []call.Call, findable bool) error
	// MakeFindable has the calls found by their metadata; it may be run again.
	MakeFindable(ctx context.Context, callIDs []string) error
	UpdateCall(ctx context.Context, c call.Call) error
	// LockCall reads a call and holds it until the transaction ends.
	LockCall(ctx context.Context, id string) (call.Call, error)
	// CallByID finds a call of the workspace.
	CallByID(ctx context.Context, workspaceID, id string) (call.Call, error)
	// TestCall finds the simulated call an agent's record belongs to: by our id,
	// or by numbers and a start time within two minutes.
	TestCall(ctx context.Context, workspaceID string, m Match) (c call.Call, ok bool, err error)
}

// LinkRows tie calls to agents.
type LinkRows interface {
	AgentBySourceID(ctx context.Context, workspaceID, sourceID string) (a scenario.Agent, ok bool, err error)
	// AgentOf finds an agent of any workspace; ok is false when it is gone.
	AgentOf(ctx context.Context, id string) (a scenario.Agent, ok bool, err error)
	// LinkCalls gives at most limit calls without an agent, whose records refer to
	// the agent's source id, to the agent, and returns their ids.
	LinkCalls(ctx context.Context, a scenario.Agent, limit int) ([]string, error)
}

// Match is what an agent's record tells of the call it belongs to.
type Match struct {
	// CallID is ours, from the X-Ringtrue-Call header; "" when the record has none.
	CallID    string
	From, To  string
	StartedAt time.Time
}

// Key is how the submissions of one call know each other.
type Key struct {
	WorkspaceID, Provider, ExternalID string
}

// gates is how many groups of calls are kept apart at most: a fixed number, so
// that what is kept of them does not grow with the calls.
const gates = 256

// Gate is one of a fixed number of gates: records of the same call go through the same.
func (k Key) Gate() int {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(k.WorkspaceID + "\x00" + k.Provider + "\x00" + k.ExternalID)) // a hash never fails to write
	return int(sum.Sum32() % gates)
}

// Arriving is what a record that arrives is looked up by.
type Arriving struct {
	Key   Key
	Match Match
	// AgentRef is the source id of its agent, "" for none.
	AgentRef string
}

// Known is what there is already when records arrive.
type Known struct {
	// Arrived are the submissions of the same calls, first ones first.
	Arrived map[Key][]Arrived
	// MayBeTest reports for which of the arrivals TestCall may find something.
	MayBeTest []bool
	// Agents are the ids of the agents that there are.
	Agents map[AgentRef]string
}

// AgentRef names an agent by the client's own id of it.
type AgentRef struct{ WorkspaceID, SourceID string }

// Arrived is a submission that has been stored.
type Arrived struct {
	CallID, Digest string
}

// The kinds of submissions.
const (
	// KindLog is the record of a call.
	KindLog = "log"
	// KindPatch is what a client added to a call later.
	KindPatch = "patch"
)

// Submission is one record of a call as a client submitted it.
type Submission struct {
	ID          string
	WorkspaceID string
	Provider    string
	// ExternalID is the platform's own id of the call.
	ExternalID string
	// CallID is the call it belongs to.
	CallID string
	// HasTranscript is the record's.
	HasTranscript bool
	ReceivedAt    time.Time
	// Digest tells the submissions of a call apart.
	Digest string
	Kind   string
	// Packed is what Store.Pack made of the record and the body.
	Packed []byte
}
