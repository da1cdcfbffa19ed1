package phrase

import "strings"

// oh tells a spoken zero ("ten oh five", "five oh oh one", "oh one two") from the
// exclamation: it stands between numbers, or leads several of one digit.
func oh(in, before []Token) bool {
	if !zeroLetter(in[0]) {
		return false
	}
	n := 1
	for n < len(in) && zeroLetter(in[n]) {
		n++
	}
	digits := 0
	for n+digits < len(in) && spokenDigit(in[n+digits]) {
		digits++
	}
	if len(before) > 0 && before[len(before)-1].Kind == Number {
		_, after := unitWords(in[min(n, len(in)-1)])
		return after || n > 1 || before[len(before)-1].Text == "0"
	}
	return digits > 1
}

func zeroLetter(t Token) bool { return isWord(t, "oh") || isWord(t, "o") }

// spokenDigit says whether a word is one digit.
func spokenDigit(t Token) bool { return t.Kind == Word && len(t.Text) > 2 && spokenUnit(t.Text) >= 0 }

// repeated reads "double five" and "triple oh", which stand among other digits: a
// "double room" and a "double one" are none.
func repeated(in, before []Token) (Token, int) {
	times := 0
	switch {
	case isWord(in[0], "double"):
		times = 2
	case isWord(in[0], "triple"), isWord(in[0], "treble"):
		times = 3
	}
	if times == 0 || len(in) < 2 || !zeroLetter(in[1]) && !spokenDigit(in[1]) {
		return Token{}, 0
	}
	among := len(before) > 0 && before[len(before)-1].Kind == Number || len(in) > 2 && (spokenDigit(in[2]) || zeroLetter(in[2]))
	if !among {
		return Token{}, 0
	}
	digit := string(rune('0' + max(spokenUnit(in[1].Text), 0)))
	return Token{Kind: Number, Text: strings.Repeat(digit, times), First: in[0].First, Last: in[1].Last}, 2
}

// digitByDigit tells digits that are said one by one from the end of a number: "eight
// hundred five five five" is 800 and 555.
func digitByDigit(in []Token) bool {
	return len(in) > 1 && spokenDigit(in[0]) && (spokenDigit(in[1]) || zeroLetter(in[1]))
}
