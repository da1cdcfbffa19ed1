package experiment

import (
	"context"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// turnstile lets so many of the calls that wait for the same limits in at a time: one
// asks the database, so that a long queue costs it no more than a short one, and
// some are ready to.
type turnstile struct {
	// width is how many may be inside at a time.
	width  int
	mu     sync.Mutex
	gates  map[string]chan struct{}
	closed chan struct{}
	once   sync.Once
}

func newTurnstile(width int) *turnstile {
	return &turnstile{width: width, gates: map[string]chan struct{}{}, closed: make(chan struct{})}
}

func (t *turnstile) gate(name string) chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.gates[name] == nil {
		t.gates[name] = make(chan struct{}, t.width)
	}
	return t.gates[name]
}

// enter waits for its turn; leave must be called when ok. Nobody enters once it
// is closed, even where nobody stands in the way.
func (t *turnstile) enter(ctx context.Context, name string) (leave func(), ok bool) {
	gate := t.gate(name)
	select {
	case gate <- struct{}{}:
		return t.inside(gate)
	case <-ctx.Done():
		return nil, false
	case <-t.closed:
		return nil, false
	}
}

// enterNow is enter for whoever does not wait.
func (t *turnstile) enterNow(name string) (leave func(), ok bool) {
	gate := t.gate(name)
	select {
	case gate <- struct{}{}:
		return t.inside(gate)
	default:
		return nil, false
	}
}

func (t *turnstile) inside(gate chan struct{}) (leave func(), ok bool) {
	select {
	case <-t.closed:
		<-gate
		return nil, false
	default:
		return func() { <-gate }, true
	}
}

// close sends everybody away who waits.
func (t *turnstile) close() { t.once.Do(func() { close(t.closed) }) }

// laterAgain is when a call that was sent away asks again.
const laterAgain = time.Second

// crowdWait is how long a call stands behind the crowd that is ready to wait for its limits, before it
// makes way for the calls of others: whoever stands here stands in their way.
const crowdWait = 10 * time.Second

// joinCrowd has the call be one of those that are made ready and wait for the same limits. When there are
// Crowd of them for too long, it is false.
func (s *Service) joinCrowd(ctx context.Context, p *placement) (leave func(), ok bool) {
	if leave, ok = s.crowd.enterNow(gateOf(p)); ok {
		return leave, true
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		if s.Wait(ctx, crowdWait) == nil {
			cancel()
		}
	}()
	return s.crowd.enter(ctx, gateOf(p))
}

// gateOf is the name of what a call waits for.
func gateOf(p *placement) string { return p.trunk.Name + " " + p.call.AgentID }

// awaitPlace claims a place on this process's line and within the limits, waiting
// for one up to Hold. It is false when somebody else has the call. When it is true,
// Leave of the line's admission must be called once the call is over.
func (s *Service) awaitPlace(ctx context.Context, p *placement) (bool, error) {
	leave, ok := s.queue.enter(ctx, gateOf(p))
	if !ok {
		return false, TryAgain{After: laterAgain}
	}
	defer leave()
	waited := time.Duration(0)
	for {
		claimed, err := s.enterAndClaim(ctx, p)
		again, held := err.(TryAgain) //nolint:errorlint // claim returns it as it is
		if !held {
			return claimed, err
		}
		if waited += again.After; waited > s.Hold || !s.waits(ctx, again.After) {
			return false, again
		}
	}
}

// enterAndClaim takes a place on the line of this process and then one within the limits.
func (s *Service) enterAndClaim(ctx context.Context, p *placement) (claimed bool, err error) {
	if err := s.Recordings.Ready(); err != nil {
		s.Log.WarnContext(ctx, "a call waits until recordings can be kept again", "call", p.call.ID, "error", err)
		s.tellHeld(ctx, p, unkeptDetail)
		return false, TryAgain{After: outagePause}
	}
	if p.call.Line == LineRoom { // its agent may have left while the call was held back
		if goes, err := s.inRoom(ctx, p); err != nil || !goes {
			return false, err
		}
	}
	admission, _ := s.admissionFor(p.call.Line)
	ok, changed := admission.Enter()
	if !ok {
		s.heldBack(ctx, p, changed)
		return false, TryAgain{After: laterAgain}
	}
	if changed {
		s.Log.InfoContext(ctx, "the media loop has room again: calls go on")
	}
	defer func() {
		if !claimed { // not even where claiming panics
			admission.Leave()
		}
	}()
	return s.claim(ctx, p)
}

// heldBack tells that calls wait for this machine and not for the trunk: the log once, and the watchers.
func (s *Service) heldBack(ctx context.Context, p *placement, first bool) {
	if first {
		admission, pressure := s.admissionFor(p.call.Line)
		room, placed := admission.Room()
		m := pressure()
		s.Log.WarnContext(ctx, "calls are held back: the media loop can pace no more of them for now", "placed", placed, "room", room,
			"busy", m.Busy, "late", m.Late, "behind", m.Behind)
	}
	s.tellHeld(ctx, p, heldDetail)
}

// What watchers are told of a call that is held back.
const (
	heldDetail   = "waiting until this machine has room for one more call"
	unkeptDetail = "waiting until its recording can be kept"
)

// tellHeld tells the watchers, once for each call that is next, what it waits for. A failure only
// keeps them in the dark.
func (s *Service) tellHeld(ctx context.Context, p *placement, detail string) {
	if p.call.Line == LineRoom {
		s.lobby.holdUp(p.call.ID)
	}
	if p.held {
		return
	}
	p.held = true
	err := s.Store.Write(ctx, func(tx Tx) error {
		c, err := tx.LockCall(ctx, p.call.ID)
		if err != nil || c.Status != call.Queued {
			return err
		}
		return announceHeld(ctx, tx, c, detail)
	})
	if err != nil && ctx.Err() == nil {
		s.Log.WarnContext(ctx, "it could not be told that a call waits", "call", p.call.ID, "error", err)
	}
}

// waits waits for d; false when there is no use in asking again.
func (s *Service) waits(ctx context.Context, d time.Duration) bool {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- s.Wait(ctx, d) }()
	select {
	case err := <-done:
		return err == nil
	case <-s.queue.closed:
		return false
	}
}

// Dismiss sends the calls away that wait for a place, to be placed by another
// process or after the next start. Calls on the line are left alone.
func (s *Service) Dismiss() {
	s.queue.close()
	s.crowd.close()
}

// spoilt ends a call whose caller could not be made for a reason, after it has been claimed.
func (s *Service) spoilt(ctx context.Context, p *placement, why error) {
	if ctx.Err() != nil {
		p.attempt.EndReason = call.EndOf(call.EndInterrupted, stopped)
		return
	}
	p.attempt.EndReason = call.EndOf(call.EndRingtrueError, "the caller could not be prepared")
	p.attempt.Timeline = []call.Event{{Kind: call.KindOurFault, Data: map[string]any{"what": problem.Behind("speech", why)}}}
}
