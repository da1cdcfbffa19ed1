package review

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// settle stores the review and closes the call, in one transaction with all that follows from
// it. If a review that began later has been stored meanwhile, that one stays: it may know more, such
// as a record that came while this one was at work.
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

// settleIn is the transaction of settle. The beat comes first because it locks the call's row:
// concurrent reviews settle one after the other.
func (s *Service) settleIn(ctx context.Context, tx Tx, m *material, review call.Review, status call.ScoringStatus) error {
	if overtaken, err := tx.EndReview(ctx, m.call.ID, m.number, s.o.BeatTime()); err != nil || overtaken {
		return err
	}
	c, err := tx.CallByID(ctx, "", m.call.ID)
	if err != nil {
		return err
	}
	if status == call.ScoringFailed && c.ScoringStatus.Over() { // reviewed elsewhere since GiveUp looked
		return nil
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
	number, basis := s.standing(m, review, status)
	if err := tx.NoteReview(ctx, m.call.ID, number, review.Feeling, basis); err != nil {
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

// standing returns the number by which a review stands against others of its call, and what it
// depends on. One that failed or lacks words is always worth repeating ("") and less than any other
// (0); one that a language model did not answer is worth repeating.
func (s *Service) standing(m *material, review call.Review, status call.ScoringStatus) (number int64, basis string) {
	switch {
	case status != call.Scored || m.noWords != "":
		return 0, ""
	case m.unanswered || slices.ContainsFunc(review.Scores, func(sc call.Score) bool { return sc.Unanswered }):
		return m.number, ""
	}
	return m.number, s.basis(m)
}

// takenBackPause is how soon a review is repeated after an opt-out took back its material.
const takenBackPause = 10 * time.Millisecond

// JobErase removes what the database has left of deleted rows; its id is the call's.
const JobErase = "erase"

// eraseAfter is how long after a review monitoring has dropped what it had of the previous one.
const eraseAfter = 15 * time.Second

// eraseTools queues a JobErase if an opt-out has removed the agent's own record of a test call
// since its last review, which quotes the record's tool calls.
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

// takenBack reports whether the material of a review may no longer be kept, because an opt-out
// arrived during it. For a test call this concerns the agent's own record only.
func takenBack(ctx context.Context, tx Tx, m *material, c *call.Call) (bool, error) {
	if m.call.Origin != call.Production && !m.hasRecord {
		return false, nil
	}
	told, _, err := tx.ReportedOf(ctx, m.call.ID)
	return m.reported.HasTranscript && !told.HasTranscript || m.call.Recording != nil && c.Recording == nil, err
}
