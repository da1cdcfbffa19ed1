package main

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/leg"
)

// held is something that comes late: whoever needs it waits until some seconds of the call have
// passed since it was first requested. An agent may greet early or late, so the call's own time
// does not say when something is due.
type held struct {
	by    time.Duration
	asked atomic.Bool
	come  chan struct{}
	once  sync.Once
}

// newHeld draws the delay, between what makes a call void and what makes the caller give up.
func newHeld(r *rand.Rand) *held {
	return &held{by: 5*time.Second + time.Duration(r.IntN(4000))*time.Millisecond, come: make(chan struct{})}
}

// await waits for what is late.
func (h *held) await(ctx context.Context) error {
	h.asked.Store(true)
	select {
	case <-h.come:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (h *held) release() { h.once.Do(func() { close(h.come) }) }

// hurry makes a caller behave as on a line that does not wait.
func (h *held) hurry(p experiment.Party) experiment.Party {
	return &hurry{Party: struct{ experiment.Party }{p}, held: h}
}

// hurry is a caller on a line that does not wait: what it needs arrives late.
type hurry struct {
	experiment.Party
	held *held
	from time.Duration // when the late thing arrives, 0 while it has not been requested
}

// Step implements leg.Party. Frames pass at most ten times faster than real time, because otherwise
// nothing that runs concurrently would ever be in time.
func (h *hurry) Step(in, out *leg.Frame) {
	pause := time.NewTimer(2 * time.Millisecond)
	<-pause.C
	switch {
	case h.from == 0 && h.held.asked.Load():
		h.from = in.At + h.held.by
	case h.from > 0 && in.At >= h.from:
		h.held.release()
	}
	h.Party.Step(in, out)
}

// End implements leg.Party.
func (h *hurry) End(at time.Duration, byFar bool) {
	h.held.release()
	h.Party.End(at, byFar)
}
