package experiment

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/live"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// maxAttempts is how often a call is tried when our own side breaks off.
const maxAttempts = 2

// TryAgain is returned by Place when the limits do not allow the call yet.
type TryAgain struct{ After time.Duration }

// Error implements error.
func (t TryAgain) Error() string { return "the limits do not allow the call yet" }

// stopped is what is said of calls that a shutdown broke off.
const stopped = "the service was stopped"

// placement is all that one try at a call works with.
type placement struct {
	call       call.Call
	item       scenario.Item
	experiment Experiment
	trunk      Trunk
	attempt    call.Attempt
	slot       slot
	party      Party
	tape       *leg.Tape
	// unkept is why the recording could not be kept, nil when it could.
	unkept error
	// live tells those who watch; nil when there is nobody to tell.
	live *live.Call
	// held says that the watchers have been told that the call waits for this machine.
	held bool
	// counts says that this attempt is the one the call keeps, with its recording.
	counts bool
	// notes are what is being written down about the call beside it.
	notes sync.WaitGroup
}

// Place is the job that puts one call on the line and stores what came of it.
// It returns nil when there is nothing (more) to do, TryAgain when the limits
// hold the call back. It may be called twice for the same call: the second
// finds it taken.
func (s *Service) Place(ctx context.Context, callID string) error {
	return s.failed(ctx, callID, s.place(ctx, callID))
}

func (s *Service) place(ctx context.Context, callID string) error {
	p, err := s.load(ctx, callID)
	if err != nil || p == nil {
		return err
	}
	if p.call.Line == LineRoom {
		if goes, err := s.inRoom(ctx, p); err != nil || !goes {
			return err
		}
		defer s.closeIfOver(ctx, p.call.ID)
	}
	prepared := s.Prepare(ctx, p.item)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if claimed, err := s.awaitPlace(ctx, p); err != nil || !claimed {
		return err
	}
	admission, _ := s.admissionFor(p.call.Line)
	defer admission.Leave()
	s.lobby.dialled(p.call.ID)
	onLine, hangUp := context.WithCancelCause(ctx)
	defer hangUp(nil)
	defer s.keepAlive(ctx, p, hangUp)()
	p.live = s.Live.Open(live.Of{WorkspaceID: p.call.WorkspaceID, ExperimentID: p.call.ExperimentID, CallID: p.call.ID})
	defer p.live.Close()
	if prepared == nil {
		p.party, prepared = s.Cast(ctx, Casting{Item: p.item, Seed: p.call.Seed, Line: p.call.Line, Prompt: p.experiment.Plan.CallerPrompt, Notify: p.live.Note})
	}
	if prepared != nil {
		s.Log.ErrorContext(ctx, "the caller could not be prepared", "call", p.call.ID, "error", prepared)
		s.spoilt(ctx, p)
		return s.finish(ctx, p)
	}
	defer p.party.Close()
	s.dial(onLine, p, hangUp)
	return s.finish(ctx, p)
}

// load reads what the placement needs; nil when the call is not waiting to be placed.
func (s *Service) load(ctx context.Context, callID string) (*placement, error) {
	p := &placement{}
	err := s.Store.Read(ctx, func(tx Tx) (err error) {
		if p.call, err = tx.CallByID(ctx, "", callID); err != nil {
			return err
		}
		if p.item, err = tx.ItemOf(ctx, callID); err != nil {
			return err
		}
		p.experiment, err = tx.ExperimentByID(ctx, p.call.WorkspaceID, p.call.ExperimentID)
		return err
	})
	if problem.Is(err, problem.NotFound) || (err == nil && p.call.Status != call.Queued) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if p.call.Line != LineRoom {
		p.trunk, err = s.Trunk(p.call.Trunk)
	}
	return p, err
}

func (s *Service) newAttempt(p *placement) call.Attempt {
	return call.Attempt{ID: s.NewID("att"), CallID: p.call.ID, Process: s.Process, StartedAt: s.Now()}
}

