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

// lead is how long after its turn a call is dialled: what lies between the two
// takes its time, and takes it from here, so that it makes no distance shorter.
const lead = 50 * time.Millisecond

// tooLate is how long after that a call has missed its turn. The turns of other
// processes go on meanwhile, so it asks for a new one.
const tooLate = lead / 2

// maxTurns is how many turns a call gets. It is dialled in the last of them
// however late: the machine or its database cannot do better.
const maxTurns = 4

// slot is a call's turn within the limits.
type slot struct {
	// at is when it was by the clock of the limits, due when to dial by the steady clock.
	at  time.Time
	due time.Duration
}

// turn returns what sends the first signal of the call when it is due and no
// sooner after that of the one before it, in this process, than the calls per
// second allow. Nobody else sends meanwhile, and the distance counts from when
// the signal was out, so that no delay of ours makes it shorter.
func (s *Service) turn(ctx context.Context, p *placement) func(send func()) {
	of := distances(s.limits(p))
	return func(send func()) {
		for turns := 1; ; {
			wait, late := s.pacer.try(of, s.Steady, p.slot.due, turns < maxTurns, send)
			if late {
				if wait = s.claimAgain(ctx, p); wait <= 0 {
					turns++
				}
			} else if wait <= 0 {
				return
			}
			if wait > 0 && s.Wait(ctx, wait) != nil {
				send() // the line sees for itself that ctx has ended
				return
			}
		}
	}
}

// distances are what the calls per second of the limits ask for.
func distances(l Limits) (of []distance) {
	for _, x := range []struct {
		name      string
		perSecond float64
	}{{"trunk:" + l.Trunk, l.TrunkCallsPerSecond}, {"agent:" + l.AgentID, l.AgentCallsPerSecond}} {
		if x.perSecond > 0 {
			of = append(of, distance{x.name, time.Duration(float64(time.Second) / x.perSecond)})
		}
	}
	return of
}

// claimAgain asks for a new turn, or says how long to wait before that.
func (s *Service) claimAgain(ctx context.Context, p *placement) (wait time.Duration) {
	var got Claim
	err := s.Store.Write(ctx, func(tx Tx) (err error) {
		if got, err = tx.ClaimAgain(ctx, s.limits(p), p.slot.at, s.LimitTime()); err == nil && got.OK {
			p.slot = s.slotOf(got)
		}
		return err
	})
	if err != nil {
		if ctx.Err() == nil {
			s.Log.WarnContext(ctx, "a call waits for a new turn until the database can be used again", "call", p.call.ID, "error", err)
		}
		return laterAgain
	}
	return got.Wait
}

// try sends if it is time, and else says how long it is until then, or that the
// call is too late for its turn, which counts when punctual.
func (a *pacer) try(of []distance, now func() time.Duration, due time.Duration, punctual bool, send func()) (wait time.Duration, late bool) {
	for _, l := range of { // always the trunk first
		gate := a.gateOf(l.name)
		gate.Lock()
		defer gate.Unlock()
	}
	if len(of) == 0 {
		due, punctual = 0, false
	}
	at := now()
	if wait := max(due, a.earliest(of)) - at; wait > 0 {
		return wait, false
	}
	if punctual && at > due+tooLate {
		return 0, true
	}
	send()
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, l := range of {
		a.next[l.name] = now() + l.spacing
	}
	return 0, false
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
