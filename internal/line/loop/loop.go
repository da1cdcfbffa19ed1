// Package loop is a line without a network. It joins a Party with one from a leg.Answerer in memory and in
// virtual time, so that a call of a minute takes milliseconds and the same seed gives the same bytes.
//
// It has the same contract as line/sip (both pass line/linetest). Experiments run over it in tests and
// in the loop benchmark. A Party that waits for slow work (leg.Awaiter) is awaited before each frame.
package loop

import (
	"context"
	"fmt"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
)

// Options configure a Line.
type Options struct {
	// Rate is the sample rate in Hz, a multiple of 50; 0 is 8000.
	Rate int
	// Answerer decides about every call and provides the Party that takes it. It must be set.
	Answerer leg.Answerer
	// Start returns the wall time at which a call starts; later times follow from media time.
	// nil means the Unix epoch, the same for every call.
	Start func() time.Time
	// Delay is the delay of each direction in frames.
	Delay int
	// Impairment degrades what each side hears of the other.
	Impairment Impairment
}

// usualRate is the default sample rate, that of the telephone.
const usualRate = 8000

// usualRing is the default ring timeout.
const usualRing = 60 * time.Second

// longest is the default maximum duration of a call.
const longest = 4 * time.Hour

// Line places calls in memory. It is safe for concurrent use.
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

// Place makes a call and returns when it is over. Failures are reported as end reasons. The
// reason is zero if our own Party hung up, since only the Party knows why. If ctx ends, the
// reason is EndInterrupted with the detail "canceled".
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

// ring returns how long a call rang and whether it was answered.
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
