package calllog

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// The names of the providers.
const (
	Custom    = "custom"
	PlatformA = "platform_a"
	PlatformB = "platform_b"
)

// jobReview is the kind of job that looks at a call once more.
const jobReview = "review"

// Options are what a Service is built from. All are needed unless they say otherwise.
type Options struct {
	Store Store
	// Readers are the providers that can be read, by name.
	Readers map[string]Reader
	// Aliases lead other names of providers to ours; may be nil.
	Aliases map[string]string
	NewID   func(prefix string) string
	Now     func() time.Time
}

// Service takes in call logs. Its methods are safe for concurrent use.
type Service struct{ Options }

// New returns a Service.
func New(o Options) *Service { return &Service{Options: o} }

// submission is an envelope that has been read.
type submission struct {
	provider string
	// testCall is what metadata.ringtrue_call says, "" when it says nothing.
	testCall        string
	metadata        map[string]any
	externalAgentID string
	record          Record
	raw             []byte
}

// Accept checks a submission and stores it; when it returns without an error
// everything is on disk. The record of a test call joins that call, any other
// becomes a production call. A call that was submitted before keeps its id,
// and a later record of it that says something else is added. body is kept.
func (s *Service) Accept(ctx context.Context, workspaceID string, body []byte) (Accepted, error) {
	sub, err := s.read(body)
	if err != nil {
		return Accepted{}, err
	}
	var a Accepted
	err = s.Store.Write(ctx, func(tx Tx) (err error) {
		a, err = s.store(ctx, tx, workspaceID, sub)
		return err
	})
	return a, err
}

const (
	maxName     = 256
	maxMetadata = 64 << 10
	testCallKey = "ringtrue_call"
)

// read parses and checks the body; all its mistakes come back at once.
func (s *Service) read(body []byte) (submission, error) {
	o, err := parse(body)
	if err != nil {
		return submission{}, err
	}
	sub := submission{raw: body, provider: o.Text("provider", maxName)}
	if ours, ok := s.Aliases[sub.provider]; ok {
		sub.provider = ours
	}
	readMetadata(o, &sub)
	if o.Has("externalAgentId") {
		sub.externalAgentID = o.Text("externalAgentId", maxName)
	}
	payload, hasPayload := o.Object("payload")
	reader, known := s.Readers[sub.provider]
	switch {
	case sub.provider == "":
	case !known && (sub.provider == PlatformA || sub.provider == PlatformB):
		o.Note("provider", sub.provider+" is not available yet; submit the call as "+Custom)
	case !known:
		o.Note("provider", "must be "+strings.Join(slices.Sorted(maps.Keys(s.Readers)), " or "))
	case hasPayload:
		sub.record = reader(payload)
	}
	if notes := *o.notes; len(notes) > 0 {
		slices.SortStableFunc(notes, func(a, b problem.Field) int { return cmp.Compare(a.Path, b.Path) })
		notes = slices.CompactFunc(notes, func(a, b problem.Field) bool { return a.Path == b.Path })
		return submission{}, problem.Invalid(notes...)
	}
	return sub, nil
}

func readMetadata(o Object, sub *submission) {
	if !o.Has("metadata") {
		return
	}
	metadata, ok := o.Object("metadata")
	if !ok {
		return
	}
	sub.metadata = metadata.values
	if text, err := json.Marshal(metadata.values); err != nil || len(text) > maxMetadata {
		o.Note("metadata", "must not be longer than "+strconv.Itoa(maxMetadata)+" bytes")
	}
	if metadata.Has(testCallKey) {
		// An agent that was met in a room may know the call by the room's name.
		sub.testCall = strings.TrimPrefix(metadata.Text(testCallKey, maxName), "ringtrue-")
	}
}

// store writes everything that one submission changes.
func (s *Service) store(ctx context.Context, tx Tx, workspaceID string, sub submission) (Accepted, error) {
	if err := tx.LockArrival(ctx, workspaceID, sub.provider, sub.record.ExternalID); err != nil {
		return Accepted{}, err
	}
	agentID, err := agentOf(ctx, tx, workspaceID, sub)
	if err != nil {
		return Accepted{}, err
	}
	first, seen, err := tx.SubmissionByExternalID(ctx, workspaceID, sub.provider, sub.record.ExternalID)
	if err != nil {
		return Accepted{}, err
	}
	if seen {
		return s.again(ctx, tx, workspaceID, sub, first, agentID)
	}
	test, linked, err := testCallOf(ctx, tx, workspaceID, sub)
	if err != nil {
		return Accepted{}, err
	}
	if linked {
		if err := s.join(ctx, tx, workspaceID, sub, test.ID); err != nil {
			return Accepted{}, err
		}
		return accepted(test.ID, cmp.Or(test.AgentID, agentID), false), nil
	}
	c := s.production(workspaceID, agentID, sub)
	if err := tx.InsertCalls(ctx, []call.Call{c}, nil); err != nil {
		return Accepted{}, err
	}
	if err := tx.InsertSubmission(ctx, s.row(workspaceID, sub, c.ID)); err != nil {
		return Accepted{}, err
	}
	return accepted(c.ID, agentID, false), nil
}

