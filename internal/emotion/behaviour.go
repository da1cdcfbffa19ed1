package emotion

import (
	"bytes"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// spot finds the signs in the words of one turn. sworn says that only swear words make it sharp,
// which may be said in joy.
func (m *Model) spot(t *tokens) (found signs, sworn bool) {
	found = m.said(t)
	if t.elsewhere() { // "i'm livid with him"
		found.drop(call.SignSharpWords)
	}
	against := found.has(call.SignSharpWords)
	thanked, declined := 0, 0
	for i, k := range t.all {
		switch w := t.of(k); {
		case !k.word:
		case sharp(w) && meant(t, i):
			found.add(call.SignSharpWords)
			against = against || !swears(w)
		case string(w) == "thanks" || string(w) == "thank":
			thanked++
			if t.at(i-1, "no") {
				declined++
			}
		case string(w) == "nothing" && i > 1: // "thanks for nothing"
			found.drop(call.SignThanks)
		}
	}
	found &^= reportedOnly(t)
	if thanked > 0 && thanked == declined {
		found.drop(call.SignThanks)
	}
	return found, found.has(call.SignSharpWords) && !against
}

// said returns the signs of the phrases in a turn.
func (m *Model) said(t *tokens) (found signs) {
	m.book.find(t, func(s call.Sign, at int) {
		if s != call.SignWantsPerson || !noPerson(t, at) {
			found.add(s)
		}
	})
	return found
}

// heaped is the least distance in words between two separate phrases of being let down.
const heaped = 6

// heaps reports whether a turn mentions being let down more than once: "down again, and nobody has
// called me back".
func (m *Model) heaps(t *tokens) bool {
	first, last := maxTokens, -1
	m.book.find(t, func(s call.Sign, at int) {
		if s == call.SignLetDown {
			first, last = min(first, at), max(last, at)
		}
	})
	return last-first >= heaped
}

// reportedOnly returns the signs to be ignored in a turn because it is about dealings between
// others: "I already told my wife", "the man said that you are thieves".
func reportedOnly(t *tokens) (none signs) {
	if t.outsideOnly() {
		none.add(call.SignToldBefore)
	}
	if t.elsewhere() {
		none |= bit(call.SignToldBefore) | bit(call.SignLetDown) | bit(call.SignBlames) | bit(call.SignThreatens) | bit(call.SignAsksStop)
	}
	if t.allReported() {
		none.add(call.SignBlames)
	}
	return none
}

// meant reports whether a sharp word is meant as one: it is not harmless, and not directed at the
// speaker or at somebody who is not part of the call.
func meant(t *tokens, i int) bool {
	if harmless(t, i) {
		return false
	}
	whom := t.aimed(i)
	return whom == atAgent || whom == someone || swears(t.of(t.all[i])) && !t.elsewhere()
}

// blamed returns whom the sharp words of a turn are directed at: the agent if any of them is.
func blamed(t *tokens) target {
	found, of := false, atAgent
	for i, k := range t.all {
		if !k.word || !sharp(t.of(k)) {
			continue
		}
		if harmless(t, i) {
			if !found {
				of = oneself
			}
			continue
		}
		if now := t.aimed(i); !found || now == atAgent {
			found, of = true, now
		}
	}
	if !found && (t.elsewhere() || t.outsideOnly()) {
		return outsider
	}
	return of
}

// patient reports whether a turn plays down its complaint ("but I know you're all busy") or only
// seeks confirmation ("you said Monday, right").
func patient(t *tokens) bool {
	return confirms(t) || anyOf(t,
		" just checking ", " just curious ", " just wondering ", " just asking ", " take your time ", " no pressure ", " sorry to bother ", " sorry to be a ",
		" all busy ", " very busy ", " no harm done ", " no problem ", " not a problem ", " not your fault ", " isnt your fault ", " things happen ", " it happens ", " cant be helped ", " no rush ",
		" no hurry ", " in no hurry ", " fair enough ", " ok fair ", " not to worry ", " dont worry ", " no worries ", " no big deal ", " nothing urgent ", " nothing dramatic ", " no great drama ", " no drama ", " no issue ",
		" im not bothered ", " doesnt matter ", " dont mind ", " my own fault ", " my fault ", " my mistake ", " my own foolishness ", " own silly fault ", " own stupid fault ", " own fault entirely ", " her own fault ", " his own fault ", " not a disaster ", " not the end of the world ", " never mind ", " bless him ", " bless her ", " bless them ",
		" have a good ", " have a nice ", " have a lovely ", " have a great ", " no complaints ", " not complaining ", " one of those things ", " for next time ", " not so bad ", " not too bad ", " not that bad ", " isnt so bad ", " isnt that bad ", " could be worse ",
	)
}

// confirms reports whether the last words of a turn ask for confirmation.
func confirms(t *tokens) bool {
	last := len(t.all) - 1
	for last >= 0 && !t.all[last].word {
		last--
	}
	if !t.at(last, "right", "correct") || last < 2 {
		return false
	}
	return !t.at(last-1, "not", "isnt", "its", "thats", "it", "make", "put", "be", "this", "that", "all", "yeah", "oh") || t.at(last-2, "is") && t.at(last-1, "that", "this", "it")
}

// harmless reports whether a sharp word is negated ("not stupid"), used in praise ("damn good"), or
// about the speaker's own actions ("i'm such an idiot", "i felt so stupid", "a stupid question").
func harmless(t *tokens, i int) bool {
	if t.intensifies(i) {
		return true
	}
	if t.at(i-1, "not", "isnt") || t.at(i+1, "question", "questions", "of", "me") && t.at(i, "stupid", "dumb", "idiotic") {
		return true
	}
	if t.at(i+1, "right", "good", "great", "brilliant", "lovely", "marvellous", "amazing", "awesome", "fantastic", "perfect", "nice", "cheap", "well", "beautiful", "fast") {
		return true
	}
	for t.at(i-1, "a", "an", "so", "such", "just", "being", "bit", "too", "very", "really", "quite", "pretty", "rather", "absolutely", "completely", "totally") {
		i--
	}
	if t.at(i-1, "im") {
		return true
	}
	return t.at(i-1, "am", "was", "feel", "felt", "be", "been", "look", "looked", "sound") && t.at(i-2, "i", "ive", "must", "me")
}

// shouts reports whether a text has words in capitals for emphasis: "ANSWER ME", "it is down
// AGAIN". Names, codes and abbreviations such as "FBI" do not count, nor does a text entirely in
// capitals, as some recognisers write.
func shouts(text string) bool {
	small, loud := false, 0
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !wordRune(r) }) {
		lower := strings.ToLower(word)
		switch {
		case strings.ToUpper(word) != word || len(word) < 2:
			small = small || len(word) > 1
		case stressed(lower):
			loud++
		}
	}
	return loud > 0 && small
}

