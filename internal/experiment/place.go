package experiment

import (
	"context"
	"errors"
	"runtime/debug"
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
	// held says that the watchers have been told what the call waits for.
	held bool
	// counts says that this attempt is the one the call keeps, with its recording.
	counts bool
	// ours says that it was this process that ended the attempt.
	ours bool
	// notes are what is being written down about the call beside it.
	notes sync.WaitGroup
}

// Place is the job that puts one call on the line and stores what came of it.
// It returns nil when there is nothing (more) to do, TryAgain when the limits
// hold the call back. It may be called twice for the same call: the second
// finds it taken.
func (s *Service) Place(ctx context.Context, callID string) error {
	return s.failed(ctx, callID, s.placeSafely(ctx, callID))
}

// errPanicked says that a mistake of ours kept a call from being placed.
var errPanicked = errors.New("placing the call panicked")

// placeSafely makes a panic one more way to fail: the queue would drop the job after some
// of them, and the call and its experiment would wait for ever.
func (s *Service) placeSafely(ctx context.Context, callID string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			s.Log.ErrorContext(ctx, "placing a call panicked", "call", callID, "panic", r, "stack", string(debug.Stack()))
			err = errPanicked
		}
	}()
	return s.place(ctx, callID)
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
	leave, ok := s.joinCrowd(ctx, p)
	if !ok {
		return TryAgain{After: laterAgain}
	}
	leave = sync.OnceFunc(leave)
	defer leave()
	prepared := s.Prepare(ctx, p.item)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if claimed, err := s.awaitPlace(ctx, p); err != nil || !claimed {
		return err
	}
	leave()
	admission, _ := s.admissionFor(p.call.Line)
	defer admission.Leave()
	s.lobby.dialled(p.call.ID)
	onLine, hangUp := context.WithCancelCause(ctx)
	defer hangUp(nil)
	defer s.keepAlive(ctx, p, hangUp)()
	p.live = s.Live.Open(live.Of{WorkspaceID: p.call.WorkspaceID, ExperimentID: p.call.ExperimentID, CallID: p.call.ID})
	defer p.live.Close()
	s.play(ctx, onLine, p, hangUp, prepared)
	return s.finish(ctx, p)
}

// play has the caller made, unless what was prepared for it failed, and puts it on the line. The
// call can be hung up from the beginning: it may be canceled before it is dialled.
func (s *Service) play(ctx, onLine context.Context, p *placement, hangUp context.CancelCauseFunc, prepared error) {
	s.track(p.call.ID, hangUp)
	defer s.track(p.call.ID, nil)
	if prepared == nil {
		p.party, prepared = s.Cast(ctx, Casting{Item: p.item, Seed: p.call.Seed, Line: p.call.Line, Prompt: p.experiment.Plan.CallerPrompt, Notify: p.live.Note})
	}
	if prepared != nil {
		s.Log.ErrorContext(ctx, "the caller could not be prepared", "call", p.call.ID, "error", prepared)
		s.spoilt(ctx, p, prepared)
		return
	}
	defer p.party.Close()
	s.dial(onLine, p, hangUp)
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

// dial puts the caller on the line and comes back when the call is over.
func (s *Service) dial(ctx context.Context, p *placement, hangUp context.CancelCauseFunc) {
	maxDuration := callTime(p.item)
	// The caller's own limit comes first; the line's is there should the caller be stuck.
	lineLimit := maxDuration + 10*time.Second
	p.tape = leg.NewTape(lineLimit + time.Second)
	began, over := s.Now(), false
	outcome := s.Line.Place(ctx, leg.Dial{
		CallID: p.call.ID, AttemptID: p.attempt.ID,
		Trunk: p.trunk.Name, From: p.call.From, To: p.call.To, Room: p.call.Room,
		RingTimeout: durationOf(p.experiment.Plan.Defaults.RingTimeoutMS, 30*time.Second),
		MaxDuration: lineLimit,
		Turn:        s.turn(ctx, p),
		OnState:     func(st leg.State) { p.live.State(string(st)) },
		OnAnswered:  func(reference string) { s.onAnswered(ctx, p, reference) },
		OnOver:      func() { over = ctx.Err() == nil },
	}, p.live.Listen(p.party), p.tape)
	p.live.Close()
	canceled := errors.Is(context.Cause(ctx), errCanceled)
	// Whatever ends a call after we have begun to break calls off may be a consequence of that, such as an agent that
	// leaves because its media server is being stopped as well. What had ended before keeps its reason.
	interrupted := ctx.Err() != nil && !canceled && !over
	hangUp(nil)
	p.notes.Wait()
	p.merge(dated(outcome, began), canceled, interrupted)
}

// callTime is how long the call of an item may last.
func callTime(item scenario.Item) time.Duration {
	return durationOf(item.Input.Limits.MaxDurationMS, 5*time.Minute)
}

func durationOf(ms int, otherwise time.Duration) time.Duration {
	if ms > 0 {
		return time.Duration(ms) * time.Millisecond
	}
	return otherwise
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
