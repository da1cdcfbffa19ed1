package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// The kinds of jobs that run Review; their id is the call's. Test calls do not wait behind
// production calls, nor these behind an imported history.
const (
	JobReview     = "review"
	JobReviewLog  = "review_log"
	JobReviewPast = "review_past"
)

// reviewJob is the kind of job for the review of a call that nobody is waiting for.
func reviewJob(c *call.Call) string {
	switch {
	case c.Origin != call.Production:
		return JobReview
	case c.IsPast():
		return JobReviewPast
	}
	return JobReviewLog
}

// waitStep is the longest wait before checking again, such as for the agent's record.
const waitStep = 2 * time.Second

// Wait is returned by Review when a score waits for the agent's own record, when this process is
// reviewing the call already, or when the database is away: the job is to run again after that
// time. It is no failure and must not count as a try.
type Wait struct{ After time.Duration }

// Error implements error.
func (w Wait) Error() string {
	return fmt.Sprintf("the review cannot be finished yet; again in %s", w.After)
}

// Review is the job that reviews one call. It returns nil when nothing is left to do, Wait when
// it should run again later, and any other error when something of ours failed and another try
// may help. After the last failed try it gives the call up (GiveUp). Reviews of one call may run
// concurrently in several processes, and repeat that of a settled call: the last one to begin
// wins, since it has seen all that the others have, and perhaps more.
func (s *Service) Review(ctx context.Context, callID string) error {
	if !s.ledger.begin(callID) {
		return Wait{After: waitStep}
	}
	defer s.ledger.end(callID)
	err := s.once(ctx, callID, false)
	var wait Wait
	switch {
	case err == nil || errors.As(err, &wait):
		s.ledger.forget(callID)
		return err
	case ctx.Err() != nil:
		return err
	case isAway(err):
		return s.outlast(ctx, callID, err)
	case s.ledger.fail(callID) < s.o.Tries:
		return err
	}
	s.ledger.forget(callID)
	if err = s.GiveUp(ctx, callID, err); isAway(err) {
		return s.outlast(ctx, callID, err)
	}
	return err
}

func (s *Service) once(ctx context.Context, callID string, history bool) error {
	return s.safely(ctx, callID, func() error { return s.attempt(ctx, callID, history) })
}

func (s *Service) attempt(ctx context.Context, callID string, history bool) error {
	m, err := s.load(ctx, callID)
	if err != nil || m == nil {
		return err
	}
	m.history = history
	if m.call.Status == call.Canceled {
		return s.settle(ctx, m, skipped())
	}
	ctx, stop := s.beat(ctx, callID)
	defer stop()
	return s.review(ctx, m)
}

func (s *Service) review(ctx context.Context, m *material) error {
	h, err := s.hear(ctx, m)
	if err != nil {
		return err
	}
	if h.broken != "" && m.keepsResults() {
		return problem.New(problem.NotFound, "its recording is missing or damaged, and what was found on it before is kept")
	}
	out, err := s.judge(ctx, m, h, measure(m, h))
	if err != nil {
		return err
	}
	out.notes = h.notes
	if out.verdict != call.Void {
		felt, bounded := s.feel(m, h)
		out.feeling = felt
		judged, note := s.opinion(ctx, m, &h, out.feeling)
		if err := ctx.Err(); err != nil {
			return err
		}
		if judged != nil {
			out.feeling.Judged = judged
		}
		for _, n := range []string{bounded, note} {
			if n != "" {
				out.notes = append(out.notes, n)
			}
		}
	}
	return s.settle(ctx, m, out)
}

// keepsResults reports whether the results of an earlier review are worth more than those of one
// without the recording. A production call can be reviewed by what its platform tells, when there
// is something new to review or somebody asks for it.
func (m *material) keepsResults() bool {
	return m.call.ScoringStatus == call.Scored && (m.history || m.call.Origin != call.Production)
}

// untilRecord puts a review off that waits for the agent's own record.
func (s *Service) untilRecord(m *material) Wait {
	left := s.o.RecordWait - s.o.Now().Sub(m.call.EndedAt)
	return Wait{After: max(10*time.Millisecond, min(left, waitStep))}
}

// GiveUp settles a call whose review failed for the last time: SCORING_FAILED and void, because the
// failure was ours. A production call is not evaluated instead, since our side cannot spoil it; if
// only its words could not be had, it is reviewed without them. A call that was settled before
// stays as it is.
func (s *Service) GiveUp(ctx context.Context, callID string, cause error) error {
	m, err := s.load(ctx, callID)
	if err != nil || m == nil {
		return err
	}
	s.o.Log.ErrorContext(ctx, "a call could not be reviewed", "call", callID, "error", cause)
	if wordless, err := s.wordless(ctx, m, cause); err != nil || wordless {
		return err
	}
	if m.call.ScoringStatus.Over() {
		return nil
	}
	verdict := call.Void
	if m.call.Origin == call.Production {
		verdict = call.NotEvaluated
	}
	return s.settle(ctx, m, outcome{
		status: call.ScoringFailed, verdict: verdict,
		reason: "Ringtrue could not review the call: " + reasonOf(cause) + ".",
	})
}

// wordless reviews a production call without its words when only these could not be had, and
// reports whether it did. It does not when an earlier review has words, which are worth more.
func (s *Service) wordless(ctx context.Context, m *material, cause error) (done bool, err error) {
	var none noWords
	if !errors.As(cause, &none) {
		return false, nil
	}
	err = s.o.Store.Read(ctx, func(tx Tx) error {
		before, _, err := tx.ReviewOf(ctx, m.call.ID)
		done = !slices.ContainsFunc(before.Heard.Turns, func(t call.Turn) bool { return t.Text != "" })
		return err
	})
	if err != nil || !done {
		return done, err
	}
	m.noWords = reasonOf(cause)
	ctx, stop := s.beat(ctx, m.call.ID)
	defer stop()
	return true, s.safely(ctx, m.call.ID, func() error { return s.review(ctx, m) })
}

// reasonOf is the part of an error that may be shown: the message of a known failure, and nothing
// of an unknown one.
func reasonOf(err error) string {
	return cmp.Or(messageOf(err), "something failed; see the service's log")
}

// messageOf is the message of a known failure, "" for an unknown one.
func messageOf(err error) string {
	if e := problem.As(err); e != nil {
		return e.Message
	}
	return ""
}
