// Package linetest is the test suite that every line passes: package line/loop, line/room and
// line/sip with each transport and each way of driving media. It uses a line through the same
// method as package experiment, and the far end through a leg.Answerer. It also holds what
// other tests in real time need to distinguish a busy machine from a faulty line.
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

// Line is the interface under test.
type Line interface {
	Place(ctx context.Context, d leg.Dial, p leg.Party, t *leg.Tape) call.Attempt
}

// Make creates a line whose calls all arrive at the Answerer. It registers its clean-up with t.
type Make func(t testing.TB, a leg.Answerer) Line

// Traits describe legitimate differences between lines.
type Traits struct {
	// Refused is the end code that the caller sees for each way of not answering.
	Refused map[leg.Refusal]call.EndCode
	Rang    call.EndCode
	// Patience is how long a refused call may ring, if a refusal cannot be distinguished from
	// an agent that does not come; 0 if refusals end the ringing.
	Patience time.Duration
	// Arrives returns what the far end learns of a Dial.
	Arrives func(d leg.Dial) leg.Incoming
	// Rings is how long before the answer, at least, ringing is reported for an agent that
	// rings for a while; 0 if the line notices an agent only when it answers.
	Rings time.Duration
	// Codec is how far the line's codec smears the beginning and the end of a sound.
	Codec time.Duration
}

// telephone returns the traits of a line on which numbers are dialled.
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

// timing is the tolerance for the position of a planted sound on a recording.
const timing = 5 * time.Millisecond

// Run runs the suite over a line on which numbers are dialled. Its tests run in parallel.
func Run(t *testing.T, open Make) {
	t.Helper()
	RunAs(t, telephone(), open)
}

// RunAs runs the suite over a line with the given traits.
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
	// patience bounds the wait for what a busy machine may delay: half of the ring timeout of a
	// call that sets none.
	patience = 30 * time.Second
	// talks is the maximum duration of a call, unless the test cuts it.
	talks = 20 * time.Second
)

// dial returns a Dial with bounds suitable for a test.
func dial(id string) leg.Dial {
	return leg.Dial{
		CallID: id, AttemptID: "att_" + id, From: "+15550001111", To: "+15552223333",
		RingTimeout: patience, MaxDuration: talks,
	}
}

// pick returns an Answerer that answers every call with the given Party.
func pick(p leg.Party, tape *leg.Tape, done func()) leg.Answerer {
	return func(context.Context, leg.Incoming) leg.Answer {
		return leg.Answer{Party: p, Tape: tape, Done: done}
	}
}

// seat holds the agent of the next call.
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

// once returns a Done function and one that waits for it.
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

// starved returns a description if this machine did not give the line its time, so that the
// call proves nothing about the line; otherwise "".
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

// hasty returns a description if packets arrived further apart than the jitter buffer's initial
// delay, so that what was heard has gaps that the recording has not; otherwise "".
func hasty(a call.Attempt) string {
	if limit := 2 * leg.FrameTime; a.Stats.LongestGap > limit || a.Stats.ReceiveLateMax > limit {
		return fmt.Sprintf("packets came %v apart and were taken in %v late", a.Stats.LongestGap, a.Stats.ReceiveLateMax)
	}
	return ""
}

// apart returns a description if the two ends' media clocks began too far apart to compare
// moments: what one end says before the other has begun is on no recording. The ends report when
// they began, as the recordings are what is tested. Otherwise it returns "".
func apart(one, other *Voice) string {
	if off := one.begin().Sub(other.begin()).Abs(); off > bothClocks-leg.FrameTime {
		return fmt.Sprintf("the clocks of both ends began %v apart", off)
	}
	return ""
}
