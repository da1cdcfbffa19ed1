package phrase

import "strconv"

// secondPlaces reads "second" where it is an ordinal: at the end of one ("the twenty
// second", "may twenty second"), after "the", and before what is numbered. Alone, and after
// "a" and "one", it is a measure of time.
func secondPlaces(in, before []Token) (made []Token, used int) {
	tens := 0
	if in[0].Kind == Number && len(in[0].Text) == 2 && in[0].Text[0] >= '2' && in[0].Text[1] == '0' {
		tens, used = atoi(in[0].Text), 1
	}
	if used >= len(in) || !isWord(in[used], "second") {
		return nil, 0
	}
	if !placed(before) && !numbered(in[used+1:]) {
		return nil, 0
	}
	return []Token{{Kind: Ordinal, Text: strconv.Itoa(tens + 2)}}, used + 1
}

// placed reports whether the preceding token leads to an ordinal.
func placed(before []Token) bool {
	if len(before) == 0 {
		return false
	}
	last := before[len(before)-1]
	return isWord(last, "the") || monthOf(last) > 0
}

// numbered reports whether what follows is usually numbered: a street, a floor, a month.
func numbered(next []Token) bool {
	if len(next) == 0 {
		return false
	}
	switch next[0].Text {
	case "floor", "street", "avenue":
		return true
	case "of":
		return len(next) > 1 && monthOf(next[1]) > 0
	}
	return false
}
