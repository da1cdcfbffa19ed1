package calllog

import (
	"strings"

	"github.com/ringtrue/ringtrue/internal/call"
)

// guide is a transcript in plain text along which the pieces of a list are said. The
// list may lack a side, a beginning or an end; what it lacks is said in its place.
type guide struct {
	turns []call.Turn
	// at is the turn that has been reached, and rest what of it was not said yet.
	at   int
	rest string
	// lost says that a piece was not found: the two tell of different things.
	lost bool
}

// FillIn takes in what a plain text tells and what was said so far does not: a list of them is cut short at times, or has one side alone. read reads the
// items once more. Where the two do not go together what was said stands.
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

// TakeBothSides takes a plain text that has both sides in place of what one side said:
// its words count more than the times of one. What was done is read once more.
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

// lacksOf reports whether a text tells more than was said. As a rule the two are as long
// as each other, but for who speaks before each piece.
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

// oneSided reports whether only one side has spoken.
func (c *Conversation) oneSided() bool {
	for i := range c.turns {
		if c.turns[i].Speaker != c.turns[0].Speaker {
			return false
		}
	}
	return len(c.turns) > 0
}

// along begins a conversation whose pieces are said along a plain text: what that
// tells between two pieces is said between them.
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

// arrive says what the text tells after the last piece, and reports whether every
// piece was found in it.
func (c *Conversation) arrive() (ok bool) {
	g := c.guide
	c.guide = nil
	if g.lost || len(c.turns) == 0 {
		return false
	}
	c.pass(g, len(g.turns))
	return true
}

// lead says what the text tells before a piece.
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

// pass says everything up to a turn of the text.
func (c *Conversation) pass(g *guide, to int) {
	for g.at < to {
		t := &g.turns[g.at]
		c.say(Utterance{Speaker: t.Speaker, By: t.By, Start: Untold, End: Untold, Text: g.rest})
		if g.at, g.rest = g.at+1, ""; g.at < len(g.turns) {
			g.rest = g.turns[g.at].Text
		}
	}
}

// spaced is the text with single spaces.
func spaced(text string) string { return strings.Join(strings.Fields(text), " ") }
