package emotion

import (
	"slices"
	"strings"

	"github.com/ringtrue/ringtrue/internal/call"
)

// A phrase is words in a row: "a|b" either word, "_" any word, "~" up to four
// words of any kind or none, "^" at the start and "$" at the end of the turn.
// Words are written as the reader folds them: lower case, no apostrophes.
//
//nolint:funlen // a list, a line for each
func phrases() []struct {
	sign call.Sign
	text string
} {
	type p = struct {
		sign call.Sign
		text string
	}
	return []p{
		{call.SignToldBefore, "i|ive|we|weve already told|said|gave|given|explained|answered|did|done|tried|mentioned|provided|spelled|confirmed|sent|asked|called|paid"},
		{call.SignToldBefore, "i|we just|literally told|said|gave|explained|answered"},
		{call.SignToldBefore, "told|said|gave|asked you ~ already|before|twice|times"},
		{call.SignToldBefore, "told you that|this"},
		{call.SignToldBefore, "as|like i said|told|mentioned|explained"},
		{call.SignToldBefore, "how many times do|must|should|will|have|am"},
		{call.SignToldBefore, "i keep telling|saying|repeating|asking|explaining|having|getting|calling"},
		{call.SignToldBefore, "second|third|fourth|fifth|sixth|tenth|hundredth time i|ive|im|today|this|that"},
		{call.SignToldBefore, "having|have|had|want|going to repeat|explain ~ again|myself"},
		{call.SignToldBefore, "repeat|repeating myself"},
		{call.SignToldBefore, "ive told you"},
		{call.SignToldBefore, "ive ~ told|asked|explained|called ~ times"},
		{call.SignToldBefore, "called ~ times already"},
		{call.SignToldBefore, "asked me that|this already|before|twice"},
		{call.SignToldBefore, "you already asked|have|got"},
		{call.SignToldBefore, "for the last|second|third|fourth|tenth|hundredth time"},
		{call.SignToldBefore, "ive|have explained|reported|said ~ already|before|times|people|colleagues|again"},
		{call.SignToldBefore, "ive|i done|tried|did that|it|this already|before|twice|times"},

		{call.SignWantsPerson, "speak|talk|speaking|talking|connect|connected|transfer|transferred|put|get ~ human|person|representative|rep|manager|supervisor|operator|advisor|adviser|somebody|someone"},
		{call.SignWantsPerson, "speak|talk|speaking|talking to|with an|a|the|your|real|live ~ agent|people|colleague"},
		{call.SignWantsPerson, "real|live|actual human|person|agent|representative|people"},
		{call.SignWantsPerson, "want|need|get|give a|an|me|your ~ human|supervisor|manager|representative|operator"},
		{call.SignWantsPerson, "^ representative|operator|human|agent|supervisor|manager|person please|now|$"},
		{call.SignWantsPerson, "somebody|someone who|that can|actually|understands|knows"},

		{call.SignAgentLost, "you|it|this dont|didnt|cant|arent|do|did|are|not|never ~ understand|understanding|listen|listening"},
		{call.SignAgentLost, "you dont|didnt|cant ~ hear|get me|it|what|that"},
		{call.SignAgentLost, "youre not listening|understanding|hearing|helping|getting|making"},
		{call.SignAgentLost, "youre|you no|zero|any help"},
		{call.SignAgentLost, "are you ~ listening|deaf|stupid|broken|serious|kidding"},
		{call.SignAgentLost, "thats|that|its|it|this|isnt|is|was|wasnt ~ not|isnt|wasnt ~ what i|im|we ~ asked|said|wanted|want|meant|need|mean|asking|looking|ordered|saying"},
		{call.SignAgentLost, "not|isnt|wasnt what i|im asked|said|asking|saying|meant"},
		{call.SignAgentLost, "you ~ misunderstood|misheard"},
		{call.SignAgentLost, "you|youre keep saying|asking|repeating|giving|sending|telling|doing|getting|going|misunderstanding"},
		{call.SignAgentLost, "got it wrong"},
		{call.SignAgentLost, "wrong again"},
		{call.SignAgentLost, "did you even|not hear|listen|read"},
		{call.SignAgentLost, "doesnt|didnt|does|did ~ answer my question"},
		{call.SignAgentLost, "not helping|helpful"},
		{call.SignAgentLost, "isnt|not working"},
		{call.SignAgentLost, "you|this make|makes no sense"},
		{call.SignAgentLost, "going|run|running|sent in|around ~ circles"},

		{call.SignCorrects, "^ no|nope ~ i said|meant|mean|asked"},
		{call.SignCorrects, "^ no|nope thats|its|it|this not|isnt|wrong"},
		{call.SignCorrects, "^ no no"},
		{call.SignCorrects, "^ no not"},
		{call.SignCorrects, "i said|meant _ not"},
		{call.SignCorrects, "^ i said"},
		{call.SignCorrects, "thats|its not right|correct|it"},
		{call.SignCorrects, "thats|its wrong|incorrect"},
		{call.SignCorrects, "that|it is|was not right|correct|it"},
		{call.SignCorrects, "that|it is|was wrong|incorrect"},
		{call.SignCorrects, "its|it|is not _ its"},

		{call.SignAsksStop, "stop calling|talking|it|this|asking|that|doing|repeating|saying"},
		{call.SignAsksStop, "shut|hang|hanging up"},
		{call.SignAsksStop, "^ forget it"},
		{call.SignAsksStop, "just forget it"},
		{call.SignAsksStop, "leave me alone"},
		{call.SignAsksStop, "im|i am done|finished with this|you"},
		{call.SignAsksStop, "take me off"},
		{call.SignAsksStop, "dont|never call ~ again"},
		{call.SignAsksStop, "^ stop $"},
		{call.SignAsksStop, "^ just stop"},
		{call.SignAsksStop, "waste|wasting|wasted ~ my time"},
		{call.SignAsksStop, "cancel my|the account|subscription|contract|service|membership"},
		{call.SignAsksStop, "take|taking my business elsewhere"},

		{call.SignSharpWords, "for heavens|gods|christs|petes|goodness|fucks sake"},
		{call.SignSharpWords, "for crying out loud"},
		{call.SignSharpWords, "what the hell|heck|fuck"},
		{call.SignSharpWords, "thanks for nothing"},
		{call.SignSharpWords, "hurry up"},
		{call.SignSharpWords, "how dare you"},
		{call.SignSharpWords, "this is a joke|scam|disgrace|mess|nightmare|disaster"},
		{call.SignSharpWords, "complete|absolute|total joke|disgrace|mess|nightmare|disaster|nonsense"},

		{call.SignThanks, "thank|thanks"},
		{call.SignThanks, "i|really appreciate"},
		{call.SignThanks, "grateful"},
	}
}

