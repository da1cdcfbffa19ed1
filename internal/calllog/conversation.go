package calllog

import (
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog/lenient"
)

// Untold marks a time that a record does not tell.
const Untold time.Duration = -1

const (
	maxTurns  = 10_000
	maxStages = 1_000
)

// Conversation builds the transcript of a call piece by piece. Its zero value is ready for use.
type Conversation struct {
	turns  []call.Turn
	stages []call.Stage
	// firsts is preallocated room for the first segment of the next turns.
	firsts []call.Segment
	tools  tools
	// pressed are the keys that were pressed, and other the items of unknown kinds.
	pressed, other []any
	// text collects the text of the last, still open turn when it has several pieces.
	text []byte
	// said is the amount of speech in bytes, and pieces the number of utterances of the caller and of
	// the agent.
	said   int
	pieces [2]int
	// sides are the names that the sides go by in plain texts.
	sides []side
	// guide is a plain text that the utterances are matched with; nil without one.
	guide *guide
	// mute makes Say do nothing, because the speech is complete already.
	mute bool
	// waits says that something has happened since the last speech that the agent must react to: a
	// function was called, or keys were pressed.
	waits bool
	// last is the latest time told so far.
	last time.Duration
}

// Expect makes room for the given number of utterances.
func (c *Conversation) Expect(utterances int) {
	c.turns = slices.Grow(c.turns, min(utterances, maxTurns-len(c.turns)))
}

// Utterance is one stretch of speech.
type Utterance struct {
	Speaker call.Speaker
	// By is who spoke on that side; see call.Turn.
	By string
	// Start and End are relative to the start of the call, or Untold.
	Start, End time.Duration
	Text       string
	// Words belong to the Conversation once passed to Say.
	Words []call.Word
}

// Say adds speech. Consecutive utterances of one side become one turn.
func (c *Conversation) Say(u Utterance) {
	switch {
	case u.Text == "" || c.mute:
		return
	case c.guide != nil:
		c.lead(u)
	}
	c.say(u)
	c.said += len(u.Text)
	if u.Speaker == call.Agent {
		c.pieces[1]++
	} else {
		c.pieces[0]++
	}
}

func (c *Conversation) say(u Utterance) {
	if u.Text == "" {
		return
	}
	if u.Start >= 0 {
		u.End = max(u.End, u.Start)
		c.last = max(c.last, u.End)
	} else {
		u.Start, u.End = Untold, Untold
	}
	c.waits = false
	if n := len(c.turns); n == 0 || c.turns[n-1].Speaker != u.Speaker || c.turns[n-1].By != u.By {
		if n == maxTurns {
			return
		}
		c.close()
		c.turns = append(c.turns, call.Turn{Index: n, Speaker: u.Speaker, By: u.By, Start: u.Start, End: u.End})
	}
	t := &c.turns[len(c.turns)-1]
	c.write(t, u.Text)
	if t.Start < 0 {
		t.Start = u.Start
	}
	t.End = max(t.End, u.End)
	t.Words = joined(t.Words, u.Words)
	if u.End > u.Start {
		t.Segments = append(c.room(t), call.Segment{Start: u.Start, End: u.End})
	}
}

// joined appends more to words. It does not copy them when they are the first.
func joined(words, more []call.Word) []call.Word {
	if len(words) == 0 && len(more) > 0 {
		return slices.Clip(more)
	}
	return append(words, more...)
}

// room returns the turn's segments, the first of them from a shared allocation.
func (c *Conversation) room(t *call.Turn) []call.Segment {
	const many = 32
	if t.Segments != nil {
		return t.Segments
	}
	if len(c.firsts) == 0 {
		c.firsts = make([]call.Segment, many)
	}
	first := c.firsts[:0:1]
	c.firsts = c.firsts[1:]
	return first
}

// write appends text to the last turn.
func (c *Conversation) write(t *call.Turn, text string) {
	if t.Text == "" {
		t.Text = text
		return
	}
	if len(c.text) == 0 {
		c.text = append(c.text, t.Text...)
	}
	c.text = append(append(c.text, ' '), text...)
}

// close completes the text of the last turn.
func (c *Conversation) close() {
	if len(c.text) > 0 {
		c.turns[len(c.turns)-1].Text = string(c.text)
	}
	c.text = c.text[:0]
}

// Enter adds a stage entered at the given time, or at the latest time told when that is negative.
func (c *Conversation) Enter(name string, at time.Duration) {
	if name == "" || len(c.stages) == maxStages {
		return
	}
	if at < 0 {
		at = Untold
		if c.Timed() {
			at = c.last
		}
	}
	c.last = max(c.last, at)
	c.stages = append(c.stages, call.Stage{Name: name, At: at, Turn: len(c.turns)})
}

// Begin adds the stage in which the call began, unless there are stages already.
func (c *Conversation) Begin(name string) {
	if name != "" && len(c.stages) == 0 {
		c.stages = append(c.stages, call.Stage{Name: name})
	}
}

// Press adds keys that the caller pressed. It is then the agent's turn.
func (c *Conversation) Press(keys string) {
	if keys == "" || len(c.pressed) == maxTools {
		return
	}
	c.pressed = append(c.pressed, map[string]any{"digit": keys, "turn": len(c.turns)})
	c.waits = len(c.turns) > 0
}

// Wonder keeps an item of an unknown kind.
func (c *Conversation) Wonder(item lenient.Object) {
	if len(c.other) < maxTools {
		c.other = append(c.other, item.Whole())
	}
}

// Timed reports whether there are turns and all of them have times.
func (c *Conversation) Timed() bool {
	for i := range c.turns {
		if c.turns[i].Start < 0 {
			return false
		}
	}
	return len(c.turns) > 0
}

// Due returns who is to blame if the call stops here: the side whose turn it is to speak.
func (c *Conversation) Due() call.Blame {
	switch n := len(c.turns); {
	case n == 0:
		return call.BlameUndecided
	case c.waits || c.turns[n-1].Speaker == call.Caller:
		return call.BlameAgent
	default:
		return call.BlameCaller
	}
}

// Empty reports whether nothing has been added.
func (c *Conversation) Empty() bool { return len(c.turns)+len(c.tools.calls)+len(c.stages) == 0 }

// Turns returns the number of turns so far.
func (c *Conversation) Turns() int { return len(c.turns) }

// Fill writes the conversation to a record, and what has no place there to words, which may be nil.
// Nothing may be added afterwards.
func (c *Conversation) Fill(r *Record, words *Words) {
	c.close()
	if len(c.pressed) > 0 && words != nil {
		words.Keep("dtmf", c.pressed)
	}
	if len(c.other) > 0 && words != nil {
		words.Keep("transcript_items", c.other)
	}
	r.Turns, r.ToolCalls, r.Stages, r.Timed = c.turns, c.tools.calls, c.stages, c.Timed()
}
