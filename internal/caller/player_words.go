package caller

import (
	"cmp"
	"fmt"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// defaultWordsTimeout is the timeout of a wait_for_words step without one.
const defaultWordsTimeout = 20 * time.Second

func (p *player) waitForWords(w *scenario.WaitForWords) bool {
	c := p.c
	if text := c.hears.text; text != p.searched && c.turnHeard() {
		if holdsAny(text, w.Any) != "" {
			return true
		}
		p.searched = text
	}
	limit, waited := millis(w.TimeoutMS, defaultWordsTimeout), c.at-p.began
	// An agent in the middle of its turn may finish, but the wait is bounded.
	midTurn := c.agent.answered && !c.turnHeard()
	if waited >= limit && (!midTurn || waited >= 2*limit) {
		p.missWords(w)
		return true
	}
	if !c.hears.waiting() {
		c.bear(c.silenceLimit())
	}
	return false
}

func (p *player) missWords(w *scenario.WaitForWords) {
	p.c.now(call.KindWordsMissed, map[string]any{"path": p.here})
	p.unanswered = !p.c.agent.answered
	if len(w.Otherwise) > 0 {
		p.fallBack(w.Otherwise, p.here+".wait_for_words.otherwise")
		return
	}
	p.c.now(call.KindGaveUp, map[string]any{"why": "words"})
	p.c.sayGoodbye(p.wordsNeverCame())
}

// wordsNeverCame returns the end reason for a caller that gave up waiting for words. An agent
// that has said nothing since the caller last spoke is to blame for the silence.
func (p *player) wordsNeverCame() call.EndReason {
	if p.unanswered && !p.c.agent.answered {
		return call.EndOf(call.EndSilence, "").Blaming(call.BlameAgent)
	}
	return call.EndOf(call.EndCallerHungUp, "the words waited for never came")
}

// defaultRepeats is the limit of a repeat_if_misunderstood step without one.
const defaultRepeats = 2

func (p *player) repeat(r *scenario.Repeat) bool {
	c := p.c
	if !c.turnHeard() {
		p.bearTurn()
		return false
	}
	times := cmp.Or(r.Times, defaultRepeats)
	again := holdsAny(c.hears.text, r.Words) != "" || len(r.Words) == 0 && c.talks.wantsAgain(c.hears.text)
	if p.last == "" || p.repeats >= times || !again {
		return true
	}
	p.repeats++
	c.now(call.KindRepeated, map[string]any{"path": p.here, "time": p.repeats})
	c.say(p.last, call.MannerPlain)
	return false
}

func (p *player) branch(b *scenario.Branch) bool {
	c := p.c
	if !c.turnHeard() {
		p.bearTurn()
		return false
	}
	for i, cs := range b.Cases {
		if holdsAny(c.hears.text, cs.Any) != "" {
			c.now(call.KindBranched, map[string]any{"path": p.here, "case": i})
			p.push(cs.Then, fmt.Sprintf("%s.branch.cases[%d].then", p.here, i))
			return true
		}
	}
	c.now(call.KindBranched, map[string]any{"path": p.here, "case": "otherwise"})
	p.push(b.Otherwise, p.here+".branch.otherwise")
	return true
}

// bearTurn counts the agent's silence, but not the time that the caller's ears take after its turn.
func (p *player) bearTurn() {
	if !p.c.agent.turnOver(p.c.at) {
		p.c.bear(p.c.silenceLimit())
	}
}
