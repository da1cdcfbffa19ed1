package caller

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/ringtrue/ringtrue/internal/score/phrase"
)

// holdsAny returns the first of the phrases that occurs in text as whole words, ignoring case
// and punctuation; "" if none does.
func holdsAny(text string, phrases []string) string {
	heard := " " + plainWords(text) + " "
	for _, p := range phrases {
		if words := plainWords(p); words != "" && strings.Contains(heard, " "+words+" ") {
			return p
		}
	}
	return ""
}

// plainWords returns text as lower-case words separated by single spaces. English contractions
// are expanded, other apostrophes are removed, numbers up to 999 become figures, and each character
// of a script without spaces is a word. It runs between two frames and is therefore fast rather than thorough: the comparison that scorers
// use (package score/phrase) takes a hundred times as long.
func plainWords(text string) string {
	text = contractions.Replace(strings.ReplaceAll(strings.ToLower(phrase.Composed(text)), "’", "'"))
	text = parted(text)
	fields := strings.FieldsFunc(text, func(r rune) bool {
		return r != '.' && !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
	})
	return strings.Join(figures(fields), " ")
}

// parted puts spaces around the characters of scripts that do not part words by spaces.
func parted(text string) string {
	if !strings.ContainsFunc(text, phrase.Unspaced) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if phrase.Unspaced(r) {
			b.WriteString(" " + string(r) + " ")
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// contractions expands what recognisers write in either form, and makes a word of each mark after which a
// number is another one ("at ten thirty. One moment").
var contractions = strings.NewReplacer( //nolint:gochecknoglobals // made once
	"can't", "can not", "cannot", "can not", "won't", "will not", "n't", " not", "'re", " are", "'ll", " will", "'ve", " have", "i'm", "i am",
	"it's", "it is", "that's", "that is", "there's", "there is", "here's", "here is", "what's", "what is", "let's", "let us",
	"'", "", "%", " percent", "&", " and ",
	".", " . ", ",", " . ", ";", " . ", ":", " . ", "!", " . ", "?", " . ",
)

// figures turns English number words up to nine hundred and ninety-nine into figures, and leaves out the marks
// between them.
func figures(words []string) []string {
	out := words[:0]
	for i := 0; i < len(words); i++ {
		if words[i] == "." {
			continue
		}
		n, used := spokenNumber(words[i:])
		if used == 0 {
			out = append(out, words[i])
			continue
		}
		out = append(out, strconv.Itoa(n))
		i += used - 1
	}
	return out
}

// spokenNumber reads the number that the words begin with, and returns how many of them it took.
func spokenNumber(words []string) (n, used int) {
	if n, used = underHundred(words); used == 0 && words[0] == "a" {
		n, used = 1, 1
	}
	if n == 0 || n > 9 || used == len(words) || words[used] != "hundred" {
		return underHundred(words)
	}
	n, used = 100*n, used+1
	rest := words[used:]
	if len(rest) > 0 && rest[0] == "and" {
		rest = rest[1:]
	}
	more, took := underHundred(rest)
	if more == 0 || took < len(rest) && rest[took] == "hundred" { // "one hundred and two hundred"
		return n, used
	}
	return n + more, len(words) - len(rest) + took
}

// underHundred reads a number of one word or two.
func underHundred(words []string) (n, used int) {
	if len(words) == 0 {
		return 0, 0
	}
	n, ok := numberWord(words[0])
	if !ok {
		return 0, 0
	}
	if n >= 20 && n%10 == 0 && len(words) > 1 {
		if unit, ok := numberWord(words[1]); ok && unit >= 1 && unit <= 9 {
			return n + unit, 2
		}
	}
	return n, 1
}

func numberWord(word string) (int, bool) {
	if word == "zero" {
		return 0, true
	}
	units := []string{
		"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
		"fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
	}
	for i, u := range units {
		if word == u {
			return i + 1, true
		}
	}
	tens := []string{"twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"}
	for i, u := range tens {
		if word == u {
			return 20 + 10*i, true
		}
	}
	return 0, false
}
