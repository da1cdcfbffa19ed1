package trend

import (
	"slices"
	"strings"
	"unicode"
)

// How much of the agent's last words is used.
const (
	lastWords = 24
	lastBytes = 4096
)

// mask returns the last words of a text in lower case, with everything particular to one call
// masked.
func mask(text string) []string {
	if len(text) > lastBytes {
		text = text[len(text)-lastBytes:]
	}
	var out []string
	sentence, cased := true, capitalsTell(text)
	for raw := range strings.FieldsSeq(text) {
		plain := strings.TrimFunc(raw, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if !isWord(raw) {
			plain = raw // masked already
		}
		if plain != "" {
			named := cased && (!sentence || addresses(raw, plain))
			for _, w := range maskWord(plain, !named, out) {
				if len(out) > 0 && out[len(out)-1] == w && !isWord(w) {
					continue // "five five five" is one number
				}
				out = append(out, w)
			}
		}
		sentence = ends(raw, plain)
	}
	out = lessSpoken(out)
	return out[max(len(out)-lastWords, 0):]
}

// ends reports whether a word is the last of a sentence.
func ends(raw, plain string) bool {
	raw = strings.TrimRight(raw, `"'”’)`)
	if strings.HasSuffix(raw, ".") {
		return !Abbreviated(plain)
	}
	return strings.HasSuffix(raw, "?") || strings.HasSuffix(raw, "!") || strings.HasSuffix(raw, "…")
}

func isWord(w string) bool { return w != "#" && w != "*" && w != "@" }

// maskWord returns what is kept of one word. plain says that its capital means nothing, as at the
// beginning of a sentence; before are the words before it.
func maskWord(raw string, plain bool, before []string) []string {
	w := strings.ToLower(strings.ReplaceAll(raw, "’", "'"))
	switch {
	case !isWord(w):
		return []string{w}
	case written(w):
		return []string{"@"}
	case strings.ContainsFunc(w, unicode.IsDigit) || numeral(w):
		return []string{"#"}
	case introduces(before):
		return []string{"*"}
	}
	first := []rune(raw)[0]
	var out []string
	for part := range strings.FieldsFuncSeq(w, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' }) {
		switch {
		case numeral(part):
			part = "#"
		case len(part) == 1 && part != "a" && part != "i":
			part = "#" // a spelled letter
		case !plain && unicode.IsUpper(first) && !common(part):
			part = "*" // a name within a sentence
		}
		out = append(out, part)
	}
	return out
}

// capitalsTell reports whether capitals within sentences mark names. They do not if everything is
// in capitals, as some recognisers write, or Every Word Has One.
func capitalsTell(text string) bool {
	inside, capital, small := false, 0, strings.ToUpper(text) != text
	for word := range strings.FieldsSeq(text) {
		if inside && particle(strings.ToLower(word)) {
			if unicode.IsUpper([]rune(word)[0]) {
				capital++
			} else {
				capital--
			}
		}
		inside = !strings.ContainsAny(word[len(word)-1:], ".?!")
	}
	return small && capital <= 0
}

// addresses reports whether a word at the beginning of a sentence is the name of the person
// addressed, as in "Maria, are you there": a comma follows, and it is no usual opening word.
func addresses(raw, plain string) bool {
	first := []rune(plain)[0]
	return strings.HasSuffix(raw, ",") && unicode.IsUpper(first) && !opener(strings.ToLower(plain))
}

// opener reports whether a word may open a sentence with a comma after it and is no name.
func opener(w string) bool {
	switch w {
	case "sorry", "apologies", "thanks", "cheers", "hello", "hi", "hey", "welcome", "goodbye", "bye", "congratulations", "congrats",
		"great", "good", "perfect", "wonderful", "excellent", "awesome", "fantastic", "brilliant", "lovely", "amazing", "cool", "super", "fine", "nice", "sweet",
		"understood", "correct", "noted", "done", "gotcha", "yep", "yup", "nope", "no", "not", "wait", "look", "listen", "see", "remember",
		"however", "therefore", "otherwise", "instead", "anyway", "anyways", "besides", "meanwhile", "moreover", "furthermore", "still", "again", "too", "perhaps", "maybe",
		"next", "last", "later", "earlier", "before", "after", "afterwards", "once", "always", "indeed", "interesting", "hm", "mhm", "mm-hm", "uh-huh", "ooh", "wow", "oops", "ma'am", "everyone", "all", "folks", "friend", "there", "yesterday":
		return true
	}
	return strings.HasSuffix(w, "ly") && len(w) > len("kimber")
}

// particle reports whether a word is never capitalised within a sentence.
func particle(w string) bool {
	switch w {
	case "the", "a", "an", "to", "of", "for", "your", "you", "is", "are", "and", "in", "on", "with", "we", "my", "our", "that", "this", "have", "can", "at", "be", "not", "from":
		return true
	}
	return false
}

// introduces reports whether a name follows these words.
func introduces(before []string) bool {
	n := len(before)
	if n == 0 {
		return false
	}
	switch before[n-1] {
	case "mr", "mister", "mrs", "ms", "miss", "dr", "doctor", "prof", "professor", "name's":
		return true
	case "is":
		return n > 1 && before[n-2] == "name"
	}
	return false
}

// Abbreviated reports whether the last word of a text is a title or an initial. A dot after it does
// not end a sentence, because the name follows.
func Abbreviated(text string) bool {
	word := text[strings.LastIndexByte(text, ' ')+1:]
	word = strings.TrimLeftFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	switch strings.ToLower(word) {
	case "mr", "mrs", "ms", "dr", "prof", "st", "sgt", "capt", "rev", "hon":
		return true
	}
	return len(word) == 1 && word[0] >= 'A' && word[0] <= 'Z' && word != "I"
}

// common reports whether a capitalised word is no name.
func common(w string) bool {
	return w == "i" || strings.HasPrefix(w, "i'") || stopword(w)
}

func numeral(w string) bool {
	switch strings.TrimSuffix(strings.TrimSuffix(w, "th"), "ies") {
	case "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
		"thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty", "thirty", "forty",
		"fifty", "sixty", "seventy", "eighty", "ninety", "hundred", "thousand", "million", "oh", "first", "second", "third",
		"fif", "eigh", "nin", "twelf", "twentie", "thirtie",
		"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "today", "tomorrow", "tonight",
		"january", "february", "march", "april", "june", "july", "august", "september", "october", "november", "december",
		"am", "pm", "o'clock":
		return w != "am"
	}
	return false
}

// meaning returns the stems of the words that carry meaning, sorted and without duplicates. Masked
// words and stop words are left out.
func meaning(words []string) []string {
	var out []string
	for _, w := range words {
		if isWord(w) && !stopword(w) {
			out = append(out, stem(w))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// telling returns the words that identify a sentence: its words of meaning or, if there are only
// stop words as in "is that right", all words.
func telling(words []string) []string {
	if told := meaning(words); len(told) > 0 {
		return told
	}
	return words
}

// denies reports whether a sentence contains a negation.
func denies(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		switch w {
		case "not", "no", "never", "cannot", "unable", "without", "nothing", "nobody", "none", "neither", "nor",
			"cant", "wont", "dont", "doesnt", "didnt", "isnt", "arent", "wasnt", "werent", "couldnt", "wouldnt", "shouldnt", "havent", "hasnt", "hadnt":
			return true
		}
		return strings.HasSuffix(w, "n't")
	})
}

// stem removes the endings of a word's forms: "bookings" and "booked" both become "book".
func stem(w string) string {
	w = strings.TrimSuffix(w, "'s")
	for range 2 {
		for _, end := range []string{"ing", "ed", "es", "s", "ly"} {
			if cut, ok := strings.CutSuffix(w, end); ok && len(cut) >= 4 {
				w = cut
				break
			}
		}
	}
	if len(w) > 4 {
		w = strings.TrimSuffix(w, "e")
	}
	return w
}

func stopword(w string) bool {
	switch w {
	case "a", "an", "the", "this", "that", "these", "those", "here", "there", "it", "its", "it's", "that's", "there's",
		"i", "i'm", "i'll", "i'd", "i've", "me", "my", "we", "we're", "we'll", "we've", "us", "our", "you", "you're", "you'll", "you've", "your",
		"he", "she", "they", "him", "her", "them", "their",
		"is", "are", "was", "were", "be", "been", "am", "do", "does", "did", "have", "has", "had", "will", "would", "shall", "should",
		"can", "could", "may", "might", "let", "let's",
		"and", "or", "but", "so", "then", "if", "as", "of", "to", "in", "on", "at", "for", "with", "from", "by", "about", "up", "out",
		"okay", "ok", "well", "right", "alright", "um", "uh", "er", "ah", "oh", "hmm", "mm", "yes", "yeah", "sure", "please", "just",
		"now", "also", "very", "really", "like", "sir", "madam", "mr", "mrs", "ms", "miss", "dr", "what", "which", "who", "how", "when", "where":
		return true
	}
	return false
}
