package phrase

import "strings"

// oh tells a spoken zero ("ten oh five", "five oh oh one", "oh one two") from the
// exclamation: a zero stands between numbers, or precedes several single digits.
func oh(in, before []Token) bool {
	if !zeroLetter(in[0]) {
		return false
	}
	if len(before) > 0 {
		switch last := before[len(before)-1]; {
		case last.Kind == Number:
			return last.Text == "0" || len(in) > 1 && (zeroLetter(in[1]) || spokenUnder100(in[1])) || len(in) == 1 && digitsBefore(before, 3)
		case zeroLetter(last):
			return false // the one before was judged by the same words and is no zero either
		}
	}
	return beforeDigits(in[1:])
}

// beforeDigits reports whether single digits follow a zero, and perhaps others: "oh oh one two",
// "oh two oh seven", "oh eight hundred one two three".
func beforeDigits(in []Token) bool {
	for len(in) > 0 && zeroLetter(in[0]) {
		in = in[1:]
	}
	if len(in) < 2 || !spokenDigit(in[0]) {
		return false
	}
	if zeroLetter(in[1]) {
		return len(in) > 2 && spokenDigit(in[2])
	}
	return spokenDigit(in[1]) || isWord(in[1], "hundred") && digitByDigit(in[2:])
}

// digitsBefore reports whether at least n single digits came just before.
func digitsBefore(before []Token, n int) bool {
	for k := 1; k <= n; k++ {
		if !singleDigit(before, len(before)-k) {
			return false
		}
	}
	return true
}

func zeroLetter(t Token) bool { return isWord(t, "oh") || isWord(t, "o") }

// spokenDigit reports whether a word is a digit.
func spokenDigit(t Token) bool { return t.Kind == Word && len(t.Text) > 2 && spokenUnit(t.Text) >= 0 }

// spokenUnder100 reports whether a word is one of those for zero to ninety.
func spokenUnder100(t Token) bool {
	_, ok := unitWords(t)
	return ok
}

// repeated reads "double five" and "triple oh" among other digits. Elsewhere, as in
// "double room" or "a double one", they are no digits.
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

// digitByDigit reports whether digits spoken one by one begin here, instead of the
// end of a number: "eight hundred five five five" is 800 and 555.
func digitByDigit(in []Token) bool {
	return len(in) > 1 && spokenDigit(in[0]) && (spokenDigit(in[1]) || zeroLetter(in[1]))
}
