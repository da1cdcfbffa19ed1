package linetest

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
)

func (like Traits) testRefusals(t *testing.T, open Make) {
	for refusal, want := range like.Refused {
		t.Run(string(refusal), func(t *testing.T) {
			t.Parallel()
			caller := &Voice{}
			line := open(t, func(context.Context, leg.Incoming) leg.Answer { return leg.Answer{Refuse: refusal} })
			d := dial("call_" + string(refusal))
			if like.Patience > 0 {
				d.RingTimeout = like.Patience
			}
			a := line.Place(t.Context(), d, caller, tape())
			if a.EndReason.Code != want || a.EndReason.Detail == "" {
				t.Errorf("end reason %+v, want %s with the line's own word", a.EndReason, want)
			}
			if !a.AnsweredAt.IsZero() || a.EndedAt.IsZero() || a.Rate != 0 {
				t.Errorf("answered %v, ended %v, rate %d, want an end alone", a.AnsweredAt, a.EndedAt, a.Rate)
			}
			caller.untouched(t, "the caller")
		})
	}
}

func (like Traits) testRingTimeout(t *testing.T, open Make) {
	caller := &Voice{}
	line := open(t, func(context.Context, leg.Incoming) leg.Answer { return leg.Answer{Refuse: leg.RefuseRing} })
	d := dial("call_ring")
	d.RingTimeout = 1500 * time.Millisecond
	a := line.Place(t.Context(), d, caller, tape())
	if a.EndReason.Code != like.Rang {
		t.Errorf("end reason %+v, want %s", a.EndReason, like.Rang)
	}
	if rang := a.EndedAt.Sub(a.StartedAt); rang < d.RingTimeout || rang > d.RingTimeout+patience {
		t.Errorf("it rang for %v, want %v and what beginning and giving up take", rang, d.RingTimeout)
	}
	caller.untouched(t, "the caller")
}

func (like Traits) testRinging(t *testing.T, open Make) {
	var mu sync.Mutex
	var states []leg.State
	d := dial("call_states")
	d.OnState = func(s leg.State) {
		mu.Lock()
		defer mu.Unlock()
		states = append(states, s)
	}
	d.OnAnswered = func(string) {
		mu.Lock()
		defer mu.Unlock()
		states = append(states, "told")
	}
	caller := &Voice{HangUpAt: 100 * time.Millisecond}
	a := open(t, func(context.Context, leg.Incoming) leg.Answer {
		return leg.Answer{Party: &Voice{}, RingFor: time.Second}
	}).Place(t.Context(), d, caller, tape())
	mu.Lock()
	defer mu.Unlock()
	if got, want := fmt.Sprint(states), fmt.Sprint([]leg.State{leg.Dialing, leg.Ringing, leg.Answered, "told"}); got != want {
		t.Errorf("states %s, want %s", got, want)
	}
	if a.RingingAt.IsZero() {
		t.Error("ringing left no time")
	}
	if like.Rings > 0 {
		// The word of either may have come late.
		near(t, "answer", a.AnsweredAt.Sub(a.RingingAt), 3*time.Second, 2500*time.Millisecond)
	}
	for i, e := range a.Timeline {
		if i > 0 && e.At < a.Timeline[i-1].At {
			t.Errorf("the timeline is not in order: %v after %v", e.At, a.Timeline[i-1].At)
		}
		if e.Kind == call.KindRinging && e.At > -like.Rings {
			t.Errorf("ringing at %v, want well before the answer", e.At)
		}
	}
}

func testCancelRinging(t *testing.T, open Make) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	d := dial("call_cancel")
	d.OnState = func(s leg.State) {
		if s == leg.Dialing {
			cancel()
		}
	}
	caller := &Voice{}
	a := open(t, func(context.Context, leg.Incoming) leg.Answer {
		return leg.Answer{Refuse: leg.RefuseRing}
	}).Place(ctx, d, caller, tape())
	if a.EndReason.Code != call.EndInterrupted {
		t.Errorf("end reason %+v, want %s", a.EndReason, call.EndInterrupted)
	}
	caller.untouched(t, "the caller")
}

// canceler is a Voice that cancels its own call from within.
type canceler struct {
	Voice
	cancel func()
}

func (c *canceler) Step(in, out *leg.Frame) {
	if in.At == 200*time.Millisecond {
		c.cancel()
	}
	c.Voice.Step(in, out)
}

func testCancelTalking(t *testing.T, open Make) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	caller, agent := &canceler{cancel: cancel}, &Voice{}
	done, wait := once(t)
	a := open(t, pick(agent, nil, done)).Place(ctx, dial("call_cancel_talk"), caller, tape())
	wait()
	caller.kept(t, "caller")
	agent.kept(t, "agent")
	if a.EndReason.Code != call.EndInterrupted {
		t.Errorf("end reason %+v, want %s", a.EndReason, call.EndInterrupted)
	}
	if l := a.EndedAt.Sub(a.AnsweredAt); l < 200*time.Millisecond || l > talks/2 {
		t.Errorf("the call lasted %v, want 200 ms to %v", l, talks/2)
	}
}
