package emotion

import (
	"unicode"
	"unicode/utf8"
)

// language counts words that show whether somebody speaks English.
type language struct {
	words, common, foreign, letters, script int
	// known counts the words that the model knows.
	known int
}

// enoughWords is the least number of words for judging the language.
const enoughWords = 6

// add counts the words of a turn.
func (l *language) add(m *Model, t *tokens, text string) {
	for _, k := range t.all {
		w := t.of(k)
		if !k.word || string(w) == takenOut {
			continue
		}
		l.words++
		if m.find(mix(hashOf(w, 'w'))) >= 0 {
			l.known++
		}
		switch {
		case englishWord(w):
			l.common++
		case foreignWord(w):
			l.foreign++
		}
	}
	for i := 0; i < len(text) && i < maxText; {
		r, n := utf8.DecodeRuneInString(text[i:])
		i += n
		if unicode.IsLetter(r) {
			l.letters++
			if r > 0x24f {
				l.script++
			}
		}
	}
}

// english reports whether the words can be judged. They cannot if a third of the letters
// belong to another script; nor if, of at least six words, the model knows fewer than
// half, or fewer than one in ten is among the most common English words and more are
// among those of neighbouring languages.
func (l *language) english() bool {
	if l.letters > 0 && l.script*3 >= l.letters {
		return false
	}
	if l.words < enoughWords {
		return l.foreign == 0 || l.common >= l.foreign
	}
	if l.known*2 < l.words {
		return false
	}
	return l.common*10 >= l.words || l.common >= l.foreign && l.foreign*10 < l.words
}

// englishWord reports whether a word is among the most common in spoken English, and in
// hardly any other language.
func englishWord(w []byte) bool {
	switch string(w) {
	case "the", "and", "you", "i", "to", "of", "is", "it", "that", "my", "for", "this", "have", "im", "what", "your", "with", "can", "be", "was",
		"are", "yes", "yeah", "please", "need", "want", "would", "like", "thank", "thanks", "do", "dont", "not", "its", "at", "we", "they",
		"but", "how", "when", "there", "just", "get", "know", "thats", "on", "if", "hello", "okay", "will", "ive", "id", "about":
		return true
	}
	return false
}

// foreignWord reports whether a word is among the most common in German, Spanish,
// French, Italian, Portuguese or Dutch, and no English word.
func foreignWord(w []byte) bool {
	switch string(w) {
	case "ich", "und", "der", "das", "nicht", "ist", "ein", "eine", "sie", "wir", "haben", "habe", "für", "mit", "auf", "bitte", "danke", "ja", "nein", "wie", "guten",
		"el", "la", "que", "los", "las", "una", "por", "para", "con", "es", "está", "gracias", "quiero", "hola", "necesito", "sí", "mi", "pero", "cuando",
		"le", "les", "je", "vous", "est", "pas", "pour", "un", "une", "dans", "oui", "bonjour", "merci", "mon", "ma", "suis", "ce", "cest", "avec", "des", "du", "nous",
		"il", "di", "che", "non", "sono", "grazie", "buongiorno", "vorrei", "della", "ho", "per", "como", "não", "eu", "obrigado", "você", "uma", "sim", "meu", "minha",
		"ik", "het", "een", "niet", "dank", "wij", "voor", "naar", "zijn", "heb", "goedemorgen":
		return true
	}
	return false
}
