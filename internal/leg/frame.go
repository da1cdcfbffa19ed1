// Package leg says how anything takes part in a call: a Party hears a 20 ms
// frame and gives back a 20 ms frame. The simulated caller (package caller) is
// a Party and so is the practice agent (package practice); the lines (packages
// line/sip, line/room, line/loop) drive Parties and bring what they say to the
// other end. It imports the standard library alone and knows neither call
// records nor audio formats.
package leg

import (
	"context"
	"time"
)

// FrameTime is how much media one Step hears and gives.
const FrameTime = 20 * time.Millisecond

// Samples returns the number of samples in a frame at the given rate (Hz).
func Samples(rate int) int { return rate / 50 }

// Frame is 20 ms of one direction of a call.
type Frame struct {
	// At is the media time of the first sample, counted from the answer of the
	// call. It is always a multiple of FrameTime.
	At time.Duration
	// PCM holds Samples(rate) samples. The line owns the memory: neither side
	// may keep it after Step has returned. An outgoing frame arrives zeroed.
	PCM []int16
	// Missing says, of an incoming frame, that nothing arrived for it and PCM
	// is filled in (silence or concealment), so that it proves nothing. On an
	// outgoing frame it asks the line not to send it, as if the network had lost
	// it; PCM is then silence, so that a line that cannot do so sends that.
	Missing bool
	// Early says, of an incoming frame, that it was heard before the far end could hear us. The
	// frames after it follow at once, and the line lets go what the Party says meanwhile.
	Early bool
	// Digits are the telephone keys ("0".."9", "*", "#", "A".."D") whose press
	// was completed within this frame (incoming), or that the line is to press,
	// one after the other, from now on (outgoing).
	Digits string
	// HangUp (outgoing only) ends the call once this frame has been sent.
	HangUp bool
}

// Party is one side of a conversation: a pure state machine over media time.
// It has no clock, no lock and no goroutine, and never blocks. What takes time
// (speech synthesis, recognition, a language model) runs elsewhere and leaves
// its result in a Mailbox that the Party looks into.
//
// A line calls Begin once when both ends are connected, then Step for every
// 20 ms of media in order without a gap, then End once. All calls come from
// one thread at a time.
type Party interface {
	// Begin tells the rate (Hz) of every frame to come: 8000 on a telephone line.
	Begin(rate int)
	// Step hears in and fills out. It must not allocate in the steady state.
	Step(in, out *Frame)
	// End tells that no further Step will come. hungUpByFar is true when the
	// other side ended the call; at is the media time of the end.
	End(at time.Duration, hungUpByFar bool)
}

// Awaiter is a Party with slow work going on elsewhere. A line in virtual time
// calls Await before each Step, so that every result is in by the frame from
// which it may take effect; a line in real time never does, because a person on the
// telephone does not wait either.
type Awaiter interface {
	// Await blocks until all results that may take effect at the given media time
	// have been left, or ctx ends.
	Await(ctx context.Context, at time.Duration) error
}

// Dial says whom to call and how.
type Dial struct {
	// CallID and AttemptID are ours; the CallID travels to the far end (SIP
	// header X-Ringtrue-Call) so that its own record of the call can be linked.
	CallID, AttemptID string
	// Trunk names a configured trunk; "" is the first one.
	Trunk string
	// From and To are E.164 numbers; From may be "" (the trunk's own number).
	From, To string
	// Room names the room in which the agent is met; "" on a telephone line.
	Room string
	// RingTimeout bounds the time from the first signal to the answer.
	RingTimeout time.Duration
	// MaxDuration bounds the answered call; the line hangs up when it is over.
	MaxDuration time.Duration
	// Turn, when set, is called once with what sends the call's first signal, and
	// calls it at the moment at which it may be sent, before it returns.
	Turn func(send func())
	// OnState is called, never from the media loop, as the call proceeds. May be nil.
	OnState func(State)
	// OnAnswered is called like OnState, and after it, when the call is answered, with what
	// another process needs to hang it up should this one die: "" where the call dies with
	// its process. May be nil.
	OnAnswered func(reference string)
}

// State is how far a call has come on its line.
type State string

// The states of a call on its line, in order; Ringing may be left out by the far end.
const (
	Dialing  State = "dialing"
	Ringing  State = "ringing"
	Answered State = "answered"
)

// Incoming is a call that arrives at an Answerer.
type Incoming struct {
	// CallID is the caller's X-Ringtrue-Call header, "" when there was none.
	CallID   string
	From, To string
}

// Refusal is why an Answerer does not take a call.
type Refusal string

// The ways not to answer a call, with the SIP status that carries each.
const (
	RefuseNot      Refusal = ""            // answered
	RefuseBusy     Refusal = "busy"        // 486
	RefuseDecline  Refusal = "declined"    // 603
	RefuseUnknown  Refusal = "unknown"     // 404: no such number
	RefuseOverload Refusal = "unavailable" // 503 with Retry-After
	RefuseRing     Refusal = "no_answer"   // rings until the other side gives up
)

// Answer is what an Answerer does with a call.
type Answer struct {
	// Refuse, unless RefuseNot, turns the call away; Party is nil then.
	Refuse Refusal
	// RingFor is how long to ring before the answer.
	RingFor time.Duration
	// Party takes the call.
	Party Party
	// Tape records both directions from this end; nil records nothing.
	Tape *Tape
	// Done is called once, not from the media loop, when an answered call is over. May be nil.
	Done func()
}

// Answerer takes incoming calls. It is called from many goroutines at a time
// and must return within a second.
type Answerer func(context.Context, Incoming) Answer
