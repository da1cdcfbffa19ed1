// Package linetest is the suite that every line passes: package line/loop,
// package line/sip over each transport and each way to drive media. It talks to
// a line through the same method as package experiment does, and to the far end
// through a leg.Answerer. Beside it stands what other tests of real time need to
// tell a busy machine from a bad line.
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

// Line is what is tested.
type Line interface {
	Place(ctx context.Context, d leg.Dial, p leg.Party, t *leg.Tape) call.Attempt
}

// Make opens a line whose calls all arrive at the Answerer. It cleans up through t.
type Make func(t testing.TB, a leg.Answerer) Line

// Traits are what a line is like where lines differ by nature.
type Traits struct {
	// Refused is what each way not to answer looks like from the caller's side, Rang
	// what an agent that never answers does.
	Refused map[leg.Refusal]call.EndCode
	Rang    call.EndCode
	// Patience is how long a call that is refused may ring, where a refusal cannot be
	// told from an agent that does not come; 0 where refusals end the ringing.
	Patience time.Duration
	// Arrives is what the far end learns of a Dial.
	Arrives func(d leg.Dial) leg.Incoming
	// Rings is how long before the answer, at least, ringing is told of an agent that
	// rings for a while; 0 where the line hears of an agent only when it answers.
	Rings time.Duration
	// Codec is how much of the beginning and the end of a sound the line's codec smears.
	Codec time.Duration
}

// telephone is what a line is like on which numbers are dialled.
func telephone() Traits {
	return Traits{
		Refused: map[leg.Refusal]call.EndCode{
			leg.RefuseBusy: call.EndBusy, leg.RefuseDecline: call.EndDeclined,
			leg.RefuseUnknown: call.EndUnreachable, leg.RefuseOverload: call.EndUnreachable,
		},
		Rang:    call.EndNoAnswer,
		Rings:   200 * time.Millisecond,
		Arrives: func(d leg.Dial) leg.Incoming { return leg.Incoming{CallID: d.CallID, From: d.From, To: d.To} },
	}
}

// timing is how far a planted moment may be off on a recording.
const timing = 5 * time.Millisecond

// Run runs the suite over a line on which numbers are dialled; its tests run in parallel.
func Run(t *testing.T, open Make) {
	t.Helper()
	RunAs(t, telephone(), open)
}

// RunAs runs the suite over a line that says itself what it is like.
func RunAs(t *testing.T, like Traits, open Make) {
	t.Helper()
	tests := []struct {
		name string
		run  func(*testing.T, Make)
	}{
		{"both directions are heard and recorded", like.testBothWays},
		{"the caller hangs up", testCallerHangsUp},
		{"the agent hangs up", testAgentHangsUp},
		{"refusals have their reasons", like.testRefusals},
		{"nobody answers", like.testRingTimeout},
		{"ringing before the answer", like.testRinging},
		{"the longest duration", testMaxDuration},
		{"keys both ways", testDigits},
		{"cancelled while ringing", testCancelRinging},
		{"cancelled while talking", testCancelTalking},
		{"the call's id arrives", like.testIdentity},
		{"many calls do not mix", testMany},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.run(t, open)
		})
	}
}

const (
	// patience is how long is waited for what a busy machine may take long over: half of
	// what a call rings that has no bound of its own.
	patience = 30 * time.Second
	// talks is the longest that a call lasts, unless it is to be cut.
	talks = 20 * time.Second
)

// dial is a call with bounds that suit a test.
func dial(id string) leg.Dial {
	return leg.Dial{
		CallID: id, AttemptID: "att_" + id, From: "+15550001111", To: "+15552223333",
		RingTimeout: patience, MaxDuration: talks,
	}
}

// pick answers every call with the given Party.
func pick(p leg.Party, tape *leg.Tape, done func()) leg.Answerer {
	return func(context.Context, leg.Incoming) leg.Answer {
		return leg.Answer{Party: p, Tape: tape, Done: done}
	}
}

// seat is where the agent of the next call sits.
type seat struct {
	mu     sync.Mutex
	answer leg.Answer
}

func (s *seat) take(a leg.Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = a
}

func (s *seat) pick(context.Context, leg.Incoming) leg.Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.answer
}

func tape() *leg.Tape { return leg.NewTape(time.Minute) }

// once is a Done that can be waited for.
func once(t testing.TB) (done func(), wait func()) {
	c := make(chan struct{}, 8)
	return func() { c <- struct{}{} }, func() {
		t.Helper()
		select {
		case <-c:
		case <-time.After(time.Minute):
			t.Fatal("the agent's end was never told that the call is over")
		}
	}
}

// starved says why this machine did not give the line its time, so that the call
// proves nothing about the line; "" when it did.
func starved(a call.Attempt) string {
	switch {
	case a.Stats.SendMissed > 0:
		return fmt.Sprintf("%d frames were not sent", a.Stats.SendMissed)
	case a.Stats.ReceiveLateMax > 60*time.Millisecond:
		return fmt.Sprintf("packets were taken in up to %v late", a.Stats.ReceiveLateMax)
	case a.Stats.LongestGap > 60*time.Millisecond:
		return fmt.Sprintf("nothing came for %v", a.Stats.LongestGap)
	}
	return ""
}

// hasty says that packets came further apart than the ear waits for before it has
// learnt to, so that what was heard has holes that the recording has not; "" when they did not.
func hasty(a call.Attempt) string {
	if limit := 2 * leg.FrameTime; a.Stats.LongestGap > limit || a.Stats.ReceiveLateMax > limit {
		return fmt.Sprintf("packets came %v apart and were taken in %v late", a.Stats.LongestGap, a.Stats.ReceiveLateMax)
	}
	return ""
}

// apart says that the two ends' clocks began too far apart for a moment of the one to be
// found at the other: what the one says before the other has begun is on no recording. They tell
// themselves when they began, since what was recorded is what is tested; "" when they did not.
func apart(one, other *Voice) string {
	if off := one.begin().Sub(other.begin()).Abs(); off > bothClocks-leg.FrameTime {
		return fmt.Sprintf("the clocks of both ends began %v apart", off)
	}
	return ""
}
