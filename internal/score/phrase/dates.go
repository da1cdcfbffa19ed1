package phrase

import (
	"strconv"
	"strings"
)

// rewritten replaces tokens by what phrase makes of them. phrase gets the tokens that
// come next and what was made of those before them; it returns its result and how many
// tokens that replaces, 0 for none.
func rewritten(in []Token, phrase func(next, before []Token) (made []Token, used int)) []Token {
	out := make([]Token, 0, len(in))
	for i := 0; i < len(in); {
		made, used := phrase(in[i:], out)
		if used == 0 {
			out = append(out, in[i])
			i++
			continue
		}
		for _, t := range made {
			t.First, t.Last = in[i].First, in[i+used-1].Last
			out = append(out, t)
		}
		i += used
	}
	return out
}

// into adapts, for rewritten, a function that makes one token of several regardless of
// those before.
func into(phrase func(next []Token) (Token, int)) func(next, _ []Token) ([]Token, int) {
	return func(next, _ []Token) ([]Token, int) {
		t, used := phrase(next)
		if used == 0 {
			return nil, 0
		}
		return []Token{t}, used
	}
}

// dates joins a month with its day: "march 3rd", "the third of march", "3 march".
func dates(in []Token) []Token { return rewritten(in, into(datedAt)) }

// datedAt reads a date and the year that may follow it.
func datedAt(in []Token) (Token, int) {
	t, used := dateAt(in)
	if used == 0 {
		return Token{}, 0
	}
	year, took := yearAt(in[used:])
	t.Year = year
	return t, used + took
}

// yearAt reads a year from 1900 to 2099: 2026, "twenty twenty six".
func yearAt(in []Token) (year string, used int) {
	if len(in) == 0 || in[0].Kind != Number || in[0].Hour {
		return "", 0
	}
	century := func(t string) bool { return strings.HasPrefix(t, "19") || strings.HasPrefix(t, "20") }
	switch first := in[0].Text; {
	case len(first) == 4 && century(first):
		return first, 1
	case len(first) == 2 && century(first) && len(in) > 1 && in[1].Kind == Number && len(in[1].Text) == 2:
		return first + in[1].Text, 2
	}
	return "", 0
}

func dateAt(in []Token) (Token, int) {
	if m := monthOf(in[0]); m > 0 && len(in) > 1 {
		next := 1
		if isWord(in[1], "the") && len(in) > 2 {
			next = 2
		}
		if _, took := yearAt(in[next:]); took == 2 { // "june twenty twenty six" has no day
			return Token{}, 0
		}
		if d, ok := dayOf(in[next]); ok {
			if t, ok := dateOf(m, d); ok {
				return t, next + 1
			}
		}
		return Token{}, 0
	}
	d, ok := dayOf(in[0])
	if !ok {
		return Token{}, 0
	}
	next := 1
	if len(in) > 2 && isWord(in[1], "of") {
		next = 2
	}
	if len(in) > next && (next == 2 || in[0].Kind != Word) {
		if t, ok := dateOf(monthOf(in[next]), d); ok {
			return t, next + 1
		}
	}
	return Token{}, 0
}

func dayOf(t Token) (int, bool) {
	if isWord(t, "second") {
		return 2, true
	}
	if t.Kind != Ordinal && t.Kind != Number || len(t.Text) > 2 || t.Hour {
		return 0, false
	}
	d := atoi(t.Text)
	return d, d >= 1 && d <= 31
}

func dateOf(month, day int) (Token, bool) {
	names := monthNames()
	if month < 1 || month > 12 || day < 1 || day > 31 {
		return Token{}, false
	}
	return Token{Kind: Date, Text: names[month-1] + " " + strconv.Itoa(day)}, true
}

func monthOf(t Token) int {
	if t.Kind != Word || len(t.Text) < 3 {
		return 0
	}
	for i, name := range monthNames() {
		if t.Text == name || (len(t.Text) == 3 && strings.HasPrefix(name, t.Text)) {
			return i + 1
		}
	}
	return 0
}

func monthNames() [12]string {
	return [12]string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}
}

// numberAt reports whether the token at i is a number from 1 to most.
func numberAt(in []Token, i, most int) bool {
	if i >= len(in) || in[i].Kind != Number {
		return false
	}
	n := atoi(in[i].Text)
	return n >= 1 && n <= most
}

// begins reports whether the tokens begin with these words.
func begins(in []Token, words string) bool {
	for i := 0; words != ""; i++ {
		var w string
		w, words, _ = strings.Cut(words, " ")
		if i >= len(in) || !isWord(in[i], w) {
			return false
		}
	}
	return true
}
