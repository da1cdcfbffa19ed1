// Package loop is the line without a network: it joins a Party with one from a
// leg.Answerer in memory and in virtual time, so that a call of a minute takes
// milliseconds and the same seed gives the same bytes.
//
// It keeps the contract of line/sip (both pass line/linetest): experiments run
// over it in tests and in the loop benchmark. Parties that wait for slow work
// are waited for (leg.Awaiter) before each frame.
package loop

import (
	"context"
	"fmt"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
)

// Options say what the line is like.
type Options struct {
	// Rate is the sample rate in Hz, a multiple of 50; 0 is 8000.
	Rate int
	// Answerer decides about every call and gives the Party that takes it. It must be set.
	Answerer leg.Answerer
	// Start gives the wall time at which a call starts; everything after follows
	// from media time. Nil is the zero of Unix time, the same for every call.
	Start func() time.Time
	// Delay is how many frames each direction takes, 0 for none.
	Delay int
	// Impairment spoils what the caller hears of the agent and the other way round.
	Impairment Impairment
}

// usualRate is that of the telephone.
const usualRate = 8000

// usualRing is how long a call rings when the Dial does not say.
const usualRing = 60 * time.Second

// longest bounds a call whose Dial does not.
const longest = 4 * time.Hour

// Line places calls in memory. Calls may be placed from many goroutines at a time.
type Line struct {
	opts Options
}

// New returns a line.
func New(o Options) *Line {
	if o.Rate == 0 {
		o.Rate = usualRate
	}
	if o.Start == nil {
		o.Start = func() time.Time { return time.Unix(0, 0).UTC() }
	}
	return &Line{opts: o}
}

// Place makes a call and returns when it is over. What goes wrong is an end
// reason. It is left zero when our own Party hung up: only the Party knows why.
// When ctx ends, the reason is EndInterrupted with the detail "canceled".
func (l *Line) Place(ctx context.Context, d leg.Dial, p leg.Party, t *leg.Tape) call.Attempt {
	a := call.Attempt{ID: d.AttemptID, CallID: d.CallID, StartedAt: l.opts.Start(), LineRef: "loop-" + d.AttemptID}
	a.Stats.RemoteLost = -1
	state(d, leg.Dialing)
	if ctx.Err() != nil {
		return ended(a, 0, call.EndOf(call.EndInterrupted, "canceled"))
	}
	if d.Turn != nil {
		d.Turn(func() {})
	}
	answer := l.opts.Answerer(ctx, leg.Incoming{CallID: d.CallID, From: d.From, To: d.To})
	rang, reason, ok := ring(d, answer)
	if rang > 0 || ok && answer.RingFor > 0 {
		a.RingingAt = a.StartedAt
		state(d, leg.Ringing)
	}
	if !ok {
		finish(answer)
		return ended(a, rang, reason)
	}
	a.AnsweredAt = a.StartedAt.Add(rang)
	if !a.RingingAt.IsZero() {
		a.Timeline = append(a.Timeline, call.Event{At: -rang, Kind: call.KindRinging})
	}
	state(d, leg.Answered)
	if d.OnAnswered != nil {
		d.OnAnswered("")
	}
	c := newConversation(l.opts, d, p, t, answer)
	length, reason := c.run(ctx)
	finish(answer)
	a.Rate, a.Codec = l.opts.Rate, "L16"
	a.Timeline = append(a.Timeline, c.timeline...)
	a.Stats = c.stats()
	return ended(a, rang+length, reason)
}

func state(d leg.Dial, s leg.State) {
	if d.OnState != nil {
		d.OnState(s)
	}
}

func finish(a leg.Answer) {
	if a.Party != nil && a.Done != nil {
		a.Done()
	}
}

func ended(a call.Attempt, after time.Duration, why call.EndReason) call.Attempt {
	a.EndedAt, a.EndReason = a.StartedAt.Add(after), why
	return a
}

// ring says how long a call rang and whether it was answered.
func ring(d leg.Dial, a leg.Answer) (rang time.Duration, why call.EndReason, answered bool) {
	patience := d.RingTimeout
	if patience <= 0 {
		patience = usualRing
	}
	switch a.Refuse {
	case leg.RefuseNot:
		if a.Party == nil {
			return 0, call.EndOf(call.EndUnreachable, "500 Server Internal Error"), false
		}
		if a.RingFor >= patience {
			return patience, call.EndOf(call.EndNoAnswer, "rang without an answer"), false
		}
		return a.RingFor, call.EndReason{}, true
	case leg.RefuseRing:
		return patience, call.EndOf(call.EndNoAnswer, "rang without an answer"), false
	case leg.RefuseBusy:
		return 0, call.EndOf(call.EndBusy, "486 Busy Here"), false
	case leg.RefuseDecline:
		return 0, call.EndOf(call.EndDeclined, "603 Decline"), false
	case leg.RefuseUnknown:
		return 0, call.EndOf(call.EndUnreachable, "404 Not Found"), false
	case leg.RefuseOverload:
		return 0, call.EndOf(call.EndUnreachable, "503 Service Unavailable"), false
	}
	return 0, call.EndOf(call.EndUnreachable, fmt.Sprintf("refused: %s", a.Refuse)), false
}
