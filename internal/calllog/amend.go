package calllog

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog/lenient"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// Log is a call together with its records.
type Log struct {
	// Call is the call that the records made, or the test call they were added to.
	Call call.Call
	// Record is what all of them say together.
	Record Record
	// Submissions are in order of arrival, without their bodies.
	Submissions []Submission
}

// Log returns a call with its records. It reports a call without records as
// missing.
func (s *Service) Log(ctx context.Context, workspaceID, callID string) (l Log, err error) {
	err = s.Store.Read(ctx, func(tx Tx) error {
		l, err = logOf(ctx, tx, workspaceID, callID)
		return err
	})
	return l, err
}

func logOf(ctx context.Context, tx Tx, workspaceID, callID string) (l Log, err error) {
	if l.Call, err = tx.CallByID(ctx, workspaceID, callID); err != nil {
		return Log{}, err
	}
	if l.Submissions, err = tx.SubmissionsOf(ctx, callID); err != nil {
		return Log{}, err
	}
	if len(l.Submissions) == 0 {
		return Log{}, problem.Missing("call log", callID)
	}
	l.Record, _, err = tx.RecordOf(ctx, callID)
	return l, err
}

// Again returns the answer to a submission that was accepted before, for a request
// that repeats its idempotency key.
func (s *Service) Again(ctx context.Context, workspaceID, callID string) (a Accepted, err error) {
	err = s.Store.Read(ctx, func(tx Tx) error {
		l, err := logOf(ctx, tx, workspaceID, callID)
		a = acceptedAgain(l.Call)
		return err
	})
	return a, err
}

// Amendment is what a client adds to a call later.
type Amendment struct {
	// Metadata is merged into the call's metadata key by key; null removes a key.
	Metadata map[string]any
	// Outcome is the outcome of the call in the client's own words; "" leaves it as it
	// is.
	Outcome string
}

// Amend adds metadata and an outcome to a submitted call. An amendment that changes
// nothing is not stored. An opt-out in its metadata is obeyed like that of a
// submission. If the call has opted out already, or was amended too often, the
// error is a problem.Conflict.
func (s *Service) Amend(ctx context.Context, workspaceID, callID string, m Amendment) (l Log, err error) {
	if err := checkAmendment(m); err != nil {
		return Log{}, err
	}
	err = s.Store.Write(ctx, func(tx Tx) error {
		w := &writing{Service: s, tx: tx, agents: map[AgentRef]string{}}
		if l, err = w.amend(ctx, workspaceID, callID, m); err != nil {
			return err
		}
		return w.flush(ctx)
	})
	return l, err
}

func checkAmendment(m Amendment) error {
	o := lenient.Of(map[string]any{"metadata": m.Metadata, "outcome": m.Outcome})
	o.CheckText()
	o.CheckDepth("metadata", m.Metadata)
	if m.Outcome != "" {
		o.Text("outcome", lenient.MaxName)
	}
	if len(m.Metadata) == 0 && m.Outcome == "" {
		o.Note("metadata", "or outcome must be there, and hold something")
	}
	return o.Err()
}

func (w *writing) amend(ctx context.Context, workspaceID, callID string, m Amendment) (Log, error) {
	l, err := logOf(ctx, w.tx, workspaceID, callID)
	if err != nil {
		return Log{}, err
	}
	first := l.Submissions[0]
	if err := w.tx.LockArrivals(ctx, []Key{{workspaceID, first.Provider, first.ExternalID}}); err != nil {
		return Log{}, err
	}
	if _, err := w.tx.LockCall(ctx, callID); err != nil {
		return Log{}, err
	}
	if l, err = logOf(ctx, w.tx, workspaceID, callID); err != nil {
		return Log{}, err
	}
	keep := lenient.KeepIn(lenient.Of(m.Metadata))
	patch := Record{Metadata: m.Metadata}
	patch.Outcome = m.Outcome
	patch = redacted(patch, keep)
	if keep.StricterThan(l.Record.Keep) {
		err = w.reduce(ctx, &l.Call, keep)
	} else {
		after := Amend(l.Record, patch)
		if err = mayAmend(l, after, keep); err == nil && compareJSON(l.Record, after) == 0 {
			return l, nil
		}
	}
	if err != nil {
		return Log{}, err
	}
	packed, digest, err := w.pack(patch)
	if err != nil {
		return Log{}, err
	}
	now := w.Now()
	if last := l.Submissions[len(l.Submissions)-1].ReceivedAt; !now.After(last) {
		now = last.Add(time.Microsecond) // later than any other, so that the latest amendment wins
	}
	if err := w.tx.InsertSubmissions(ctx, []Submission{{
		ID: w.NewID("log"), WorkspaceID: workspaceID, Provider: first.Provider, ExternalID: first.ExternalID, CallID: callID,
		ReceivedAt: now, Digest: digest, Kind: KindPatch, Packed: packed,
	}}); err != nil {
		return Log{}, err
	}
	if err := w.retell(ctx, &l.Call, l.Record); err != nil {
		return Log{}, err
	}
	return logOf(ctx, w.tx, workspaceID, callID)
}

func mayAmend(l Log, after Record, keep Keep) error {
	if l.Record.Keep != KeepEverything && keep == KeepEverything { // the same wish once more is none of these
		return problem.New(problem.Conflict, "the client's platform was told not to keep such data about this call").
			WithHint("a call with an opt-out keeps no metadata and no outcome")
	}
	if len(l.Submissions) >= maxSubmissions {
		return problem.New(problem.Conflict, "this call has been added to %d times", len(l.Submissions)).WithHint("send related changes in one request")
	}
	if text, err := json.Marshal(after.Metadata); err != nil || len(text) > lenient.MaxMetadata {
		return problem.Invalid(problem.Field{Path: "metadata", Message: "the call's metadata must not be longer than " + strconv.Itoa(lenient.MaxMetadata) + " bytes in all"})
	}
	return nil
}