// claim takes a place within the limits and marks the call as dialing, in one
// transaction. It is false when somebody else has the call.
func (s *Service) claim(ctx context.Context, p *placement) (bool, error) {
	if p.attempt.ID == "" {
		p.attempt = s.newAttempt(p)
	}
	p.attempt.StartedAt = s.Now()
	var got Claim
	taken := false
	err := s.Store.Write(ctx, func(tx Tx) (err error) {
		got, taken = Claim{}, false
		before, err := tx.AttemptsOf(ctx, p.call.ID)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(before, func(a call.Attempt) bool { return a.ID == p.attempt.ID }) {
			// It was claimed after all when the database could not say so.
			got.OK = true
			p.slot = slot{due: s.Steady()}
			p.call, err = tx.CallByID(ctx, "", p.call.ID)
			return err
		}
		p.attempt.Number = len(before) + 1
		if got, err = tx.Claim(ctx, p.attempt, s.limits(p), s.LimitTime()); err != nil || !got.OK {
			return err
		}
		p.slot = slot{at: got.At, due: s.Steady() + lead}
		c, err := tx.LockCall(ctx, p.call.ID)
		if err != nil {
			return err
		}
		if c.Status != call.Queued {
			taken = true
			return errTaken
		}
		c.Status, c.StartedAt = call.Dialing, p.attempt.StartedAt
		p.call = c
		if err := tx.UpdateCall(ctx, c); err != nil {
			return err
		}
		return s.begin(ctx, tx, p)
	})
	switch {
	case taken, problem.Is(err, problem.Conflict): // of two at the same moment, the other one has it
		return false, nil
	case problem.Is(err, problem.Unavailable):
		s.Log.WarnContext(ctx, "a call waits until the database can be used again", "call", p.call.ID, "error", err)
		return false, TryAgain{After: outagePause}
	case err != nil:
		return false, err
	case !got.OK:
		return false, TryAgain{After: got.Wait}
	}
	return true, nil
}

// errTaken rolls a claim back when the call is no longer waiting.
var errTaken = errors.New("the call is taken")

// begin moves the experiment to RUNNING with its first call.
func (s *Service) begin(ctx context.Context, tx Tx, p *placement) error {
	if err := announceCall(ctx, tx, p.call); err != nil {
		return err
	}
	if p.experiment.Status != Created {
		return nil
	}
	e, err := tx.LockExperiment(ctx, p.experiment.ID)
	if err != nil || e.Status != Created {
		return err
	}
	e.Status, e.StartedAt = Running, p.attempt.StartedAt
	if err := tx.UpdateExperiment(ctx, e); err != nil {
		return err
	}
	return announceExperiment(ctx, tx, e)
}

func (s *Service) limits(p *placement) Limits {
	d := p.experiment.Plan.Defaults
	return Limits{
		Trunk: p.trunk.Name, TrunkCallsPerSecond: p.trunk.CallsPerSecond, TrunkConcurrentCalls: p.trunk.ConcurrentCalls,
		AgentID: p.call.AgentID, AgentCallsPerSecond: d.CallsPerSecond, AgentConcurrentCalls: d.ConcurrentCalls,
	}
}

// dial puts the caller on the line and comes back when the call is over.
func (s *Service) dial(ctx context.Context, p *placement, hangUp context.CancelCauseFunc) {
	s.track(p.call.ID, hangUp)
	defer s.track(p.call.ID, nil)
	maxDuration := callTime(p.item)
	// The caller's own limit comes first; the line's is there should the caller be stuck.
	lineLimit := maxDuration + 10*time.Second
	p.tape = leg.NewTape(lineLimit + time.Second)
	began := s.Now()
	outcome := s.Line.Place(ctx, leg.Dial{
		CallID: p.call.ID, AttemptID: p.attempt.ID,
		Trunk: p.trunk.Name, From: p.call.From, To: p.call.To, Room: p.call.Room,
		RingTimeout: durationOf(p.experiment.Plan.Defaults.RingTimeoutMS, 30*time.Second),
		MaxDuration: lineLimit,
		Turn:        s.turn(ctx, p),
		OnState:     func(st leg.State) { p.live.State(string(st)); s.onState(ctx, p, st) },
		OnAnswered:  func(reference string) { s.onAnswered(ctx, p, reference) },
	}, p.live.Listen(p.party), p.tape)
	p.live.Close()
	canceled := errors.Is(context.Cause(ctx), errCanceled)
	interrupted := ctx.Err() != nil && !canceled
	hangUp(nil)
	p.notes.Wait()
	p.merge(dated(outcome, began), canceled, interrupted)
}

