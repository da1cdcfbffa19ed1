package caller

import (
	"context"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

const (
	defaultPatience    = 700 * time.Millisecond
	defaultMaxDuration = 300 * time.Second
	defaultMaxSilence  = 10 * time.Second
	defaultMaxTurns    = 30
	defaultHearTime    = 800 * time.Millisecond
	defaultThinkTime   = 1200 * time.Millisecond

	// tail is the silence between the last word or key and the hang-up, so that no jitter buffer
	// at the far end cuts it off.
	tail = 200 * time.Millisecond
	// keyTime is how long a telephone key and the pause after it take.
	keyTime = 200 * time.Millisecond
	// earsGiveUp is how long, on a live line, the caller waits for an overdue result of the ears.
	earsGiveUp = 10 * time.Second
)

// mind decides what the caller does.
type mind interface {
	// step is called for every frame in which the caller is neither speaking nor pressing keys
	// nor hanging up.
	step()
	// due returns who is expected to speak now.
	due() call.Blame
	// farHungUp is called when the far end has ended the call.
	farHungUp()
	// await blocks until the mind's own results that may take effect at at have been delivered.
	await(ctx context.Context, at time.Duration) error
}

// Caller is the simulated person on one call. It implements leg.Party and leg.Awaiter and is
// used for one call only.
type Caller struct {
	// The fields used in every frame come first, so that they share cache lines.
	at      time.Duration
	longest time.Duration // how long the call may last
	silence time.Duration // how long the caller tolerates the agent's silence
	leaveAt time.Duration
	// pressing is when the current keys will have been pressed.
	pressing time.Duration
	// lastSound is when either side was last heard or a key was pressed. prompted is true if
	// the caller has since asked whether anybody is there.
	lastSound time.Duration
	prompted  bool
	// leaving is true once the caller has decided to end the call, gone once it has hung up.
	leaving, gone bool
	// digits are the keys to press with this frame.
	digits string
	mind   mind
	agent  agent
	voice  voice
	hears  hearing

	timeline []call.Event
	reason   call.EndReason
	rate     int
	talks    phrases
	opts     Options
	item     scenario.Item

	ctx    context.Context
	cancel context.CancelFunc
}

// Begin implements leg.Party.
func (c *Caller) Begin(rate int) {
	c.rate = rate
	c.agent.begin(rate)
	c.voice.begin(rate, c.opts.Lines)
	c.timeline = make([]call.Event, 0, 64)
}

// Step implements leg.Party.
func (c *Caller) Step(in, out *leg.Frame) {
	c.at = in.At
	if c.gone {
		return
	}
	c.listen(in)
	if in.Early {
		return // the far end would not hear it
	}
	c.decide(out)
	c.utter(out)
	if c.leaving && !c.voice.busy() && c.at >= c.leaveAt {
		out.HangUp = true
		c.gone = true
	}
}

// decide runs the mind, unless there is nothing left to decide.
func (c *Caller) decide(out *leg.Frame) {
	if c.at >= c.longest {
		c.expire()
		return
	}
	if !c.leaving && !c.voice.busy() && c.at >= c.pressing {
		c.mind.step()
	}
	out.Digits, c.digits = c.digits, ""
}

// expire ends the call because it has reached its maximum duration. A call that was already
// being ended keeps its reason.
func (c *Caller) expire() {
	if !c.leaving {
		c.leaving, c.reason = true, call.EndOf(call.EndMaxDuration, "").Blaming(c.due())
	}
	if c.voice.busy() {
		c.now(call.KindCut, nil)
		c.stopTalking()
	}
	c.leaveAt = c.at
}

// leave ends the call for the given reason.
func (c *Caller) leave(reason call.EndReason) {
	if c.leaving {
		return
	}
	c.leaving, c.reason = true, reason
	c.leaveAt = max(c.at, c.pressing) + tail
}

// sayGoodbye ends the call for the given reason after saying goodbye.
func (c *Caller) sayGoodbye(reason call.EndReason) {
	if c.leaving {
		return
	}
	c.leave(reason)
	c.say(c.talks.goodbye, call.MannerPlain)
}

// bear checks for how long the agent has been silent while the caller waits for it. After limit
// the caller asks once whether anybody is there; after limit again it gives up.
func (c *Caller) bear(limit time.Duration) {
	if c.at-c.lastSound < limit {
		return
	}
	if !c.prompted {
		c.prompted = true
		c.now(call.KindPrompted, nil)
		c.say(c.talks.prompt, call.MannerPlain)
		return
	}
	c.now(call.KindGaveUp, map[string]any{"why": "silence"})
	c.sayGoodbye(call.EndOf(call.EndSilence, "").Blaming(call.BlameAgent))
}

// End implements leg.Party.
func (c *Caller) End(at time.Duration, hungUpByFar bool) {
	c.at = at
	c.stopTalking()
	if c.agent.open && !c.agent.speaking {
		c.agentEnds()
	}
	if hungUpByFar && !c.gone {
		c.mind.farHungUp()
	}
	c.cancel()
}

// Await implements leg.Awaiter.
func (c *Caller) Await(ctx context.Context, at time.Duration) error {
	if err := c.hears.box.Await(ctx, at); err != nil {
		return err
	}
	return c.mind.await(ctx, at)
}

// Timeline returns what happened, ordered by media time. It must be called after the call.
func (c *Caller) Timeline() []call.Event {
	events := slices.Clone(c.timeline)
	slices.SortStableFunc(events, func(a, b call.Event) int { return int(a.At - b.At) })
	return events
}

// Ending returns why the caller ended the call, or was about to when the far end did; zero if neither.
func (c *Caller) Ending() call.EndReason { return c.reason }

// Close stops pending slow work and closes the ears. It must be called after the call.
func (c *Caller) Close() {
	c.cancel()
	if c.hears.ears != nil {
		c.hears.ears.Close()
		c.hears.ears = nil
	}
}

// due returns who is expected to speak now.
func (c *Caller) due() call.Blame {
	if c.voice.busy() {
		return call.BlameCaller
	}
	return c.mind.due()
}

// silenceLimit returns how long the caller tolerates the agent's silence.
func (c *Caller) silenceLimit() time.Duration {
	return c.silence
}

// now adds an event at the current frame to the timeline.
func (c *Caller) now(kind call.Kind, data map[string]any) {
	c.note(call.Event{At: c.at, Kind: kind, Data: data})
}

// fault records a failure of our own, which makes the call void. The verdict shows only the
// part of the reason that problem.Behind considers safe to show.
func (c *Caller) fault(what string, err error) {
	c.now(call.KindOurFault, map[string]any{"what": problem.Behind(what, err), "error": err.Error()})
}

// noAnswer returns the error for slow work that was given up.
func noAnswer() error { return problem.New(problem.Unavailable, "it did not answer in time") }

// note adds an event to the timeline.
func (c *Caller) note(e call.Event) {
	c.timeline = append(c.timeline, e)
	if c.opts.Notify != nil {
		c.opts.Notify(e)
	}
}
