package review

import (
	"context"
	"fmt"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// settle stores the review and closes the call, in one transaction with what
// follows from it.
func (s *Service) settle(ctx context.Context, m *material, out outcome) error {
	review := call.Review{
		CallID: m.call.ID, Heard: out.heard, Metrics: out.metrics, Scores: out.scores,
		Feeling: out.feeling, Notes: out.notes, Verdict: out.verdict, Reason: out.reason, At: s.o.Now(),
	}
	if m.hasRecord {
		review.ToolCalls = append([]call.ToolCall{}, m.tools...)
	}
	err := s.o.Store.Write(ctx, func(tx Tx) error { return s.settleIn(ctx, tx, m, review, out.status) })
	if err != nil {
		return fmt.Errorf("settle the call: %w", err)
	}
	return nil
}

// settleIn is settle within its transaction. The beat comes first because it holds
// the call's row: two reviews that settle at once do so one after the other.
func (s *Service) settleIn(ctx context.Context, tx Tx, m *material, review call.Review, status call.ScoringStatus) error {
	if err := tx.BeatReview(ctx, m.call.ID, s.o.BeatTime()); err != nil {
		return err
	}
	c, err := tx.CallByID(ctx, "", m.call.ID)
	if err != nil {
		return err
	}
	if taken, err := takenBack(ctx, tx, m, &c); err != nil {
		return err
	} else if taken {
		return Wait{After: takenBackPause}
	}
	if err := eraseTools(ctx, tx, m); err != nil {
		return err
	}
	if err := tx.SaveReview(ctx, review); err != nil {
		return err
	}
	basis := ""
	if status == call.Scored { // what failed is always worth another review
		basis = s.basis(m)
	}
	if err := tx.NoteReview(ctx, m.call.ID, review.Feeling, basis); err != nil {
		return err
	}
	c.ScoringStatus, c.Verdict, c.VerdictReason = status, review.Verdict, review.Reason
	if err := tx.UpdateCall(ctx, c); err != nil {
		return err
	}
	if s.o.Settled == nil {
		return nil
	}
	return s.o.Settled(ctx, tx, c, review, m.reported)
}

// takenBackPause is how soon a review is done again whose material was taken back.
const takenBackPause = 10 * time.Millisecond

// JobErase removes what the database has left of rows that went; its id is the call's.
const JobErase = "erase"

// eraseAfter is how long after a review monitoring has let go of what it knew of the one before.
const eraseAfter = 15 * time.Second

// eraseTools has what the database has left of a test call's earlier review gone over when
// an opt-out took the agent's own record since: the review quotes its tool calls.
func eraseTools(ctx context.Context, tx Tx, m *material) error {
	if m.call.Origin == call.Production || !m.told || m.hasRecord {
		return nil
	}
	before, _, err := tx.ReviewOf(ctx, m.call.ID)
	if err != nil || len(before.ToolCalls) == 0 {
		return err
	}
	return tx.Enqueue(ctx, JobErase, m.call.ID, eraseAfter)
}

// takenBack tells that what a call was reviewed by may not be kept any more: an opt-out
// came during the review. Of a test call that is the agent's own record alone.
func takenBack(ctx context.Context, tx Tx, m *material, c *call.Call) (bool, error) {
	if m.call.Origin != call.Production && !m.hasRecord {
		return false, nil
	}
	told, _, err := tx.ReportedOf(ctx, m.call.ID)
	return m.reported.HasTranscript && !told.HasTranscript || m.call.Recording != nil && c.Recording == nil, err
}