// dated counts the times of an outcome from the given beginning, so that they
// lie as far apart as they did, whatever has become of the wall clock meanwhile.
func dated(o call.Attempt, began time.Time) call.Attempt {
	from := o.StartedAt
	if from.IsZero() {
		return o
	}
	for _, t := range []*time.Time{&o.StartedAt, &o.RingingAt, &o.AnsweredAt, &o.EndedAt} {
		if !t.IsZero() {
			*t = began.Add(t.Sub(from))
		}
	}
	return o
}

func durationOf(ms int, otherwise time.Duration) time.Duration {
	if ms > 0 {
		return time.Duration(ms) * time.Millisecond
	}
	return otherwise
}

// merge joins what the line saw and what the caller did into the attempt.
func (p *placement) merge(o call.Attempt, canceled, interrupted bool) {
	id, number, process, started := p.attempt.ID, p.attempt.Number, p.attempt.Process, p.attempt.StartedAt
	p.attempt = o
	p.attempt.ID, p.attempt.CallID, p.attempt.Number, p.attempt.Process = id, p.call.ID, number, process
	if p.attempt.StartedAt.IsZero() {
		p.attempt.StartedAt = started
	}
	p.attempt.Timeline = append(slices.Clone(o.Timeline), p.party.Timeline()...)
	slices.SortStableFunc(p.attempt.Timeline, func(a, b call.Event) int { return int(a.At - b.At) })
	p.attempt.EndReason = endReason(o, p.party.Ending(), p.attempt.Timeline)
	switch {
	case canceled:
		p.attempt.EndReason = call.EndOf(call.EndInterrupted, "the experiment was canceled")
	case interrupted:
		p.attempt.EndReason = call.EndOf(call.EndInterrupted, stopped)
	}
}

// endReason decides between the line's view and the caller's. Who has said a
// final word is believed: the line when the far end broke off or never came,
// the caller when it hung up itself.
func endReason(o call.Attempt, ending call.EndReason, timeline []call.Event) call.EndReason {
	if o.EndReason.Code == "" {
		if ending.Code == "" {
			return call.EndOf(call.EndRingtrueError, "the call ended and nobody said why")
		}
		return ending
	}
	if o.EndReason.Code == call.EndAgentHungUp && slices.ContainsFunc(timeline, reached) {
		return o.EndReason.Blaming(call.BlameNobody)
	}
	return o.EndReason
}

func reached(e call.Event) bool {
	return e.Kind == call.KindScriptDone || e.Kind == call.KindGoalReached
}

// onAnswered has it written down how the call is hung up without us.
func (s *Service) onAnswered(ctx context.Context, p *placement, reference string) {
	p.notes.Go(func() {
		err := s.Store.Write(ctx, func(tx Tx) error { return tx.SaveReference(ctx, p.attempt.ID, reference) })
		if err != nil && ctx.Err() == nil {
			s.Log.WarnContext(ctx, "how to hang up a call could not be noted", "call", p.call.ID, "error", err)
		}
	})
}

// onState has it written down that the call has been answered, beside the call:
// the line must not wait for a database that is away.
func (s *Service) onState(ctx context.Context, p *placement, st leg.State) {
	if st != leg.Answered {
		return
	}
	at := s.Now()
	p.notes.Go(func() {
		for {
			err := s.noteAnswer(ctx, p, at)
			if err == nil || ctx.Err() != nil {
				return
			}
			s.Log.WarnContext(ctx, "the answer of a call could not be noted yet", "call", p.call.ID, "error", err)
			if s.Wait(ctx, outagePause) != nil {
				return
			}
		}
	})
}

// noteAnswer writes the answer down, unless the call is no longer this attempt's.
func (s *Service) noteAnswer(ctx context.Context, p *placement, at time.Time) error {
	return s.Store.Write(ctx, func(tx Tx) error {
		if ours, err := tx.BeatAttempt(ctx, p.attempt.ID, s.Now()); err != nil || !ours {
			return err
		}
		c, err := tx.LockCall(ctx, p.call.ID)
		if err != nil || c.Status != call.Dialing {
			return err
		}
		c.Status, c.AnsweredAt = call.InProgress, at
		if err := tx.UpdateCall(ctx, c); err != nil {
			return err
		}
		return announceCall(ctx, tx, c)
	})
}

// track remembers how to take the call off the line; nil forgets it.
func (s *Service) track(callID string, hangUp context.CancelCauseFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if hangUp == nil {
		delete(s.onLine, callID)
		return
	}
	s.onLine[callID] = hangUp
}
