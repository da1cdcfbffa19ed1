package review

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/score"
)

// overtaken is a store in which an opt-out is done just before a review locks the call's row, as
// may happen with several processes on one database.
type overtaken struct{ *memory }

func (o *overtaken) Write(ctx context.Context, f func(Tx) error) error {
	return o.memory.Write(ctx, func(tx Tx) error { return f(&overtakenTx{tx, o.memory}) })
}

type overtakenTx struct {
	Tx
	m *memory
}

func (t *overtakenTx) BeginReview(ctx context.Context, id string, now time.Time) (int64, error) {
	c := t.m.rows.Calls[id]
	c.From, c.Metadata, c.Keep = "", nil, call.KeepBasics
	t.m.rows.Calls[id] = c
	return t.Tx.BeginReview(ctx, id, now)
}

// A review that began reading before an opt-out must not write back what that has erased.
func TestReviewDoesNotUndoAnOptOut(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.change(func(c *call.Call, _ *call.Attempt, _ *score.Plan) {
		c.Origin, c.Recording, c.From, c.Metadata = call.Production, nil, "+15550100123", map[string]any{"name": "Ada Example"}
	})
	b.service.o.Store = &overtaken{b.store}
	if _, err := b.service.load(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	c := b.store.rows.Calls[id]
	if c.ScoringStatus != call.ScoringNow || c.From != "" || c.Metadata != nil || c.Keep != call.KeepBasics {
		t.Errorf("%+v", c)
	}
}

// An opt-out in the agent's own record of a test call also erases what a review quoted from it,
// including from free space in the database, once the next review is stored.
func TestAReviewWithoutATakenRecordIsErased(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.store.rows.Tools[id] = []call.ToolCall{{Name: "cancel"}}
	b.store.rows.Told[id] = call.Reported{HasTranscript: true}
	b.review(t)
	if slices.Contains(b.store.rows.Jobs, JobErase+" "+id) {
		t.Error("erased before anything was taken")
	}
	delete(b.store.rows.Tools, id)
	b.store.rows.Told[id] = call.Reported{}
	if _, r := b.review(t); len(r.ToolCalls) > 0 || !slices.Contains(b.store.rows.Jobs, JobErase+" "+id) {
		t.Errorf("tool calls %v, jobs %q", r.ToolCalls, b.store.rows.Jobs)
	}
}

// The same holds if the opt-out comes during the review: another process may have reviewed the
// call without the record, and this one would write it back.
func TestARecordTakenDuringATestCallsReview(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.store.rows.Tools[id] = []call.ToolCall{{Name: "cancel"}}
	b.store.rows.Told[id] = call.Reported{HasTranscript: true}
	m, err := b.service.load(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	delete(b.store.rows.Tools, id)
	b.store.rows.Told[id] = call.Reported{}
	var wait Wait
	if err := b.service.settle(t.Context(), m, outcome{status: call.Scored}); !errors.As(err, &wait) {
		t.Errorf("settled with the record: %v", err)
	}
}

// A review that began before the one that is stored knew less than that, such as nothing of a record that came meanwhile:
// with several processes it may be the last to finish, but must not take the newer one's place.
func TestAReviewThatBeganEarlierDoesNotReplaceALaterOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	slow, err := b.service.load(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	b.store.rows.Tools[id] = []call.ToolCall{{Name: "cancel"}}
	b.review(t)
	if err := b.service.settle(t.Context(), slow, outcome{status: call.Scored}); err != nil {
		t.Fatal(err)
	}
	if r := b.store.rows.Reviews[id]; len(r.ToolCalls) != 1 || len(b.settled) != 1 {
		t.Errorf("settled %d times, the last time with the tool calls %v", len(b.settled), r.ToolCalls)
	}
}

// What stands in place of a failed review is worth more than that, however early it began.
func TestAReviewThatBeganEarlierReplacesAFailedOne(t *testing.T) {
	t.Parallel()
	b := setup(t)
	slow, err := b.service.load(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.service.GiveUp(t.Context(), id, errors.New("no")); err != nil {
		t.Fatal(err)
	}
	if err := b.service.settle(t.Context(), slow, outcome{status: call.Scored, verdict: call.Passed}); err != nil {
		t.Fatal(err)
	}
	if c := b.store.rows.Calls[id]; c.ScoringStatus != call.Scored || c.Verdict != call.Passed {
		t.Errorf("%s, %s", c.ScoringStatus, c.Verdict)
	}
}

// To give a call up takes two transactions, between which another process may have reviewed it: that review stays.
func TestACallThatIsReviewedWhileItIsGivenUp(t *testing.T) {
	t.Parallel()
	b := setup(t)
	reviewed, err := b.service.load(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	given, err := b.service.load(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	for _, end := range []struct {
		m   *material
		out outcome
	}{{reviewed, outcome{status: call.Scored, verdict: call.Passed}}, {given, outcome{status: call.ScoringFailed, verdict: call.Void}}} {
		if err := b.service.settle(t.Context(), end.m, end.out); err != nil {
			t.Fatal(err)
		}
	}
	if c := b.store.rows.Calls[id]; c.ScoringStatus != call.Scored || c.Verdict != call.Passed || len(b.settled) != 1 {
		t.Errorf("%s, %s, settled %d times", c.ScoringStatus, c.Verdict, len(b.settled))
	}
}
