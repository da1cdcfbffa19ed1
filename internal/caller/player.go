package caller

import (
	"context"
	"fmt"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// player is the mind that follows a script.
type player struct {
	c *Caller
	// stack holds the lists of steps being played, innermost last.
	stack []cursor
	// now is the current step, nil between steps.
	now *scenario.Step
	// index is the position of the current step (or of the outermost one around it) in the
	// script, here the full path to it.
	index int
	here  string
	began time.Duration
	// acted is true once the step has acted; the step is over when the speech or the keys are out.
	acted bool
	// heard is true if the agent has spoken during the step.
	heard   bool
	repeats int
	// searched is the recognised text that was already searched in vain for the words waited
	// for, so that it is not searched again in every frame.
	searched string
	// unanswered is true if the agent had not answered the caller's last line when the caller
	// gave up waiting for words.
	unanswered bool
	// last is the line that the caller said last.
	last string
	done bool
}

// cursor is a position in a list of steps.
type cursor struct {
	steps []scenario.Step
	next  int
	path  string
	// fallback marks steps that are played only because the agent never said the words waited for.
	fallback bool
}

func newPlayer(c *Caller) *player {
	return &player{c: c, stack: []cursor{{steps: c.item.Input.Script, path: "script"}}}
}

func (p *player) await(context.Context, time.Duration) error { return nil }

// due implements mind: while the caller waits for the agent, it is the agent's turn until that is over.
func (p *player) due() call.Blame {
	if (p.now == nil || p.waits()) && !p.c.agent.turnOver(p.c.at) {
		return call.BlameAgent
	}
	return call.BlameCaller
}

func (p *player) waits() bool {
	s := p.now
	return s.WaitForAgent != nil || s.WaitForWords != nil || s.Interrupt != nil || s.Backchannel != nil ||
		s.RepeatIfMisunderstood != nil || s.Branch != nil
}

// step plays steps until one has to wait.
func (p *player) step() {
	c := p.c
	for !c.leaving && !c.voice.busy() && c.at >= c.pressing {
		if p.now == nil && !p.advance() {
			p.finish()
			return
		}
		if !p.run() {
			return
		}
		p.now = nil
	}
}

// advance begins the next step. It returns false at the end of the script.
func (p *player) advance() bool {
	for len(p.stack) > 0 {
		top := &p.stack[len(p.stack)-1]
		if top.next == len(top.steps) {
			p.stack = p.stack[:len(p.stack)-1]
			continue
		}
		p.now = &top.steps[top.next]
		p.here = fmt.Sprintf("%s[%d]", top.path, top.next)
		top.next++
		p.began, p.acted, p.heard, p.repeats, p.searched = p.c.at, false, false, 0, ""
		p.index = p.stack[0].next - 1
		p.c.now(call.KindStep, p.place())
		return true
	}
	return false
}

// place returns the current step as data for the timeline.
func (p *player) place() map[string]any {
	return map[string]any{"index": p.index, "step": p.now.Actions()[0], "path": p.here}
}

// finish ends the call after the last step: it lets the agent finish its turn, then says goodbye.
func (p *player) finish() {
	if !p.done {
		p.done = true
		p.c.now(call.KindScriptDone, nil)
	}
	if p.c.agent.turnOver(p.c.at) {
		p.c.sayGoodbye(call.EndOf(call.EndCompleted, ""))
		return
	}
	p.c.bear(p.c.silenceLimit())
}

// farHungUp implements mind. If the agent hangs up after answering, when the caller has nothing
// left to say, press or listen for, the call ends as if the caller had hung up: it does not matter who is first.
func (p *player) farHungUp() {
	if p.done || p.c.leaving || !p.c.agent.answered || p.c.voice.busy() {
		return
	}
	if p.now != nil && !passive(p.now) {
		return
	}
	givesUp := false
	for _, part := range p.stack {
		for i := part.next; i < len(part.steps); i++ {
			if !passive(&part.steps[i]) {
				return
			}
			givesUp = givesUp || part.fallback && part.steps[i].HangUp
		}
	}
	if givesUp {
		p.c.leave(p.wordsNeverCame())
		return
	}
	p.done = true
	p.c.now(call.KindScriptDone, map[string]any{"by": "agent"})
}

// passive reports whether a step only makes the caller listen, stay silent or hang up.
func passive(s *scenario.Step) bool {
	return s.WaitForAgent != nil || s.StaySilentMS != 0 || s.HangUp
}

// run plays the current step and reports whether it is over.
func (p *player) run() bool {
	s := p.now
	switch {
	case s.Say != "":
		return p.once(func() { p.say(s.Say, call.MannerPlain) })
	case s.Press != "":
		return p.once(func() { p.c.press(s.Press) })
	case s.StaySilentMS != 0:
		return p.staySilent(s.StaySilentMS)
	case s.WaitForAgent != nil:
		return p.waitForAgent(s.WaitForAgent)
	case s.WaitForWords != nil:
		return p.waitForWords(s.WaitForWords)
	case s.Interrupt != nil:
		return p.interject(s.Interrupt, call.MannerInterrupt)
	case s.Backchannel != nil:
		return p.interject(s.Backchannel, call.MannerBackchannel)
	case s.RepeatIfMisunderstood != nil:
		return p.repeat(s.RepeatIfMisunderstood)
	case s.Branch != nil:
		return p.branch(s.Branch)
	case s.HangUp:
		p.hangUp()
	}
	return true
}

// once calls act the first time; the step is over when it is next called.
func (p *player) once(act func()) bool {
	if p.acted {
		return true
	}
	p.acted = true
	act()
	return false
}

func (p *player) say(text string, manner call.Manner) {
	text = p.c.item.Fill(text)
	if manner != call.MannerBackchannel {
		p.last = text
	}
	p.c.say(text, manner)
}

func (p *player) staySilent(ms int) bool {
	// The caller's own silence must not count against the agent.
	p.c.lastSound = max(p.c.lastSound, p.c.at)
	return p.c.at-p.began >= millis(ms, 0)
}

func (p *player) waitForAgent(w *scenario.WaitForAgent) bool {
	if p.c.agent.turnOver(p.c.at) {
		return true
	}
	p.c.bear(millis(w.TimeoutMS, p.c.silenceLimit()))
	return false
}

// push enters the steps nested in a step. Inside a fallback they are a fallback, too.
func (p *player) push(steps []scenario.Step, path string) {
	n := len(p.stack)
	p.stack = append(p.stack, cursor{steps: steps, path: path, fallback: n > 0 && p.stack[n-1].fallback})
}

// fallBack enters the steps for when the agent did not do what a step waited for.
func (p *player) fallBack(steps []scenario.Step, path string) {
	p.stack = append(p.stack, cursor{steps: steps, path: path, fallback: true})
}

// interject speaks over the agent. If the agent stops before the moment has come, an
// interruption is said as a plain line, and an "mm-hm" is dropped.
func (p *player) interject(i *scenario.Interject, manner call.Manner) bool {
	c := p.c
	if p.acted {
		return true
	}
	p.heard = p.heard || c.agent.speaking
	switch {
	case p.heard && c.agent.talking(c.at) && c.at-c.agent.talk >= millis(i.AfterMS, 0):
		p.acted = true
		p.say(i.Say, manner)
	case p.heard && !c.agent.speaking && c.at-c.agent.ended >= c.agent.patience:
		p.acted = true
		place := p.place()
		place["missed"] = "the agent had stopped before"
		c.now(call.KindStep, place)
		if manner == call.MannerInterrupt {
			p.say(i.Say, call.MannerPlain)
		}
	case !c.agent.speaking:
		c.bear(c.silenceLimit())
	}
	return p.acted && !c.voice.busy()
}

// hangUp ends the call as scripted. Within a fallback, the script does not count as completed.
func (p *player) hangUp() {
	if n := len(p.stack); n > 0 && p.stack[n-1].fallback {
		p.c.leave(p.wordsNeverCame())
		return
	}
	p.done = true
	p.c.now(call.KindScriptDone, nil)
	p.c.leave(call.EndOf(call.EndCompleted, ""))
}
