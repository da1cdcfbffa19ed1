package review

import (
	"context"
	"fmt"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/score"
)

// material is everything stored about a call that its review uses.
type material struct {
	// number is the review's among those of the call, in the order in which they began.
	number  int64
	call    call.Call
	attempt call.Attempt
	plan    score.Plan
	// reported is what the client's platform reported about the call; told is false if there is none.
	reported  call.Reported
	told      bool
	tools     []call.ToolCall
	hasRecord bool
	// fetch is the progress of fetching the recording of a production call.
	fetch Fetch
	// earlier is the previous review, whose answers of language models are not asked for again; empty
	// if there is none, or none is to be asked.
	earlier call.Review
	// noWords is why the recording is not transcribed, "" if it is.
	noWords string
	// unanswered says that a language model was asked how the caller felt, and did not answer.
	unanswered bool
	// history says that the review is part of a replay, for which nothing new is known of the call.
	history bool
	// mayCome says that the agent's own record may still arrive.
	mayCome bool
}

// load reads the material and marks the call as being scored. It returns nil when the call is gone
// or not over.
func (s *Service) load(ctx context.Context, callID string) (*material, error) {
	var m *material
	err := s.o.Store.Write(ctx, func(tx Tx) (err error) {
		m = &material{}
		// The beat locks the call's row, so that what is read now still holds when it is written back: an
		// opt-out in between must not be undone.
		if m.number, err = tx.BeginReview(ctx, callID, s.o.BeatTime()); err != nil {
			return err
		}
		if err := s.read(ctx, tx, m, callID); err != nil {
			return err
		}
		if !m.call.Status.Over() {
			m = nil
			return nil
		}
		wait, err := s.wantsRecording(ctx, tx, m)
		if err != nil {
			return err
		}
		if wait { // the fetch will queue the review
			m = nil
			return nil
		}
		return s.begin(ctx, tx, m)
	})
	if problem.Is(err, problem.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read what is known of the call: %w", err)
	}
	return m, nil
}

func (s *Service) read(ctx context.Context, tx Tx, m *material, callID string) (err error) {
	if m.call, err = tx.CallByID(ctx, "", callID); err != nil {
		return err
	}
	if m.attempt, _, err = tx.LastAttempt(ctx, callID); err != nil {
		return err
	}
	if m.plan, err = tx.PlanOf(ctx, callID); err != nil {
		return err
	}
	if m.reported, m.told, err = tx.ReportedOf(ctx, callID); err != nil {
		return err
	}
	if m.tools, m.hasRecord, err = tx.AgentRecord(ctx, callID); err != nil {
		return err
	}
	if s.o.FeelingModel != nil || s.asksJudge(m.plan) {
		if m.earlier, _, err = tx.ReviewOf(ctx, callID); err != nil {
			return err
		}
	}
	m.mayCome = m.call.Origin != call.Production && !m.hasRecord && s.justNow(m.call.EndedAt, s.o.RecordWait)
	return nil
}

// justNow reports whether a time lies less than d back. A time further than that in the future is
// due to a clock that was set back since, and nobody waits for it.
func (s *Service) justNow(t time.Time, d time.Duration) bool {
	return s.o.Now().Sub(t).Abs() < d
}

// begin records that the review has started. A call that was settled before keeps its status, so
// that its experiment does not open again.
func (s *Service) begin(ctx context.Context, tx Tx, m *material) error {
	if m.call.ScoringStatus != call.ScoringPending && m.call.ScoringStatus != "" {
		return nil
	}
	m.call.ScoringStatus = call.ScoringNow
	return tx.UpdateCall(ctx, m.call)
}