// stressed reports whether a word is one that is shouted in anger.
func stressed(w string) bool {
	switch w {
	case "again", "now", "not", "still", "never", "right", "stop", "why", "no", "any", "nothing", "nobody", "fix", "worst", "immediately", "already", "wrong", "answer", "me", "do", "dont", "don't",
		"cannot", "can't", "every", "twice", "three", "hours", "days", "weeks", "months", "ridiculous", "unacceptable", "terrible", "horrible", "hate", "lied", "lies", "lying", "liars", "listen", "money", "refund",
		"your", "you", "scam", "joke", "last", "ever", "enough", "anything", "anyone", "zero", "before", "always", "awful", "useless", "rude", "disgusting", "incorrect", "really", "seriously", "what", "how", "is", "was", "have", "had":
		return true
	}
	return false
}

// courtesy reports whether a turn is only a formula of politeness, apart from numbers, codes and
// removed text: "okay thanks bye", "yes it's QX7 440", "it's [PHONE_NUMBER]".
func courtesy(t *tokens) bool {
	if t.words == 0 || t.words > 8 {
		return false
	}
	for _, k := range t.all {
		if !k.word || numeric(t.of(k)) {
			continue
		}
		switch string(t.of(k)) {
		case "its", "ok", "okay", "thanks", "thank", "you", "bye", "goodbye", "yes", "no", "alright", "sure", "hi", "hello", "good", "morning", "evening", "afternoon", "day", "night",
			"a", "have", "right", "well", "please", "that", "thats", "is", "all", "it", "will", "be", "then", "and", "too", "cheers", "fine", "yeah", "nope", "yep", "hey", "sir", "maam", "there", "so", "much":
		default:
			return false
		}
	}
	return true
}

// declines reports whether the thanks in a turn belong to a polite refusal and so are no sign of
// joy: "no thanks", "no, not for me, thank you".
func declines(t *tokens) bool {
	thanked, declined := 0, 0
	for i := range t.all {
		if t.at(i, "thanks", "thank") {
			thanked++
			if t.at(i-1, "no") {
				declined++
			}
		}
	}
	if thanked == 0 || thanked == declined {
		return thanked > 0
	}
	if t.words > 12 || !t.at(0, "no", "nope", "nah", "not") {
		return false
	}
	return !anyOf(t, " great ", " good ", " helpful ", " lovely ", " kind ", " perfect ", " wonderful ", " brilliant ", " so much ", " very much ", " appreciate ", " happy ", " amazing ", " for your ", " for the ", " for all ", " for that ")
}

// concedes reports whether the kind words in a turn only introduce an objection: "with the greatest
// respect", "I'm sure you're a nice woman".
func concedes(t *tokens) bool {
	return anyOf(t,
		" with respect ", " with all respect ", " due respect ", " greatest respect ", " utmost respect ", " dont get me wrong ", " no offence ", " no offense ", " no disrespect ",
		" im sure youre a ", " im sure you are a ", " im sure youre very ", " im sure you mean well ", " im sure youre doing ", " i know youre doing your best ", " i know youre only doing ", " i know youre just doing ", " nothing against you ", " nothing personal ",
	)
}

// numeric reports whether a word is a number or a code: it contains a digit, names a number, or
// stands for removed text.
func numeric(w []byte) bool {
	return string(w) == takenOut || bytes.ContainsAny(w, "0123456789") || len(digit(w)) == 1 && len(w) > 1
}

// behave finds the signs that depend on several turns.
func (c *course) behave() {
	c.repeats()
	c.insists()
	if c.in.Timed {
		c.interruptions()
		c.silences()
	}
	c.hangUp()
}

// repeats finds turns that repeat an earlier turn. The first answer to a request to repeat is no
// sign, but a third repetition is.
func (c *course) repeats() {
	asked := 0
	for i := range c.turns {
		t := &c.turns[i]
		again := t.asked || t.failed.stuck > 0
		if again {
			asked++
		}
		for j := i - 1; j >= 0 && j >= i-5; j-- {
			if !sameAgain(t, &c.turns[j]) {
				continue
			}
			if !again || asked > 1 {
				t.signs.add(call.SignRepeats)
			}
			break
		}
	}
}

// denies reports whether a turn contradicts something.
func denies(t *tokens) bool {
	for i := range t.all {
		if t.at(i, "no", "not", "dont", "didnt", "isnt", "wasnt", "doesnt", "never", "cant", "wont", "nobody", "wrong", "havent", "hasnt", "arent", "nothing") {
			return true
		}
	}
	return false
}

// sameAgain reports whether a turn says the same as an earlier one.
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

// insists finds turns that deny something and return to an earlier point in other words: "no, not
// the balance, the payment". An answer to a request to repeat does not count.
func (c *course) insists() {
	for i := range c.turns {
		t := &c.turns[i]
		if !t.denies || t.answers || t.asked || t.formula || t.signs.has(call.SignRepeats) {
			continue
		}
		for j := max(i-5, 0); j < i; j++ {
			if shared(t.content, c.turns[j].content) {
				t.signs.add(call.SignInsists)
				break
			}
		}
	}
}

// interruptions finds turns that begin well within the agent's speech. A short "mm-hm" does not
// count, and a single interruption is no sign.
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

// silences finds turns before which the caller left the agent without an answer.
func (c *course) silences() {
	for i := range c.turns {
		t := &c.turns[i]
		if t.at == 0 {
			continue
		}
		before := &c.in.Turns[t.at-1] // its end must be known: some logs only have starts
		if before.End > before.Start && t.turn.Start-before.End >= 8*time.Second {
			t.signs.add(call.SignLongSilence)
		}
	}
}

// hangUp marks the last turn if the caller hung up during the agent's speech or in the middle of
// their own sentence.
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
