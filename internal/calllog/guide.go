package calllog

import (
	"strings"

	"github.com/ringtrue/ringtrue/internal/call"
)

// guide is a plain-text transcript that the utterances of a list are matched with. The list may
// lack a side, its beginning or its end; what it lacks is taken from the text.
type guide struct {
	turns []call.Turn
	// at is the current turn, and rest what of its text has not been matched yet.
	at   int
	rest string
	// lost says that an utterance was not found: the two do not describe the same conversation.
	lost bool
}

// FillIn adds what a plain text has and the utterances so far lack: some platforms cut lists short
// or list only one side. It calls read to read the items again into a new Conversation. If text and
// items do not match, nothing changes.
func (c *Conversation) FillIn(text string, read func(*Conversation)) {
	switch {
	case len(c.turns) == 0:
		c.Read(text)
		return
	case !c.oneSided() && !c.lacksOf(text):
		return
	}
	whole := c.Anew()
	whole.along(text)
	if read(&whole); whole.arrive() {
		*c = whole
	}
}

// TakeBothSides replaces speech of only one side by a plain text that has both: the words of both
// are worth more than the times of one. It calls read to read the other items again.
func (c *Conversation) TakeBothSides(text string, read func(*Conversation)) {
	if !c.oneSided() {
		return
	}
	both := c.Anew()
	if both.Read(text); both.oneSided() || len(both.turns) == 0 {
		return
	}
	both.mute = true
	read(&both)
	*c = both
}

// lacksOf reports whether a text holds more speech than was said. It first compares lengths, since
// the two usually differ only by the speakers' names.
func (c *Conversation) lacksOf(text string) bool {
	agent := "Agent: \n"
	if !strings.Contains(text, "Agent:") {
		agent = "AI: \n"
	}
	if len(text) <= c.said+c.pieces[0]*len("User: \n")+c.pieces[1]*len(agent) {
		return false
	}
	c.close()
	whole := c.Anew()
	whole.Read(text)
	whole.close()
	return letters(whole.turns) > letters(c.turns)
}

// oneSided reports whether exactly one side has spoken.
func (c *Conversation) oneSided() bool {
	for i := range c.turns {
		if c.turns[i].Speaker != c.turns[0].Speaker {
			return false
		}
	}
	return len(c.turns) > 0
}

// along sets a plain text as the guide of a conversation: what it has between two utterances is
// said between them.
func (c *Conversation) along(text string) {
	whole := c.Anew()
	whole.Read(text)
	whole.close()
	g := &guide{turns: whole.turns}
	for i := range g.turns {
		g.turns[i].Text = spaced(g.turns[i].Text)
	}
	if len(g.turns) > 0 {
		g.rest = g.turns[0].Text
	}
	c.guide = g
}

// arrive says the rest of the text, and reports whether every utterance was found in it.
func (c *Conversation) arrive() (ok bool) {
	g := c.guide
	c.guide = nil
	if g.lost || len(c.turns) == 0 {
		return false
	}
	c.pass(g, len(g.turns))
	return true
}

// lead says what the text has before an utterance.
func (c *Conversation) lead(u Utterance) {
	g, text := c.guide, spaced(u.Text)
	rest := g.rest
	for at := g.at; at < len(g.turns) && !g.lost; at++ {
		if at > g.at {
			rest = g.turns[at].Text
		}
		more, found := strings.CutPrefix(rest, text)
		if t := &g.turns[at]; !found || more != "" && more[0] != ' ' || t.Speaker != u.Speaker || t.By != u.By {
			continue
		}
		c.pass(g, at)
		g.rest = strings.TrimSpace(more)
		return
	}
	g.lost = true
}

// pass says the turns of the text before turn number to.
func (c *Conversation) pass(g *guide, to int) {
	for g.at < to {
		t := &g.turns[g.at]
		c.say(Utterance{Speaker: t.Speaker, By: t.By, Start: Untold, End: Untold, Text: g.rest})
		if g.at, g.rest = g.at+1, ""; g.at < len(g.turns) {
			g.rest = g.turns[g.at].Text
		}
	}
}

// spaced returns text with single spaces between words.
func spaced(text string) string { return strings.Join(strings.Fields(text), " ") }
