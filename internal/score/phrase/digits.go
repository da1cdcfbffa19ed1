package phrase

import "strings"

// oh tells a spoken zero ("ten oh five", "five oh oh one", "oh one two") from the
// exclamation: it stands between numbers, or leads several of one digit.
func oh(in, before []Token) bool {
	if !zeroLetter(in[0]) {
		return false
	}
	if len(before) > 0 {
		switch last := before[len(before)-1]; {
		case last.Kind == Number:
			return last.Text == "0" || len(in) > 1 && (zeroLetter(in[1]) || spokenUnder100(in[1])) || len(in) == 1 && digitsBefore(before, 3)
		case zeroLetter(last):
			return false // what follows them all made no zero of that one either
		}
	}
	n := 1
	for n < len(in) && zeroLetter(in[n]) {
		n++
	}
	return n+1 < len(in) && spokenDigit(in[n]) && spokenDigit(in[n+1])
}

// digitsBefore says whether at least n single digits were said just before.
func digitsBefore(before []Token, n int) bool {
	for k := 1; k <= n; k++ {
		if !singleDigit(before, len(before)-k) {
			return false
		}
	}
	return true
}

func zeroLetter(t Token) bool { return isWord(t, "oh") || isWord(t, "o") }

// spokenDigit says whether a word is one digit.
func spokenDigit(t Token) bool { return t.Kind == Word && len(t.Text) > 2 && spokenUnit(t.Text) >= 0 }

// spokenUnder100 says whether a word is one of those from zero to ninety.
func spokenUnder100(t Token) bool {
	_, ok := unitWords(t)
	return ok
}

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
