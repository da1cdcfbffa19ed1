package score

import (
	"strconv"
	"strings"
)

// clockWords brings the words around a time into one form: "a m" and "in the
// morning" are am, "half past ten" is 10 30, "ten o'clock" is 10, noon is 12 pm.
func clockWords(in []Token) []Token { return rewritten(in, clockPhrase) }

// rewritten puts in the place of tokens what phrase makes of those that come next, and
// where it was said: how many of them it used, none when it makes nothing of them.
// before is what has been made of the tokens before them.
func rewritten(in []Token, phrase func(next, before []Token) (made []Token, used int)) []Token {
	var out []Token
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

// into is for rewritten what makes one token of several, whatever stands before them.
func into(phrase func(next []Token) (Token, int)) func(next, _ []Token) ([]Token, int) {
	return func(next, _ []Token) ([]Token, int) {
		t, used := phrase(next)
		if used == 0 {
			return nil, 0
		}
		return []Token{t}, used
	}
}

// clockPhrase reads what stands at the head of the tokens; it marks the hour that "o'clock" stands behind.
func clockPhrase(in, before []Token) (made []Token, used int) {
	if made, used = partOfHour(in); used > 0 {
		return made, used
	}
	if made, used = misheardTime(in, before); used > 0 {
		return made, used
	}
	if len(before) == 0 || before[len(before)-1].Kind != Number {
		return nil, 0
	}
	last := &before[len(before)-1]
	switch {
	case isWord(in[0], "oclock"):
		last.Hour = true
		return []Token{}, 1
	case phrase(in, "o clock"):
		last.Hour = true
		return []Token{}, 2
	}
	return halfOfDay(in)
}

// partOfHour reads the times that have words of their own.
func partOfHour(in []Token) (made []Token, used int) {
	switch {
	case isWord(in[0], "noon") || isWord(in[0], "midday"):
		return []Token{number("12"), {Kind: Half, Text: "pm"}}, 1
	case isWord(in[0], "midnight"):
		return []Token{number("12"), {Kind: Half, Text: "am"}}, 1
	case !numberAt(in, 2, 12):
		return nil, 0
	case phrase(in, "half past"):
		return []Token{in[2], number("30")}, 3
	case phrase(in, "quarter past"):
		return []Token{in[2], number("15")}, 3
	case phrase(in, "quarter to"):
		return []Token{number(strconv.Itoa((atoi(in[2].Text)+10)%12 + 1)), number("45")}, 3
	}
	return nil, 0
}

// misheardTime finds the places where "to" and "for" can only be hours.
func misheardTime(in, before []Token) (made []Token, used int) {
	switch {
	case len(in) < 2:
		return nil, 0
	case isWord(in[1], "oclock"):
		return misheardHour(in[0])
	case len(before) > 0 && isWord(before[len(before)-1], "at") && numberAt(in, 1, 59) && len(in[1].Text) == 2:
		return misheardHour(in[0])
	}
	return nil, 0
}

// misheardHour reads the hour that every recogniser writes as a word: "at to
// fifteen" is at 2 15, "for o'clock" is 4.
func misheardHour(t Token) (made []Token, used int) {
	switch {
	case isWord(t, "to") || isWord(t, "too"):
		return []Token{number("2")}, 1
	case isWord(t, "for"):
		return []Token{number("4")}, 1
	}
	return nil, 0
}

// halfOfDay reads what follows a time of day.
func halfOfDay(in []Token) (made []Token, used int) {
	for _, h := range []struct{ words, half string }{
		{"am", "am"}, {"pm", "pm"}, {"a m", "am"}, {"p m", "pm"},
		{"in the morning", "am"}, {"in the afternoon", "pm"}, {"in the evening", "pm"}, {"at night", "pm"},
	} {
		if phrase(in, h.words) {
			return []Token{{Kind: Half, Text: h.half}}, len(strings.Fields(h.words))
		}
	}
	return nil, 0
}

// amounts joins numbers with their currency and their cents.
func amounts(in []Token) []Token { return rewritten(in, into(amount)) }

func amount(in []Token) (Token, int) {
	t, used := in[0], 1
	switch {
	case t.Kind == Money:
	case t.Kind == Number && len(in) > 1 && in[1].Kind == Word && currencyOf(in[1].Text) != "":
		whole, cents, _ := strings.Cut(t.Text, ".")
		t, used = Token{Kind: Money, Text: amountText(whole, cents), Unit: currencyOf(in[1].Text)}, 2
	default:
		return Token{}, 0
	}
	rest := in[used:]
	skip := 0
	if len(rest) > 0 && isWord(rest[0], "and") {
		skip = 1
	}
	if len(rest) > skip+1 && rest[skip].Kind == Number && isCents(rest[skip+1]) && !strings.Contains(t.Text, ".") {
		t.Text = amountText(t.Text, twoDigits(rest[skip].Text))
		used += skip + 2
	}
	return t, used
}

func isCents(t Token) bool {
	return isWord(t, "cents") || isWord(t, "cent") || isWord(t, "pence")
}

// amountText writes whole units and cents; no cents are not written.
func amountText(whole, cents string) string {
	if cents == "" || strings.Trim(cents, "0") == "" {
		return bare(whole)
	}
	return bare(whole) + "." + (cents + "0")[:2]
}

func twoDigits(s string) string {
	if len(s) == 1 {
		return "0" + s
	}
	return s
}

func currencyOf(s string) string {
	switch s {
	case "$", "dollar", "dollars", "bucks":
		return "dollars"
	case "€", "euro", "euros":
		return "euros"
	case "£", "pound", "pounds":
		return "pounds"
	}
	return ""
}

// dates joins a month with its day: "march 3rd", "the third of march", "3 march".
func dates(in []Token) []Token { return rewritten(in, into(dateAt)) }

func dateAt(in []Token) (Token, int) {
	if m := monthOf(in[0]); m > 0 && len(in) > 1 {
		next := 1
		if isWord(in[1], "the") && len(in) > 2 {
			next = 2
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
		if t.Text == name || (len(t.Text) == 3 && strings.HasPrefix(name, t.Text) && t.Text != "mar" && t.Text != "may") {
			return i + 1
		}
	}
	return 0
}

func monthNames() [12]string {
	return [12]string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}
}

// numberAt says whether the token at i is a number from 1 to most.
func numberAt(in []Token, i, most int) bool {
	if i >= len(in) || in[i].Kind != Number {
		return false
	}
	n := atoi(in[i].Text)
	return n >= 1 && n <= most
}

// phrase says whether the tokens begin with these words.
func phrase(in []Token, words string) bool {
	for i := 0; words != ""; i++ {
		var w string
		w, words, _ = strings.Cut(words, " ")
		if i >= len(in) || !isWord(in[i], w) {
			return false
		}
	}
	return true
}
