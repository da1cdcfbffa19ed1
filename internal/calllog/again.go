package calllog

import (
	"cmp"
	"context"
	"slices"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// join adds an agent's own record to its test call and has that call reviewed again. It locks the
// call, since records under other external ids, in this transaction or another, may join it as well.
func (w *writing) join(ctx context.Context, a *arrival, test call.Call) (Accepted, error) {
	var err error
	if test.AgentID, err = w.agentOfTest(ctx, a.record, test); err != nil {
		return Accepted{}, err
	}
	if _, err := w.tx.LockCall(ctx, test.ID); err != nil {
		return Accepted{}, err
	}
	before, told, err := w.tx.RecordOf(ctx, test.ID)
	if err != nil {
		return Accepted{}, err
	}
	if err := w.mayKeep(ctx, a, test.ID, before.Keep); err != nil {
		return Accepted{}, err
	}
	if err := w.use(a, test.ID); err != nil {
		return Accepted{}, err
	}
	if told { // there are records of this test call already, under another external id
		if err := w.obey(ctx, a, &test, before); err != nil {
			return Accepted{}, err
		}
	}
	if err := w.tx.InsertSubmissions(ctx, []Submission{w.submission(a, test.ID)}); err != nil {
		return Accepted{}, err
	}
	w.reviewTest(test.ID)
	return accepted(test), nil
}

// reviewTest schedules a review of a test call, once.
func (w *writing) reviewTest(id string) {
	if !slices.Contains(w.tests, id) {
		w.tests = append(w.tests, id)
	}
}

// agentOfTest returns the agent of a test call, or else the one that its record
// names.
func (w *writing) agentOfTest(ctx context.Context, r Record, test call.Call) (string, error) {
	named := call.Call{WorkspaceID: test.WorkspaceID}
	derive(&named, r)
	agentID, err := w.agent(ctx, &named)
	return cmp.Or(test.AgentID, agentID), err
}

// again stores a further record of a known call and rebuilds the call from all its
// records. A record that is stored already changes nothing.
func (w *writing) again(ctx context.Context, a *arrival, known []Arrived) (Accepted, error) {
	c, err := w.tx.LockCall(ctx, known[0].CallID)
	if err != nil {
		return Accepted{}, err
	}
	if c.Origin == call.Production && isKnown(a, known) { // answered without reading any record
		return acceptedAgain(c), w.use(a, c.ID)
	}
	before, _, err := w.tx.RecordOf(ctx, c.ID)
	if err != nil {
		return Accepted{}, err
	}
	shown, err := w.shown(ctx, c, Merge(before, a.record))
	if err != nil {
		return Accepted{}, err
	}
	if before.Keep.StricterThan(a.record.Keep) {
		if err := w.keep(a, a.record, before.Keep); err != nil {
			return Accepted{}, err
		}
	}
	if isKnown(a, known) {
		return acceptedAgain(shown), w.use(a, c.ID)
	}
	if err := w.mayKeep(ctx, a, c.ID, before.Keep); err != nil {
		return Accepted{}, err
	}
	if err := w.use(a, c.ID); err != nil {
		return Accepted{}, err
	}
	if err := w.obey(ctx, a, &c, before); err != nil {
		return Accepted{}, err
	}
	if err := w.tx.InsertSubmissions(ctx, []Submission{w.submission(a, c.ID)}); err != nil {
		return Accepted{}, err
	}
	if err := w.retell(ctx, &c, before); err != nil {
		return Accepted{}, err
	}
	if c.Origin == call.Production {
		shown = c
	}
	return acceptedAgain(shown), nil
}

// shown returns the call as the answer to a submission shows it, when its records
// say r together.
func (w *writing) shown(ctx context.Context, c call.Call, r Record) (call.Call, error) {
	if c.Origin != call.Simulated {
		return c, nil
	}
	var err error
	c.AgentID, err = w.agentOfTest(ctx, r, c)
	return c, err
}

func isKnown(a *arrival, known []Arrived) bool {
	return slices.ContainsFunc(known, func(k Arrived) bool { return k.Digest == a.digest })
}

// mayKeep refuses a submission once a call has too many, or too large ones. A
// submission that asks to keep less than before is never refused.
func (w *writing) mayKeep(ctx context.Context, a *arrival, callID string, sofar call.Keep) error {
	if a.record.Keep.StricterThan(sofar) {
		return nil
	}
	n, bytes, err := w.tx.KeptOf(ctx, callID)
	switch {
	case err != nil:
		return err
	case n >= maxSubmissions:
		err = problem.New(problem.Conflict, "this call has been submitted %d times, each time with different content", n).
			WithHint("send a call's record once, or repeat it unchanged; use PATCH to add metadata")
	case n >= fewSubmissions && bytes+int64(a.size) > maxTogether:
		err = problem.New(problem.Conflict, "this call has been submitted %d times, each time with different content, and all of that is more than %d MiB", n, maxTogether>>20).
			WithHint("send a call's record once, or repeat it unchanged; use PATCH to add metadata")
	default:
		return nil
	}
	return refusal{err}
}

// retell rebuilds the call from its records and has it reviewed again if they say
// something new.
func (w *writing) retell(ctx context.Context, c *call.Call, before Record) error {
	after, _, err := w.tx.RecordOf(ctx, c.ID)
	before.Judged = after.Judged // the same opinion sent again says nothing new
	if err != nil || compareJSON(before, after) == 0 {
		return err
	}
	if c.Origin == call.Simulated {
		w.reviewTest(c.ID)
		return nil
	}
	ref := c.AgentRef
	derive(c, after)
	if c.AgentRef != ref || c.AgentID == "" {
		if c.AgentID, err = w.agent(ctx, c); err != nil {
			return err
		}
	}
	if err := w.tx.UpdateCall(ctx, *c); err != nil {
		return err
	}
	w.look(c)
	return nil
}

// obey applies the stricter of the new record's opt-out and the call's: it erases
// what is stored, or redacts the record.
func (w *writing) obey(ctx context.Context, a *arrival, c *call.Call, before Record) error {
	keep := a.record.Keep
	if !keep.StricterThan(before.Keep) {
		if !before.Keep.StricterThan(keep) {
			return nil
		}
		return w.keep(a, a.record, before.Keep)
	}
	return w.reduce(ctx, c, keep)
}

// reduce erases what may not be kept of a call: words, numbers, free metadata, the
// recording, and what a review made of them. For a test call it erases only the
// agent's own records: that caller is ours.
func (w *writing) reduce(ctx context.Context, c *call.Call, keep Keep) error {
	all, err := w.tx.SubmissionsOf(ctx, c.ID)
	if err != nil {
		return err
	}
	records, err := w.tx.RecordsOf(ctx, c.ID)
	if err != nil {
		return err
	}
	for _, s := range all {
		r := redacted(records[s.ID], keep)
		s.HasTranscript = r.HasTranscript
		if s.Packed, s.Digest, err = w.pack(r); err != nil {
			return err
		}
		if err := w.tx.ReplaceRecord(ctx, s); err != nil {
			return err
		}
	}
	if c.Origin != call.Production { // the recordings of a test call are ours, and stay
		return w.tx.Enqueue(ctx, JobErase, c.ID, 0)
	}
	return w.eraseHeard(ctx, c)
}

// eraseHeard removes the recording and everything derived from it. The call is to be
// reviewed again with what is left.
func (w *writing) eraseHeard(ctx context.Context, c *call.Call) error {
	digest := ""
	if c.Recording != nil {
		digest = c.Recording.SHA256
	}
	if err := w.tx.EraseReview(ctx, c.ID, digest); err != nil {
		return err
	}
	if w.Erased != nil {
		if err := w.Erased(ctx, w.tx, c.ID); err != nil {
			return err
		}
	}
	c.Recording = nil
	c.ScoringStatus, c.Verdict, c.VerdictReason = call.ScoringPending, "", ""
	// The whole folder of the call, not only the recording: a process that died may have
	// left a file that no row names.
	return w.tx.Enqueue(ctx, JobErase, c.WorkspaceID+"/"+c.ID+"/", 0)
}
