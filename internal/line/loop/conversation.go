package loop

import (
	"context"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
)

// side is one end of the line: its Party, its outgoing audio and what it is about to hear.
type side struct {
	party   leg.Party
	awaiter leg.Awaiter
	own     int // its channel on both tapes
	in, out leg.Frame
	path    path // its audio on the way to the other side
	tape    *leg.Tape
}

// conversation is an answered call.
type conversation struct {
	dial          leg.Dial
	rate          int
	caller, agent side
	frames        int64
	timeline      []call.Event
}

func newConversation(o Options, d leg.Dial, p leg.Party, t *leg.Tape, a leg.Answer) *conversation {
	c := &conversation{dial: d, rate: o.Rate}
	seed := o.Impairment.seedFor(d)
	toAgent, toCaller := o, o
	if o.Impairment.ToCallerOnly {
		toAgent.Impairment = Impairment{}
	}
	if o.Impairment.ToAgentOnly {
		toCaller.Impairment = Impairment{}
	}
	c.caller = newSide(toAgent, p, t, leg.CallerChannel, seed)
	c.agent = newSide(toCaller, a.Party, a.Tape, leg.AgentChannel, seed+1)
	c.timeline = append(make([]call.Event, 0, 8), call.Event{Kind: call.KindAnswered})
	return c
}

func newSide(o Options, p leg.Party, t *leg.Tape, own int, seed uint64) side {
	if t == nil {
		t = leg.NewTape(0)
	}
	n := leg.Samples(o.Rate)
	s := side{party: p, own: own, tape: t, path: newPath(o, n, seed)}
	s.awaiter, _ = p.(leg.Awaiter)
	s.in.PCM, s.out.PCM = make([]int16, n), make([]int16, n)
	return s
}

// run steps the call frame by frame. The caller goes first within a frame: without delay, the
// agent hears it in the same frame, and the caller hears the agent one frame later.
func (c *conversation) run(ctx context.Context) (time.Duration, call.EndReason) {
	c.caller.tape.Begin(c.rate)
	c.agent.tape.Begin(c.rate)
	c.caller.party.Begin(c.rate)
	c.agent.party.Begin(c.rate)
	most := c.dial.MaxDuration
	if most <= 0 {
		most = longest
	}
	for {
		at := time.Duration(c.frames) * leg.FrameTime
		if at >= most {
			return c.end(at, "line", call.EndOf(call.EndMaxDuration, ""))
		}
		if c.frames%50 == 0 && ctx.Err() != nil || !c.caller.wait(ctx, at) || !c.agent.wait(ctx, at) {
			return c.end(at, "line", call.EndOf(call.EndInterrupted, "canceled"))
		}
		c.step(at)
		switch done := at + leg.FrameTime; {
		case c.caller.out.HangUp:
			return c.end(done, "caller", call.EndReason{})
		case c.agent.out.HangUp:
			return c.end(done, "agent", call.EndOf(call.EndAgentHungUp, ""))
		}
	}
}

func (s *side) wait(ctx context.Context, at time.Duration) bool {
	return s.awaiter == nil || s.awaiter.Await(ctx, at) == nil
}

func (c *conversation) step(at time.Duration) {
	pos := c.frames * int64(len(c.caller.in.PCM))
	c.caller.begin(at)
	c.agent.begin(at)
	c.hear(&c.caller, &c.agent.path)
	c.caller.party.Step(&c.caller.in, &c.caller.out)
	c.say(&c.caller, pos)
	c.hear(&c.agent, &c.caller.path)
	c.agent.party.Step(&c.agent.in, &c.agent.out)
	c.say(&c.agent, pos)
	c.notes(at)
	c.frames++
}

// say records a side's frame on its own tape and sends it.
func (c *conversation) say(s *side, pos int64) {
	s.tape.Write(s.own, pos, s.out.PCM)
	s.path.enter(&s.out, pos)
}

// hear gives a side the frame that arrives now. On tape it is stored where it arrived, which
// for the caller precedes the frame in which it is heard.
func (c *conversation) hear(s *side, from *path) {
	if arrived := from.leave(&s.in); arrived >= 0 && !s.in.Missing {
		s.tape.Write(1-s.own, arrived, s.in.PCM)
	}
}

// rest records what had arrived by the end of the call but was not heard any more.
func (c *conversation) rest(s *side, from *path) {
	end := c.frames * int64(len(s.in.PCM))
	for from.filled > 0 {
		clear(s.in.PCM)
		s.in.Missing = false
		if arrived := from.leave(&s.in); arrived >= 0 && arrived < end && !s.in.Missing {
			s.tape.Write(1-s.own, arrived, s.in.PCM)
		}
	}
}

func (s *side) begin(at time.Duration) {
	clear(s.in.PCM)
	clear(s.out.PCM)
	s.in = leg.Frame{At: at, PCM: s.in.PCM}
	s.out = leg.Frame{At: at, PCM: s.out.PCM}
}

func (c *conversation) notes(at time.Duration) {
	for _, key := range c.caller.out.Digits {
		c.note(at, call.KindDigitSent, map[string]any{"digit": string(key)})
	}
	for _, key := range c.caller.in.Digits {
		c.note(at, call.KindDigitReceived, map[string]any{"digit": string(key)})
	}
}

func (c *conversation) note(at time.Duration, kind call.Kind, data map[string]any) {
	c.timeline = append(c.timeline, call.Event{At: at, Kind: kind, Data: data})
}

// end tells both Parties who ended the call, and returns its length and the reason.
func (c *conversation) end(at time.Duration, by string, why call.EndReason) (time.Duration, call.EndReason) {
	c.rest(&c.caller, &c.agent.path)
	c.rest(&c.agent, &c.caller.path)
	c.note(at, call.KindHangUp, map[string]any{"by": by})
	c.caller.party.End(at, by == "agent")
	c.agent.party.End(at, by == "caller")
	return at, why
}

// stats returns the statistics of the caller's end.
func (c *conversation) stats() call.LineStats {
	s := call.LineStats{Sent: c.frames, RemoteLost: c.caller.path.lost}
	p := &c.agent.path
	s.Received, s.Lost, s.Bursts = p.passed, p.lost, p.bursts
	s.LongestGap = time.Duration(p.longest+1) * leg.FrameTime
	return s
}
