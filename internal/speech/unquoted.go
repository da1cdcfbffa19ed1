package speech

import (
	"strings"
	"unicode"
)

// fewestQuoted is how many words in a row are a quotation; fewer occur in any two texts.
const fewestQuoted = 3

// quotation stands in the place of what was quoted.
const quotation = "[what it was asked]"

// unquoted is a text without what it quotes of others: some endpoints repeat what they were asked
// when they refuse it, and what people say stands in no log. A text of others as a whole is a
// quotation, however short.
func unquoted(text string, others []string) string {
	var asked strings.Builder
	for _, o := range others {
		asked.WriteString("\n " + strings.Join(wordsIn(o), " ") + " \n")
	}
	all := asked.String()
	words := placesOf(text)
	var out strings.Builder
	done := 0
	for i := 0; i < len(words); i++ {
		run, n := " ", 0
		for n < len(words)-i && strings.Contains(all, run+words[i+n].word+" ") {
			run, n = run+words[i+n].word+" ", n+1
		}
		if n >= fewestQuoted || n > 0 && strings.Contains(all, "\n"+run+"\n") {
			out.WriteString(text[done:words[i].from] + quotation)
			i, done = i+n-1, words[i+n-1].to
		}
	}
	return out.String() + text[done:]
}

// wordPlace is a word in small letters and where it stands in its text, in bytes.
type wordPlace struct {
	word     string
	from, to int
}

func wordsIn(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), betweenWords)
}

func placesOf(text string) (out []wordPlace) {
	from := -1
	for at, r := range text + " " {
		switch between := betweenWords(r); {
		case between && from >= 0:
			out = append(out, wordPlace{strings.ToLower(text[from:at]), from, at})
			from = -1
		case !between && from < 0:
			from = at
		}
	}
	return out
}

func betweenWords(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }
