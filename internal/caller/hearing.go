package caller

import (
	"strings"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
)

// hearing holds the words the caller understands, turn by turn.
type hearing struct {
	ears leg.Ears // nil if the scenario needs no words
	box  leg.Mailbox[leg.Words]
	// turns holds, for each open letter, the number of the agent's turn it is about.
	turns []int
	// turn counts the caller's own lines: the agent's turn after the n-th line has number n.
	turn int
	// text is what was understood of the agent's current turn.
	text string
	// asked is true if the words of everything heard so far have been requested.
	asked bool
}

// waiting reports whether words of the agent's current turn are still to come.
func (h *hearing) waiting() bool {
	return len(h.turns) > 0 && h.turns[len(h.turns)-1] == h.turn
}

// followWords requests the words of a turn that is over and takes the results that are due.
func (c *Caller) followWords() {
	h, a := &c.hears, &c.agent
	if h.ears == nil {
		return
	}
	if a.known && !a.speaking && !h.asked && c.at-a.ended >= a.patience {
		c.askWords()
	}
	for {
		words, late, ok := h.box.Take(c.at)
		if !ok {
			break
		}
		turn := h.turns[0]
		h.turns = h.turns[1:]
		c.takeWords(words, turn)
		if late > leg.FrameTime {
			c.now(call.KindLate, map[string]any{"what": "words", "late_ms": late.Milliseconds()})
		}
	}
	if h.box.Overdue(c.at) > earsGiveUp {
		h.box.Forget()
		h.turns = nil
		c.fault("ears", noAnswer())
	}
}

// askWords requests the words of everything heard since the last request. Words that do not
// answer the caller's last line belong to the previous turn.
func (c *Caller) askWords() {
	h := &c.hears
	turn := h.turn
	if !c.agent.answered {
		turn--
	}
	h.asked = true
	h.turns = append(h.turns, turn)
	due := c.at + c.opts.HearTime
	from := due
	if c.item.NeedsModel() {
		from = c.at
	}
	h.ears.Words(h.box.ExpectFrom(from, due))
}

func (c *Caller) takeWords(words leg.Words, turn int) {
	if words.Err != nil {
		c.fault("ears", words.Err)
		return
	}
	text := strings.TrimSpace(words.Text)
	if text == "" {
		return
	}
	c.note(call.Event{At: c.at, Kind: call.KindWords, Text: text})
	if turn == c.hears.turn {
		c.hears.text = strings.TrimSpace(c.hears.text + " " + text)
	}
}

// turnHeard reports whether the agent's turn is over and its words are known.
func (c *Caller) turnHeard() bool {
	return c.agent.turnOver(c.at) && c.hears.asked && !c.hears.waiting()
}

// takeTurn records that the caller starts speaking or pressing keys, which closes the agent's turn.
func (c *Caller) takeTurn() {
	if c.hears.ears != nil && c.agent.known && !c.hears.asked {
		c.askWords()
	}
	c.agent.spokenTo(c.at)
	c.hears.turn++
	c.hears.text = ""
}