// again answers for a call that was submitted before. A record that tells
// something else than the first is appended.
func (s *Service) again(ctx context.Context, tx Tx, workspaceID string, sub submission, first Submission, agentID string) (Accepted, error) {
	test, linked, err := tx.TestCall(ctx, workspaceID, Match{CallID: first.CallID})
	if err != nil {
		return Accepted{}, err
	}
	if linked {
		agentID = cmp.Or(test.AgentID, agentID)
	}
	a := accepted(first.CallID, agentID, true)
	switch {
	case sameTranscript(first, sub.record):
		return a, nil
	case linked:
		return a, s.join(ctx, tx, workspaceID, sub, first.CallID)
	}
	return a, tx.InsertSubmission(ctx, s.row(workspaceID, sub, first.CallID))
}

// join adds the agent's own record to the test call it tells of, and has that
// call reviewed with it.
func (s *Service) join(ctx context.Context, tx Tx, workspaceID string, sub submission, callID string) error {
	if err := tx.InsertSubmission(ctx, s.row(workspaceID, sub, callID)); err != nil {
		return err
	}
	return tx.Enqueue(ctx, jobReview, callID, 0)
}

func agentOf(ctx context.Context, tx Tx, workspaceID string, sub submission) (string, error) {
	if sub.externalAgentID == "" {
		return "", nil
	}
	agent, _, err := tx.AgentBySourceID(ctx, workspaceID, sub.externalAgentID)
	return agent.ID, err
}

// testCallOf finds the test call a record belongs to. A record that says it is
// of a test call must not end up among the production calls.
func testCallOf(ctx context.Context, tx Tx, workspaceID string, sub submission) (call.Call, bool, error) {
	if sub.testCall == "" {
		r := sub.record
		return tx.TestCall(ctx, workspaceID, Match{From: r.From, To: r.To, StartedAt: r.StartedAt})
	}
	c, ok, err := tx.TestCall(ctx, workspaceID, Match{CallID: sub.testCall})
	if err == nil && !ok {
		err = problem.Invalid(problem.Field{Path: "metadata." + testCallKey, Message: "there is no such test call in this workspace"})
	}
	return c, ok, err
}

func (s *Service) production(workspaceID, agentID string, sub submission) call.Call {
	r := sub.record
	return call.Call{
		ID: s.NewID("call"), WorkspaceID: workspaceID, Origin: call.Production, AgentID: agentID,
		Status: call.Ended, ScoringStatus: call.ScoringSkipped, EndReason: r.End,
		From: r.From, To: r.To, CreatedAt: s.Now(), StartedAt: r.StartedAt, AnsweredAt: r.StartedAt, EndedAt: r.EndedAt,
		ExternalID: r.ExternalID, Metadata: sub.metadata,
	}
}

func (s *Service) row(workspaceID string, sub submission, callID string) Submission {
	r := sub.record
	return Submission{
		ID: s.NewID("log"), WorkspaceID: workspaceID, Provider: sub.provider, ExternalID: r.ExternalID, CallID: callID,
		ToolCalls: r.ToolCalls, Turns: r.Turns, HasTranscript: r.HasTranscript, ReceivedAt: s.Now(), Raw: sub.raw,
	}
}

func accepted(callID, agentID string, duplicate bool) Accepted {
	a := Accepted{ID: callID, Status: "accepted", Duplicate: duplicate}
	if agentID != "" {
		a.AgentID = &agentID
	}
	return a
}

// sameTranscript reports whether a record tells of the conversation what the first one told.
func sameTranscript(first Submission, r Record) bool {
	if first.HasTranscript != r.HasTranscript {
		return false
	}
	sameTurn := func(a, b call.Turn) bool {
		return a.Speaker == b.Speaker && a.Start == b.Start && a.End == b.End && a.Text == b.Text
	}
	sameTool := func(a, b call.ToolCall) bool {
		return a.ID == b.ID && a.Name == b.Name && string(a.Arguments) == string(b.Arguments) && a.Result == b.Result && a.At == b.At
	}
	return slices.EqualFunc(first.Turns, r.Turns, sameTurn) && slices.EqualFunc(first.ToolCalls, r.ToolCalls, sameTool)
}
