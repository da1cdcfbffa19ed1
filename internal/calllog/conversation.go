package calllog

import (
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog/lenient"
)

// Untold marks a place in time that a record does not tell.
const Untold time.Duration = -1

const (
	maxTurns  = 10_000
	maxStages = 1_000
)

// Conversation puts together what a record tells piece by piece. Its zero value
// is ready for use.
type Conversation struct {
	turns  []call.Turn
	stages []call.Stage
	// firsts is room for the first segment of each of the next turns.
	firsts []call.Segment
	tools  tools
	// pressed are the keys of the telephone, and other what nobody knew.
	pressed, other []any
	// text is that of the last turn while it is still open, if it has more than one piece.
	text []byte
	// said is how much was said, in bytes, and pieces in how many pieces by the caller and by the agent.
	said   int
	pieces [2]int
	// sides have names of their own in plain texts.
	sides []side
	// guide is a text along which speech is said, nil without one.
	guide *guide
	// mute says that what is said is known already.
	mute bool
	// waits says that a function was called since somebody last spoke.
	waits bool
	// last is the latest time that was told.
	last time.Duration
}

// Expect makes room for as many utterances.
func (c *Conversation) Expect(utterances int) {
	c.turns = slices.Grow(c.turns, min(utterances, maxTurns-len(c.turns)))
}

// Utterance is one stretch of speech as a record tells it.
type Utterance struct {
	Speaker call.Speaker
	// By is who spoke on that side, see call.Turn.
	By string
	// Start and End are since the start of the call, or Untold.
	Start, End time.Duration
	Text       string
	// Words are the turn's once they are said.
	Words []call.Word
}

// Say adds speech. What one side says in a row is one turn.
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

// joined are the words of a turn with those of its next piece, which need not be
// copied when they are the first.
func joined(words, more []call.Word) []call.Word {
	if len(words) == 0 && len(more) > 0 {
		return slices.Clip(more)
	}
	return append(words, more...)
}

// room is the turn's segments, with room for a first one from what is made for many.
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

// write adds to the text of the last turn.
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

// close gives the last turn its text.
func (c *Conversation) close() {
	if len(c.text) > 0 {
		c.turns[len(c.turns)-1].Text = string(c.text)
	}
	c.text = c.text[:0]
}

// Enter adds a stage that was entered at that time, or at what was told last before it.
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

// Begin adds the stage in which the call began.
func (c *Conversation) Begin(name string) {
	if name != "" && len(c.stages) == 0 {
		c.stages = append(c.stages, call.Stage{Name: name})
	}
}

// Press adds keys that the caller pressed. It is the agent's turn then.
func (c *Conversation) Press(keys string) {
	if keys == "" || len(c.pressed) == maxTools {
		return
	}
	c.pressed = append(c.pressed, map[string]any{"digit": keys, "turn": len(c.turns)})
	c.waits = len(c.turns) > 0
}

// Wonder keeps an item that nobody knows.
func (c *Conversation) Wonder(item lenient.Object) {
	if len(c.other) < maxTools {
		c.other = append(c.other, item.Whole())
	}
}

// Timed reports whether every turn has its time.
func (c *Conversation) Timed() bool {
	for i := range c.turns {
		if c.turns[i].Start < 0 {
			return false
		}
	}
	return len(c.turns) > 0
}

// Due is who is to blame when the call stops here: whose turn it was to speak.
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

// Turns is how many turns there are so far.
func (c *Conversation) Turns() int { return len(c.turns) }

// Fill lays the conversation into a record, and what has no place there into
// words, which may be nil. Nothing may be added afterwards.
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
