// Package leg defines how something takes part in a call: a Party is given a 20 ms frame and returns a 20
// ms frame. The simulated caller (package caller) and the practice agent (package practice) are Parties;
// the lines (packages line/sip, line/room, line/loop) drive Parties and carry their audio to the other end.
// It imports the standard library alone and knows neither call records nor audio formats.
package leg

import (
	"context"
	"time"
)

// FrameTime is the duration of the media handled by one Step.
const FrameTime = 20 * time.Millisecond

// Samples returns the number of samples in a frame at the given rate (Hz).
func Samples(rate int) int { return rate / 50 }

// Frame is 20 ms of one direction of a call.
type Frame struct {
	// At is the media time of the first sample, counted from the answer of the
	// call. It is always a multiple of FrameTime.
	At time.Duration
	// PCM holds Samples(rate) samples. The line owns the memory: neither side may keep it after
	// Step has returned. An outgoing frame is passed in zeroed.
	PCM []int16
	// Missing means, for an incoming frame, that nothing arrived for it: PCM holds silence or concealment
	// and says nothing about the far end. On an outgoing frame it asks the line not to send the frame, as
	// if the network had lost it; PCM must then be silence, which a line sends if it cannot skip a frame.
	Missing bool
	// Early means, for an incoming frame, that it was heard before the far end could hear us. The
	// frames after it follow immediately, and the line discards what the Party says meanwhile.
	Early bool
	// Digits are telephone keys ("0".."9", "*", "#", "A".."D"): on an incoming frame those
	// whose press ended within it, on an outgoing frame those that the line is to press from
	// now on, one after the other.
	Digits string
	// HangUp (outgoing only) ends the call once this frame has been sent.
	HangUp bool
}

// Party is one side of a conversation: a pure state machine over media time. It has no clock,
// no lock and no goroutine, and never blocks. Slow work (speech synthesis, recognition, a
// language model) runs elsewhere and leaves its result in a Mailbox that the Party polls.
//
// A line calls Begin once when both ends are connected, then Step for every 20 ms of media in
// order without a gap, then End once. These calls never overlap.
type Party interface {
	// Begin announces the sample rate (Hz) of every frame to come: 8000 on a telephone line.
	Begin(rate int)
	// Step reads in and fills out. It must not allocate in the steady state.
	Step(in, out *Frame)
	// End announces that no further Step follows. at is the media time of the end; hungUpByFar
	// is true if the other side ended the call.
	End(at time.Duration, hungUpByFar bool)
}

// Awaiter is a Party that has slow work done elsewhere. A line in virtual time calls Await
// before each Step, so that every result is present in the frame from which it may take effect.
// A line in real time never does, since a person on the telephone does not wait either.
type Awaiter interface {
	// Await blocks until all results that may take effect at the given media time have been
	// delivered, or until ctx ends.
	Await(ctx context.Context, at time.Duration) error
}

// Dial says whom to call and how.
type Dial struct {
	// CallID and AttemptID are Ringtrue's ids. CallID is sent to the far end (SIP header
	// X-Ringtrue-Call) so that its own record of the call can be linked.
	CallID, AttemptID string
	// Trunk names a configured trunk, "" for the first one.
	Trunk string
	// From and To are E.164 numbers. From may be "" for the trunk's own number.
	From, To string
	// Room names the room in which the agent is met, "" on a telephone line.
	Room string
	// RingTimeout bounds the time from the first signal to the answer.
	RingTimeout time.Duration
	// MaxDuration bounds the answered call; the line hangs up when it is reached.
	MaxDuration time.Duration
	// Turn, if not nil, is called once, with a function that sends the call's first signal. It
	// calls send when the signal may go out, before it returns.
	Turn func(send func())
	// OnState, if not nil, is called as the call proceeds, never from the media loop.
	OnState func(State)
	// OnAnswered, if not nil, is called when the call is answered, after OnState and likewise
	// outside the media loop. reference is what another process needs to hang up the call if
	// this one dies, "" where the call ends with its process.
	OnAnswered func(reference string)
	// OnOver, if not nil, is called when an answered call has ended for another reason than that it
	// was to be broken off, and it is known why. A line calls it if it has still to take leave of the
	// far end, which may take seconds: the answer to a BYE.
	OnOver func()
}

// State is how far a call has got on its line.
type State string

// The states of a call on its line, in order. The far end may skip Ringing.
const (
	Dialing  State = "dialing"
	Ringing  State = "ringing"
	Answered State = "answered"
)

// Incoming is a call that arrives at an Answerer.
type Incoming struct {
	// CallID is the caller's X-Ringtrue-Call header, "" if there was none.
	CallID   string
	From, To string
}

// Refusal is why an Answerer does not take a call.
type Refusal string

// The ways of not answering a call, with the SIP status of each.
const (
	RefuseNot      Refusal = ""            // answered
	RefuseBusy     Refusal = "busy"        // 486
	RefuseDecline  Refusal = "declined"    // 603
	RefuseUnknown  Refusal = "unknown"     // 404: no such number
	RefuseOverload Refusal = "unavailable" // 503 with Retry-After
	RefuseRing     Refusal = "no_answer"   // rings until the other side gives up
)

// Answer is what an Answerer decides about a call.
type Answer struct {
	// Refuse, unless RefuseNot, rejects the call; Party is nil then.
	Refuse Refusal
	// RingFor is how long to ring before the answer.
	RingFor time.Duration
	// Party is what takes the call.
	Party Party
	// Tape records both directions from this end; nil records nothing.
	Tape *Tape
	// Done, if not nil, is called once, outside the media loop, when an answered call is over.
	Done func()
}

// Answerer decides about incoming calls. It is called concurrently and must return within a second.
type Answerer func(context.Context, Incoming) Answer
