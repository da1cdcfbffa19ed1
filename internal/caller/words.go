package caller

import (
	"strings"
	"unicode"
)

// holdsAny reports which of the phrases stands in the text as whole words, in
// any case and whatever the punctuation; "" when none does.
func holdsAny(text string, phrases []string) string {
	heard := " " + plainWords(text) + " "
	for _, p := range phrases {
		if words := plainWords(p); words != "" && strings.Contains(heard, " "+words+" ") {
			return p
		}
	}
	return ""
}

// plainWords is the text as lower-case words parted by single blanks. An
// apostrophe belongs to its word and is left out; numbers up to 99 are figures,
// however they were spoken or written.
func plainWords(text string) string {
	fields := strings.FieldsFunc(strings.Map(func(r rune) rune {
		if r == '\'' || r == '’' {
			return -1
		}
		return unicode.ToLower(r)
	}, text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) })
	return strings.Join(figures(fields), " ")
}

// figures turns English number words up to ninety-nine into figures.
func figures(words []string) []string {
	out := words[:0]
	for i := 0; i < len(words); i++ {
		n, ok := numberWord(words[i])
		if !ok {
			out = append(out, words[i])
			continue
		}
		if n >= 20 && n%10 == 0 && i+1 < len(words) {
			if unit, ok := numberWord(words[i+1]); ok && unit >= 1 && unit <= 9 {
				n, i = n+unit, i+1
			}
		}
		out = append(out, figure(n))
	}
	return out
}

func figure(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return string([]rune{rune('0' + n/10), rune('0' + n%10)})
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
