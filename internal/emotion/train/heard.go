package train

import (
	"math/rand/v2"
	"strings"
	"unicode"
)

// AsHeard returns a text as a telephone recogniser would write it: lower case,
// no punctuation, no emoji, names in place of the data's placeholders, and with
// the fillers of spoken language.
func AsHeard(text string, random *rand.Rand) string {
	names := []string{"john", "mary", "michael", "sarah", "david", "anna", "james", "linda"}
	fillers := []string{"uh", "um", "you know", "i mean", "like", "well", "so", "uh"}
	var out strings.Builder
	for i, word := range strings.Fields(text) {
		if strings.HasPrefix(word, "[") && strings.Contains(word, "]") {
			word = names[random.IntN(len(names))]
		}
		word = spoken(word)
		if word == "" {
			continue
		}
		if out.Len() > 0 {
			out.WriteByte(' ')
		}
		if p := random.IntN(100); p < 7 || i == 0 && p < 15 {
			out.WriteString(fillers[random.IntN(len(fillers))])
			out.WriteByte(' ')
		}
		out.WriteString(word)
	}
	return out.String()
}

// spoken returns what is spoken of a written word.
func spoken(word string) string {
	for _, smiley := range []string{":)", ":(", ":D", ":P", ";)", ":-)", ":/", "<3", "=)", "xD", "XD"} {
		word = strings.ReplaceAll(word, smiley, "")
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\'' || r == '’':
			return '\''
		case r == '-' || r == '/':
			return ' '
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '*':
			return unicode.ToLower(r)
		}
		return -1
	}, word)
}
