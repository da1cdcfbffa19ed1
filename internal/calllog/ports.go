package calllog

import (
	"context"
	"hash/fnv"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// Store runs transactions. Write commits when f returns nil; the changes are then on disk. f may be
// run again after a serialisation failure.
type Store interface {
	Write(ctx context.Context, f func(Tx) error) error
	Read(ctx context.Context, f func(Tx) error) error
	// Pack compresses what a Submission stores: its body, or, when that may not be kept, the JSON of
	// its Record. The other argument is nil.
	Pack(record, raw []byte) []byte
	// ReadBodies sets the function that turns a stored body into a Record.
	ReadBodies(read func(provider string, body []byte) (Record, error))
}

// Tx is a transaction as this package sees it.
type Tx interface {
	ArrivalRows
	RecordRows
	CallRows
	LinkRows
	// Enqueue adds a job that exists once the transaction commits. It runs after the given delay at the
	// earliest.
	Enqueue(ctx context.Context, kind, id string, after time.Duration) error
	// EnqueueAll adds one job per id, without a delay; those of a smaller urgency (1 to 4) are done first.
	EnqueueAll(ctx context.Context, kind string, urgency int, ids []string) error
}

// ArrivalRows are what storing new submissions needs.
type ArrivalRows interface {
	// LockArrivals blocks other transactions that store records of the same calls until this one ends.
	LockArrivals(ctx context.Context, keys []Key) error
	// Known returns what exists already that concerns the arrivals. MayBeTest is in their order.
	Known(ctx context.Context, arrivals []Arriving) (Known, error)
	// InsertSubmissions adds submissions. Only ReplaceRecord changes them later.
	InsertSubmissions(ctx context.Context, all []Submission) error
	// UseKey records what a request with an Idempotency-Key made; ctx is the request's. It is false
	// when another request has used the key: then nothing may be made for this one.
	UseKey(ctx context.Context, made string) (bool, error)
}

// RecordRows are the submissions of one call and their records.
type RecordRows interface {
	// RecordOf returns what all submissions of the call say together; ok is false when there are none.
	RecordOf(ctx context.Context, callID string) (r Record, ok bool, err error)
	// RecordsOf returns the record of each submission of the call, by the submission's id.
	RecordsOf(ctx context.Context, callID string) (map[string]Record, error)
	// SubmissionsOf returns the call's submissions in order of arrival, without their bodies.
	SubmissionsOf(ctx context.Context, callID string) ([]Submission, error)
	// KeptOf returns the number of the call's submissions and their total size in bytes before packing,
	// without reading them.
	KeptOf(ctx context.Context, callID string) (submissions int, bytes int64, err error)
	// ReplaceRecord replaces a submission's record by a reduced one and removes its body.
	ReplaceRecord(ctx context.Context, s Submission) error
	// EraseReview removes the call's review and what was heard on its recording ("" for none).
	EraseReview(ctx context.Context, callID, recordingSHA256 string) error
}

// CallRows are the calls.
type CallRows interface {
	// InsertArrived stores production calls. Unless findable, they are left out of lists filtered by
	// metadata until MakeFindable.
	InsertArrived(ctx context.Context, calls []call.Call, findable bool) error
	// MakeFindable indexes the calls' metadata. It is idempotent.
	MakeFindable(ctx context.Context, callIDs []string) error
	UpdateCall(ctx context.Context, c call.Call) error
	// LockCall reads a call and locks it until the transaction ends.
	LockCall(ctx context.Context, id string) (call.Call, error)
	// CallByID returns a call of the workspace.
	CallByID(ctx context.Context, workspaceID, id string) (call.Call, error)
	// TestCall finds the simulated call that an agent's record belongs to: by our id, or by numbers and
	// a start time within two minutes.
	TestCall(ctx context.Context, workspaceID string, m Match) (c call.Call, ok bool, err error)
}

// LinkRows link calls to agents.
type LinkRows interface {
	AgentBySourceID(ctx context.Context, workspaceID, sourceID string) (a scenario.Agent, ok bool, err error)
	// AgentOf returns an agent of any workspace; ok is false when it no longer exists.
	AgentOf(ctx context.Context, id string) (a scenario.Agent, ok bool, err error)
	// LinkCalls links to the agent at most limit calls that refer to its source id and have no agent,
	// and returns their ids.
	LinkCalls(ctx context.Context, a scenario.Agent, limit int) ([]string, error)
}

// Match is what an agent's record says about the test call it belongs to.
type Match struct {
	// CallID is our id of the call, from the X-Ringtrue-Call header; "" when the record has none.
	CallID    string
	From, To  string
	StartedAt time.Time
}

// Key identifies a call among submissions: those of one call share it.
type Key struct {
	WorkspaceID, Provider, ExternalID string
}

// gates is the number of gates: fixed, so that the state kept for them does not grow with the
// number of calls.
const gates = 256

// Gate returns the number of the gate for the key. Records of the same call share a gate.
func (k Key) Gate() int {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(k.WorkspaceID + "\x00" + k.Provider + "\x00" + k.ExternalID)) // a hash never fails to write
	return int(sum.Sum32() % gates)
}

// Arriving is what an arriving record is looked up by.
type Arriving struct {
	Key   Key
	Match Match
	// AgentRef is the source id of its agent, "" if none.
	AgentRef string
}

// Known is what exists already when records arrive.
type Known struct {
	// Arrived are the stored submissions of the same calls, oldest first.
	Arrived map[Key][]Arrived
	// MayBeTest says for each arrival whether TestCall may find something.
	MayBeTest []bool
	// Agents are the ids of the agents that exist.
	Agents map[AgentRef]string
}

// AgentRef identifies an agent by the client's own id.
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
	// HasTranscript says whether the record has a transcript.
	HasTranscript bool
	ReceivedAt    time.Time
	// Digest identifies the submission among those of its call.
	Digest string
	Kind   string
	// Packed is the result of Store.Pack.
	Packed []byte
}
