package emotion

import (
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// spot finds the signs in the words of one turn.
func (m *Model) spot(t *tokens) (found signs) {
	m.book.find(t, func(s call.Sign) { found.add(s) })
	for i, k := range t.all {
		if !k.word {
			continue
		}
		w := t.of(k)
		if sharp(w) && !harmless(t, i) {
			found.add(call.SignSharpWords)
		}
		if found.has(call.SignThanks) && string(w) == "nothing" && i > 1 {
			found.drop(call.SignThanks)
		}
		if i > 0 && found.has(call.SignThanks) && (string(w) == "thanks" || string(w) == "thank") && string(t.of(t.all[i-1])) == "no" && t.words <= 3 {
			found.drop(call.SignThanks)
		}
	}
	return found
}

// harmless reports whether a sharp word is denied: "not stupid".
func harmless(t *tokens, i int) bool {
	return i > 0 && (string(t.of(t.all[i-1])) == "not" || string(t.of(t.all[i-1])) == "isnt")
}

// courtesy reports whether a turn is a formula of politeness and nothing else:
// "okay thanks bye".
func courtesy(t *tokens) bool {
	if t.words == 0 || t.words > 8 {
		return false
	}
	for _, k := range t.all {
		if !k.word {
			continue
		}
		switch string(t.of(k)) {
		case "ok", "okay", "thanks", "thank", "you", "bye", "goodbye", "yes", "no", "alright", "sure", "hi", "hello", "good", "morning", "evening", "afternoon", "day", "night",
			"a", "have", "right", "well", "please", "that", "thats", "is", "all", "it", "will", "be", "then", "and", "too", "cheers", "fine", "yeah", "nope", "yep", "hey", "sir", "maam", "there", "so", "much":
		default:
			return false
		}
	}
	return true
}

// agentSide follows what the agent says.
type agentSide struct {
	// asks says that it asked to hear something again, refuses that it could not do
	// what was wanted; before are the content words of its earlier questions.
	asks    bool
	refuses bool
	// stuck says that it said again what it had said before.
	stuck  bool
	before [][]uint32
}

// hear takes a turn of the agent's.
func (a *agentSide) hear(t *tokens) {
	now := content(t)
	a.asks, a.refuses, a.stuck = asksAgain(t), refuses(t), false
	if len(now) < 2 || anyOf(t, " anything else ") {
		return
	}
	for _, b := range a.before {
		if same := alike(now, b); len(now) == len(b) && same == 1 || len(now) >= 3 && same >= 0.8 {
			a.stuck = true
		}
	}
	a.before = append(a.before, now)
	if len(a.before) > 6 {
		a.before = a.before[1:]
	}
}

// asksAgain reports whether the agent did not get what was said.
func asksAgain(t *tokens) bool {
	return anyOf(t,
		" repeat ", " say that again ", " didnt catch ", " didnt get that ", " didnt quite ", " didnt understand ", " did not understand ", " did not catch ", " having trouble ",
		" not sure i ", " dont understand ", " one more time ", " didnt hear ", " come again ", " say it again ", " cant hear you ", " rephrase ", " pardon ", " could not hear ",
	)
}

// refuses reports whether the agent says that something cannot be had.
func refuses(t *tokens) bool {
	return anyOf(t, " im sorry ", " i am sorry ", " unfortunately ", " im afraid ", " unable ", " cannot ", " not available ", " no availability ", " apologize ", " apologies ")
}

// anyOf reports whether one of the word sequences, each between blanks, stands in a turn.
func anyOf(t *tokens, sequences ...string) bool {
	var text strings.Builder
	for _, k := range t.all {
		if k.word {
			text.WriteByte(' ')
			text.Write(t.of(k))
		}
	}
	s := text.String() + " "
	for _, p := range sequences {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// behave finds the signs that lie between turns.
func (c *course) behave() {
	c.repeats()
	if c.in.Timed {
		c.interruptions()
		c.silences()
	}
	c.hangUp()
}

// repeats finds turns that say again what an earlier turn said. The first answer
// to a request to repeat is no sign; what had to be said a third time is.
func (c *course) repeats() {
	asked := 0
	for i := range c.turns {
		t := &c.turns[i]
		if t.asked || t.stuck {
			asked++
		}
		for j := i - 1; j >= 0 && j >= i-5; j-- {
			if !sameAgain(t, &c.turns[j]) {
				continue
			}
			if !t.asked && !t.stuck || asked > 1 {
				t.signs.add(call.SignRepeats)
			}
			break
		}
	}
}

// sameAgain reports whether a turn says what an earlier one said.
func sameAgain(now, before *told) bool {
	if now.signs.has(call.SignWantsPerson) && before.signs.has(call.SignWantsPerson) {
		return true
	}
	if len(now.content) < 2 || len(before.content) < 2 {
		return len(now.content) == 1 && len(before.content) == 1 && now.content[0] == before.content[0] &&
			now.words.Count >= 2 && now.words.Count == before.words.Count
	}
	return alike(now.content, before.content) >= 0.75
}

// interruptions finds turns that begin well inside the agent's speech. A short
// "mm-hm" is none, and one interruption alone is no sign.
func (c *course) interruptions() {
	var at []int
	for i := range c.turns {
		t := &c.turns[i]
		if t.at == 0 || t.turn.Manner == call.MannerBackchannel || t.words.Count < 2 {
			continue
		}
		before := &c.in.Turns[t.at-1]
		if before.Speaker == call.Agent && before.End > before.Start && before.End-t.turn.Start >= 300*time.Millisecond {
			at = append(at, i)
		}
	}
	if len(at) < 2 {
		return
	}
	for _, i := range at {
		c.turns[i].signs.add(call.SignInterrupts)
	}
}

// silences finds turns before which the agent was left without an answer.
func (c *course) silences() {
	for i := range c.turns {
		t := &c.turns[i]
		from := time.Duration(0)
		if t.at > 0 {
			from = c.in.Turns[t.at-1].End
		}
		if t.at > 0 && t.turn.Start-from >= 8*time.Second {
			t.signs.add(call.SignLongSilence)
		}
	}
}

// hangUp marks the last turn when the caller hung up on the agent's speech or in
// the middle of a sentence of their own.
func (c *course) hangUp() {
	if c.in.End.Code != call.EndCallerHungUp || len(c.turns) == 0 {
		return
	}
	t := &c.turns[len(c.turns)-1]
	if t.formula || t.signs.has(call.SignThanks) {
		return
	}
	last := &c.in.Turns[len(c.in.Turns)-1]
	cut := false
	switch {
	case last.Speaker == call.Agent && c.in.Timed && c.in.Length > 0:
		cut = last.End > last.Start && c.in.Length-last.End < 300*time.Millisecond
	case last.Speaker == call.Caller:
		cut = openEnded(t.turn.Text)
	}
	if cut {
		t.signs.add(call.SignHangsUp)
	}
}

// openEnded reports whether a text breaks off.
func openEnded(text string) bool {
	text = strings.TrimRight(text, " ")
	for _, mark := range []string{"-", "–", "—", "…", "..."} {
		if strings.HasSuffix(text, mark) {
			return true
		}
	}
	fields := strings.Fields(strings.ToLower(text))
	if len(fields) < 2 {
		return false
	}
	switch fields[len(fields)-1] {
	case "the", "a", "an", "and", "or", "but", "to", "of", "my", "your", "i", "because", "with", "for", "is":
		return true
	}
	return false
}
