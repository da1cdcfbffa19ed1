package experiment

import (
	"context"
	"sync"
	"time"
)

// pacer keeps the calls of this process apart: the places are given at the right
// distance, but what lies between a place and the dialling (a caller that is
// made, a slow disk, a machine that has something else to do) takes now longer
// and now shorter.
type pacer struct {
	mu   sync.Mutex
	next map[string]time.Duration // by the steady clock
	gate map[string]*sync.Mutex
}

func newPacer() *pacer {
	return &pacer{next: map[string]time.Duration{}, gate: map[string]*sync.Mutex{}}
}

// distance is what has to lie between two calls by or to one thing.
type distance struct {
	name    string
	spacing time.Duration
}

// turn returns what sends the first signal of the call no sooner after that of
// the one before it, in this process, than the calls per second allow. Nobody
// else sends meanwhile, and the distance counts from when the signal was out, so
// that no delay of ours makes it shorter.
func (s *Service) turn(ctx context.Context, p *placement) func(send func()) {
	l := s.limits(p)
	var of []distance
	for _, x := range []struct {
		name      string
		perSecond float64
	}{{"trunk:" + l.Trunk, l.TrunkCallsPerSecond}, {"agent:" + l.AgentID, l.AgentCallsPerSecond}} {
		if x.perSecond > 0 {
			of = append(of, distance{x.name, time.Duration(float64(time.Second) / x.perSecond)})
		}
	}
	return func(send func()) {
		for {
			wait := s.pacer.try(of, s.Steady, send)
			if wait <= 0 {
				return
			}
			if s.Wait(ctx, wait) != nil {
				send() // the line sees for itself that ctx has ended
				return
			}
		}
	}
}

// try sends if it is time, and else says how long it is until then.
func (a *pacer) try(of []distance, now func() time.Duration, send func()) (wait time.Duration) {
	for _, l := range of { // always the trunk first
		gate := a.gateOf(l.name)
		gate.Lock()
		defer gate.Unlock()
	}
	if wait := a.earliest(of) - now(); wait > 0 {
		return wait
	}
	send()
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, l := range of {
		a.next[l.name] = now() + l.spacing
	}
	return 0
}

func (a *pacer) gateOf(name string) *sync.Mutex {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.gate[name] == nil {
		a.gate[name] = &sync.Mutex{}
	}
	return a.gate[name]
}

func (a *pacer) earliest(of []distance) (at time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, l := range of {
		at = max(at, a.next[l.name])
	}
	return at
}
