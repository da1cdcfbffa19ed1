package experiment

import (
	"context"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// turnstile lets the calls that wait for the same limits ask one at a time, so
// that a long queue costs the database no more than a short one.
type turnstile struct {
	mu     sync.Mutex
	gates  map[string]chan struct{}
	closed chan struct{}
	once   sync.Once
}

func newTurnstile() *turnstile {
	return &turnstile{gates: map[string]chan struct{}{}, closed: make(chan struct{})}
}

func (t *turnstile) gate(name string) chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.gates[name] == nil {
		t.gates[name] = make(chan struct{}, 1)
	}
	return t.gates[name]
}

// enter waits for its turn; leave must be called when ok. Nobody enters once it
// is closed, even where nobody stands in the way.
func (t *turnstile) enter(ctx context.Context, name string) (leave func(), ok bool) {
	gate := t.gate(name)
	select {
	case gate <- struct{}{}:
	case <-ctx.Done():
		return nil, false
	case <-t.closed:
		return nil, false
	}
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

// awaitPlace claims a place within the limits, waiting for one up to Hold.
// It is false when somebody else has the call.
func (s *Service) awaitPlace(ctx context.Context, p *placement) (bool, error) {
	leave, ok := s.queue.enter(ctx, p.trunk.Name+" "+p.call.AgentID)
	if !ok {
		return false, TryAgain{After: laterAgain}
	}
	defer leave()
	waited := time.Duration(0)
	for {
		claimed, err := s.claim(ctx, p)
		again, held := err.(TryAgain) //nolint:errorlint // claim returns it as it is
		if !held {
			return claimed, err
		}
		if waited += again.After; waited > s.Hold || !s.waits(ctx, again.After) {
			return false, again
		}
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
func (s *Service) Dismiss() { s.queue.close() }

// spoilt ends a call whose caller could not be made, after it has been claimed.
func (s *Service) spoilt(ctx context.Context, p *placement) {
	if ctx.Err() != nil {
		p.attempt.EndReason = call.EndOf(call.EndInterrupted, stopped)
		return
	}
	p.attempt.EndReason = call.EndOf(call.EndRingtrueError, "the caller could not be prepared")
	p.attempt.Timeline = []call.Event{{Kind: call.KindOurFault, Data: map[string]any{"what": "speech"}}}
}
