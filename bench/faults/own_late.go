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

// held is what comes late: whoever needs it waits until some seconds of the call
// have passed since it was first asked for. An agent may greet early or late, so
// that the call's own time says nothing of when something is due.
type held struct {
	by    time.Duration
	asked atomic.Bool
	come  chan struct{}
	once  sync.Once
}

// newHeld draws by how much, between what makes a call void and what makes the caller give up.
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

// hurry makes a caller one on a line that waits for nobody.
func (h *held) hurry(p experiment.Party) experiment.Party {
	return &hurry{Party: struct{ experiment.Party }{p}, held: h}
}

// hurry is a caller on a line that waits for nobody: what it waits for comes when it is late.
type hurry struct {
	experiment.Party
	held *held
	from time.Duration // when what is late comes, 0 while nobody has asked for it
}

// Step implements leg.Party. Frames pass no faster than ten times real time, or
// nothing that runs beside them would ever be in time.
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
