package emotion

// role is the role of a word in English word order, as far as that distinguishes
// questions from statements.
type role uint8

const (
	other   role = iota
	asker        // "what", "how"
	helper       // "is", "did", "can"
	pronoun      // "you", "that"
	lead         // "so", "well": may precede a sentence
	tag          // "right", "huh": turns a statement into a question
)

func roleOf(w []byte) role {
	switch string(w) {
	case "what", "who", "why", "how", "where", "when", "which", "whats", "whos", "hows", "wheres", "whose", "whys":
		return asker
	case "is", "are", "was", "were", "do", "does", "did", "can", "could", "would", "will", "should", "have", "has", "had", "am",
		"isnt", "arent", "wasnt", "werent", "dont", "doesnt", "didnt", "cant", "couldnt", "wouldnt", "wont", "shouldnt", "havent", "hasnt":
		return helper
	case "i", "you", "he", "she", "it", "we", "they", "this", "that", "there", "these", "those", "the", "my", "your", "his", "her", "our", "their",
		"anyone", "anybody", "someone", "somebody", "anything":
		return pronoun
	case "so", "well", "and", "but", "like", "ok", "okay", "oh", "yeah", "yes", "no", "hey", "hi", "wait", "now", "then", "ah", "wow", "also":
		return lead
	case "right", "huh", "eh", "though", "else", "anyway", "correct":
		return tag
	}
	return other
}

// asking returns signs of a question that do not depend on its mark, each 0 to 1:
// whether the text begins like one, how often words are in the order of one ("did you",
// "what is"), and whether it ends like one.
func (t *tokens) asking() (opens, turned, ends float32) {
	opening := true
	for i, k := range t.all {
		if !k.word {
			continue
		}
		now := roleOf(t.of(k))
		if opening && now != lead && !t.aside(i) {
			opening = false
			if now == asker || now == helper {
				opens = 1
			}
		}
		if t.turned(i) {
			turned = min(turned+0.5, 1)
		}
		ends = 0
		if now == tag || now == pronoun && t.roleAt(i-1) == helper {
			ends = 1
		}
	}
	return opens, turned, ends
}

// turned reports whether a word and the one before it are in the order of a question.
func (t *tokens) turned(i int) bool {
	before := t.roleAt(i - 1)
	switch t.roleAt(i) {
	case helper:
		return before == asker
	case pronoun:
		return before == helper && t.roleAt(i-2) != pronoun
	default:
		return false
	}
}

// aside reports whether the word is part of "you know" or "i mean".
func (t *tokens) aside(i int) bool {
	is := func(i int, w string) bool { return i >= 0 && i < len(t.all) && string(t.of(t.all[i])) == w }
	return is(i, "you") && is(i+1, "know") || is(i, "know") && is(i-1, "you") || is(i, "i") && is(i+1, "mean") || is(i, "mean") && is(i-1, "i")
}

// roleAt returns the role of a token, other if there is none.
func (t *tokens) roleAt(i int) role {
	if i < 0 || i >= len(t.all) || !t.all[i].word {
		return other
	}
	return roleOf(t.of(t.all[i]))
}
