package review

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/chat"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/score"
)

// JobReview is the kind of job that Review handles; its id is a call's.
const JobReview = "review"

// The defaults of Options.
const (
	defaultRecordWait = 30 * time.Second
	defaultBeatEvery  = 10 * time.Second
	defaultTries      = 4
	// waitStep is the longest pause between two looks for the agent's record.
	waitStep = 2 * time.Second
)

// Options are what a review works with. Transcriber may be nil: then no words
// are known and calls in which the agent spoke cannot be reviewed.
type Options struct {
	Store       Store
	Recordings  Recordings
	Transcriber Transcriber
	// Deps are handed to score.Build.
	Deps score.Deps
	// Outside and Shelf get and keep the recordings of production calls; without
	// them those are reviewed on their transcripts.
	Outside Outside
	Shelf   Shelf
	// Feel finds out how the caller felt, by the engine of that name and version;
	// nil leaves that open.
	Feel       func(Talk) call.Feeling
	FeelEngine string
	// FeelingModel is asked for the feeling of production calls too; nil asks nobody.
	FeelingModel chat.Model
	NewID        func(prefix string) string
	// Settled is told of every settled call, inside the transaction; nil tells nobody.
	Settled Settled
	// Rush tells that many call logs arrive at once, which a replay lets pass; nil is never.
	Rush func() bool
	Now  func() time.Time
	// RecordWait is how long after the end of a call scorers wait for the
	// agent's own record (default 30 s).
	RecordWait time.Duration
	// BeatEvery is how often a review at work says so (default 10 s).
	BeatEvery time.Duration
	// Tries is how often the review of a call may fail in this process before
	// the call is given up (default 4, one less than the queue tries a job).
	Tries int
	// PreviewTime is how long a preview of a scorer may take (default 20 s).
	PreviewTime time.Duration
	Log         *slog.Logger
}

// Service reviews calls. All it remembers is what it is at work on and how
// often each review failed: any number of processes may review at once.
type Service struct {
	o      Options
	ledger *ledger
	// house names what all reviews of this process rest on.
	house string
}

