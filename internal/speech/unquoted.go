package speech

import (
	"strings"
	"unicode"
)

// fewestQuoted is the number of consecutive shared words that count as a quotation; fewer occur
// in any two texts.
const fewestQuoted = 3

// quotation replaces a quotation.
const quotation = "[what it was asked]"

// unquoted returns text without quotations of others. Some endpoints repeat the request when they
// reject it, and what people say must not be logged. One of the others that occurs as a whole is
// a quotation however short it is.
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

// wordPlace is a word in lower case and its position in its text, in bytes.
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