// phraseBook finds phrases by their first words.
type phraseBook struct {
	byFirst map[string][]compiled
	// anchored begin at the start of the turn.
	anchored []compiled
}

type compiled struct {
	sign  call.Sign
	parts []part
}

// part is one place of a phrase.
type part struct {
	gap, any, end bool
	words         []string
}

func newPhraseBook() *phraseBook {
	b := &phraseBook{byFirst: map[string][]compiled{}}
	for _, p := range phrases() {
		c := compiled{sign: p.sign}
		start := false
		for f := range strings.FieldsSeq(p.text) {
			switch f {
			case "^":
				start = true
			case "~":
				c.parts = append(c.parts, part{gap: true})
			case "_":
				c.parts = append(c.parts, part{any: true})
			case "$":
				c.parts = append(c.parts, part{end: true})
			default:
				q := part{}
				for w := range strings.SplitSeq(f, "|") {
					if w == "$" {
						q.end = true
					} else {
						q.words = append(q.words, w)
					}
				}
				c.parts = append(c.parts, q)
			}
		}
		if start {
			b.anchored = append(b.anchored, c)
			continue
		}
		for _, w := range c.parts[0].words {
			b.byFirst[w] = append(b.byFirst[w], c)
		}
	}
	return b
}

// find reports the signs of all phrases in a turn.
func (b *phraseBook) find(t *tokens, found func(call.Sign)) {
	for _, c := range b.anchored {
		if c.at(t, 0) {
			found(c.sign)
		}
	}
	for i, k := range t.all {
		for _, c := range b.byFirst[string(t.of(k))] {
			if c.at(t, i) {
				found(c.sign)
			}
		}
	}
}

// at reports whether the phrase stands at a place.
func (c *compiled) at(t *tokens, i int) bool { return match(t, i, c.parts) }

func match(t *tokens, i int, parts []part) bool {
	for p, q := range parts {
		if q.gap {
			for skip := 0; skip <= 4 && i+skip <= len(t.all); skip++ {
				if match(t, i+skip, parts[p+1:]) {
					return true
				}
			}
			return false
		}
		for i < len(t.all) && !t.all[i].word { // marks lie between words
			i++
		}
		if i >= len(t.all) {
			return q.end && p == len(parts)-1
		}
		if !q.any && !q.has(t.of(t.all[i])) {
			return false
		}
		i++
	}
	return true
}

func (q *part) has(w []byte) bool { return slices.Contains(q.words, string(w)) }