// New returns the service.
func New(o Options) *Service {
	if o.RecordWait == 0 {
		o.RecordWait = defaultRecordWait
	}
	if o.BeatEvery == 0 {
		o.BeatEvery = defaultBeatEvery
	}
	if o.PreviewTime == 0 {
		o.PreviewTime = defaultPreviewTime
	}
	if o.Tries == 0 {
		o.Tries = defaultTries
	}
	if o.Rush == nil {
		o.Rush = func() bool { return false }
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{o: o, ledger: newLedger(), house: o.house()}
}

// Wait is returned by Review when a score waits for the agent's own record, or
// when the call is being reviewed in this process already: the job is to be run
// again after the given time. It is no failure and must not count as a try.
type Wait struct{ After time.Duration }

// Error implements error.
func (w Wait) Error() string {
	return fmt.Sprintf("the review cannot be finished yet; again in %s", w.After)
}

// Review is the job that reviews one call. It returns nil when there is
// nothing (more) to do, Wait when it should run again later, and any other
// error when something of ours failed and another try may help. The last try
// that fails gives the call up (GiveUp). It may run twice at once for the same
// call, and again for a call that has been settled before: the last one to
// finish stands.
func (s *Service) Review(ctx context.Context, callID string) error {
	if !s.ledger.begin(callID) {
		return Wait{After: waitStep}
	}
	defer s.ledger.end(callID)
	err := s.once(ctx, callID)
	var wait Wait
	switch {
	case err == nil || errors.As(err, &wait):
		s.ledger.forget(callID)
		return err
	case ctx.Err() != nil || s.ledger.fail(callID) < s.o.Tries:
		return err
	}
	s.ledger.forget(callID)
	return s.GiveUp(ctx, callID, err)
}

func (s *Service) once(ctx context.Context, callID string) error {
	m, err := s.load(ctx, callID)
	if err != nil || m == nil {
		return err
	}
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
	out, err := s.judge(ctx, m, h, measure(m, h))
	if err != nil {
		return err
	}
	if after := s.waitFor(m, out); after > 0 {
		return Wait{After: after}
	}
	out.notes = h.notes
	if out.verdict != call.Void {
		out.feeling = s.feel(m, h)
		judged, note := s.opinion(ctx, m, &h, out.feeling)
		if err := ctx.Err(); err != nil {
			return err
		}
		if judged != nil {
			out.feeling.Judged = judged
		}
		if note != "" {
			out.notes = append(out.notes, note)
		}
	}
	return s.settle(ctx, m, out)
}

// material is everything stored about a call that a review looks at.
type material struct {
	call      call.Call
	attempt   call.Attempt
	attempted bool
	plan      score.Plan
	// reported is what the client's platform tells of the call; told is false when that is nothing.
	reported  call.Reported
	told      bool
	tools     []call.ToolCall
	hasRecord bool
	// fetch is how far the recording of a production call has come.
	fetch Fetch
	// earlier is what a language model said of the caller's feeling in the review before, nil when none was asked.
	earlier *call.Feeling
	// mayCome says that the agent's own record may yet arrive.
	mayCome bool
}

// load reads the material and marks the call as being scored; nil when the call
// is gone or not over.
func (s *Service) load(ctx context.Context, callID string) (*material, error) {
	var m *material
	err := s.o.Store.Write(ctx, func(tx Tx) error {
		m = &material{}
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
		if wait { // whoever fetches the recording has the call reviewed
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
	if m.attempt, m.attempted, err = tx.LastAttempt(ctx, callID); err != nil {
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
	if s.o.FeelingModel != nil {
		before, _, err := tx.ReviewOf(ctx, callID)
		if err != nil {
			return err
		}
		if before.Feeling != nil {
			m.earlier = before.Feeling.Judged
		}
	}
	m.mayCome = m.call.Origin != call.Production && !m.hasRecord && s.justNow(m.call.EndedAt, s.o.RecordWait)
	return nil
}

// justNow reports whether a time lies less than d back. One that lies further
// ahead comes from a clock that has been set back since: nobody waits for it.
func (s *Service) justNow(t time.Time, d time.Duration) bool {
	return s.o.Now().Sub(t).Abs() < d
}

// begin says that the review is at work. A call that has been settled keeps its
// status, so that its experiment does not open again.
func (s *Service) begin(ctx context.Context, tx Tx, m *material) error {
	if err := tx.BeatReview(ctx, m.call.ID, s.o.Now()); err != nil {
		return err
	}
	if m.call.ScoringStatus != call.ScoringPending && m.call.ScoringStatus != "" {
		return nil
	}
	m.call.ScoringStatus = call.ScoringNow
	return tx.UpdateCall(ctx, m.call)
}

// waitFor is how long to wait for the agent's own record, 0 when no score waits.
func (s *Service) waitFor(m *material, out outcome) time.Duration {
	if !m.mayCome || out.verdict == call.Void {
		return 0
	}
	for _, sc := range out.scores {
		if sc.Waits {
			left := s.o.RecordWait - s.o.Now().Sub(m.call.EndedAt)
			return max(10*time.Millisecond, min(left, waitStep))
		}
	}
	return 0
}

// beat keeps saying that somebody is at work until stop is called.
func (s *Service) beat(ctx context.Context, callID string) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		ticker := time.NewTicker(s.o.BeatEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			err := s.o.Store.Write(ctx, func(tx Tx) error { return tx.BeatReview(ctx, callID, s.o.Now()) })
			if err != nil && !errors.Is(err, context.Canceled) {
				s.o.Log.WarnContext(ctx, "a review could not say that it is at work", "call", callID, "error", err)
			}
		}
	}()
	return ctx, func() {
		cancel()
		<-done
	}
}

// GiveUp settles a call whose review failed for the last time: SCORING_FAILED
// and void, because what failed was ours. What has been settled before stays.
func (s *Service) GiveUp(ctx context.Context, callID string, cause error) error {
	m, err := s.load(ctx, callID)
	if err != nil || m == nil || m.call.ScoringStatus.Over() {
		return err
	}
	s.o.Log.ErrorContext(ctx, "a call could not be reviewed", "call", callID, "error", cause)
	return s.settle(ctx, m, outcome{
		status: call.ScoringFailed, verdict: call.Void,
		reason: "Our own side could not review the call: " + reasonOf(cause) + ".",
	})
}

// reasonOf is what may be shown of an error: the message of a known failure,
// nothing of an unknown one.
func reasonOf(err error) string {
	if e := problem.As(err); e != nil && e.Message != "" {
		return e.Message
	}
	return "something failed that the log explains"
}

// Rescue puts reviews back in the queue that nobody has been at work on for
// the given time, and says how many. Calls that have only just ended are left
// to the job that their end has queued.
func (s *Service) Rescue(ctx context.Context, silent time.Duration) (int, error) {
	const most = 500
	n := 0
	err := s.o.Store.Write(ctx, func(tx Tx) error {
		n = 0
		ids, err := tx.StalledReviews(ctx, s.o.Now().Add(-silent), most)
		if err != nil {
			return err
		}
		for _, id := range ids {
			again, err := s.rescue(ctx, tx, id, silent)
			if err != nil {
				return err
			}
			if again {
				n++
			}
		}
		return nil
	})
	return n, err
}

func (s *Service) rescue(ctx context.Context, tx Tx, id string, silent time.Duration) (bool, error) {
	c, err := tx.CallByID(ctx, "", id)
	if err != nil || s.justNow(c.EndedAt, silent) {
		return false, err
	}
	if err := tx.BeatReview(ctx, id, s.o.Now()); err != nil {
		return false, err
	}
	return true, tx.Enqueue(ctx, JobReview, id, 0)
}
