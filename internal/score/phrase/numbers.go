package phrase

import (
	"strconv"
	"strings"
)

// spokenNumbers replaces number words by numbers: "one hundred and forty five"
// becomes 145, "ten thirty" becomes 10 and 30.
func spokenNumbers(in []Token) []Token {
	out := make([]Token, 0, len(in))
	for i := 0; i < len(in); {
		if t, n := oneNumber(in[i:], out); n > 0 {
			out = append(out, t)
			i += n
			continue
		}
		out = append(out, in[i])
		i++
	}
	return out
}

// oneNumber reads the longest single number at the head of in and returns how many
// tokens it took, 0 if there is none. before is what precedes it.
func oneNumber(in, before []Token) (Token, int) {
	if in[0].Kind != Word && in[0].Kind != Number {
		return Token{}, 0
	}
	if oh(in, before) {
		return Token{Kind: Number, Text: "0", First: in[0].First, Last: in[0].Last}, 1
	}
	if t, used := repeated(in, before); used > 0 {
		return t, used
	}
	value, used, ord := cardinal(in)
	if n := roundOrdinal(in[0]); n > 0 { // "the hundredth" stands alone; behind a number it is a part of it
		value, used, ord = n, 1, true
	}
	if used == 0 {
		return Token{}, 0
	}
	t := Token{Kind: Number, Text: strconv.Itoa(value), First: in[0].First, Last: in[used-1].Last}
	if ord {
		t.Kind = Ordinal
		return t, used
	}
	if used == 1 && in[0].Kind == Number {
		t = in[0]
	}
	if value > 0 && value%million == 0 && begins(in[used:], "and a half") {
		t.Text = strconv.Itoa(value + million/2)
		t.Last = in[used+2].Last
		return t, used + 3
	}
	if digits, n := afterPoint(in[used:]); n > 0 {
		t.Text += "." + digits
		used += n
		t.Last = in[used-1].Last
	}
	return t, used
}

const million = 1_000_000

// sum is the state of reading one number word by word.
type sum struct {
	total, group int
	// scale is the last scale word said, thousand or million; 0 for none.
	scale int
	// last is the size that the next word must stay below: 1000, 100, 10, or 1 if
	// nothing may follow.
	last int
}

// takes reports whether a word of this size can continue the number.
func (s *sum) takes(size int, first bool) bool {
	switch {
	case first:
		return size < 100
	case size >= 1000:
		return s.group > 0 && (s.scale == 0 || size < s.scale)
	case size == 100:
		return s.last < 100 && s.group > 0 && s.group < 100
	case s.last <= size:
		return false
	}
	return s.group%100 == 0 || s.last >= 100 || s.last == 10
}

// anew reports whether another number begins here, because its scale does not fit into this one:
// "two hundred and three hundred".
func (s *sum) anew(in []Token) bool {
	i := 0
	for i < min(2, len(in)) && spokenUnder100(in[i]) {
		i++
	}
	switch {
	case i == 0 || i == len(in):
		return false
	case isWord(in[i], "hundred"):
		return s.last == 100
	case isWord(in[i], "thousand"):
		return s.scale == 1000
	}
	return s.scale > 0 && isWord(in[i], "million")
}

func (s *sum) add(value, size int, figure bool) {
	switch {
	case size >= 1000:
		s.total, s.group, s.scale = s.total+s.group*size, 0, size
	case size == 100:
		s.group *= 100
	default:
		s.group += value
	}
	s.last = min(size, 1000)
	if figure || value == 0 || value >= 10 && value < 20 {
		s.last = 1
	}
}

// cardinal reads one number of several words. It stops where a second number
// begins.
func cardinal(in []Token) (value, used int, ord bool) {
	var s sum
	for i := 0; i < len(in) && !ord; i++ {
		if i > 0 && s.last >= 100 && isWord(in[i], "and") && i+1 < len(in) && smallWord(in[i+1]) {
			continue
		}
		v, size, isOrd, ok := numberWord(in, i)
		if !ok || !s.takes(size, i == 0) || s.last >= 100 && digitByDigit(in[i:]) || s.anew(in[i:]) {
			break
		}
		s.add(v, size, in[i].Kind == Number)
		used, ord = i+1, isOrd
	}
	return s.total + s.group, used, ord
}

// numberWord reads one word: its value, its size (1, 10, 100, 1000 or a million)
// and whether it is an ordinal.
func numberWord(in []Token, i int) (value, size int, ord, ok bool) {
	t := in[i]
	switch {
	case t.Kind == Number:
		n := atoi(t.Text)
		return n, 1, false, i == 0 && n >= 0 && len(t.Text) <= 9
	case t.Kind != Word:
		return 0, 0, false, false
	case t.Text == "hundred":
		return 100, 100, false, i > 0
	case t.Text == "thousand":
		return 1000, 1000, false, i > 0
	case t.Text == "million":
		return million, million, false, i > 0
	case i == 0 && (t.Text == "a" || t.Text == "an"):
		return 1, 1, false, len(in) > 1 && scaleWord(in[1])
	}
	if v, found := unitWords(t); found {
		return v, sizeOf(v), false, v > 0 || i == 0
	}
	if v, found := ordinalWord(t.Text); found {
		return v, sizeOf(v), true, true
	}
	return 0, 0, false, false
}

func scaleWord(t Token) bool {
	return isWord(t, "hundred") || isWord(t, "thousand") || isWord(t, "million")
}

// sizeOf is 10 for ten to nineteen too, since nothing from there on follows a ten: "thirty eleven"
// are two numbers.
func sizeOf(v int) int {
	if v >= 100 {
		return v // of an ordinal
	}
	if v >= 10 {
		return 10
	}
	return 1
}

func smallWord(t Token) bool {
	if t.Kind != Word {
		return false
	}
	_, ok := ordinalWord(t.Text)
	return ok || spokenUnder100(t)
}

// afterPoint reads "point five" and "and a half" after a number.
func afterPoint(in []Token) (digits string, used int) {
	if begins(in, "and a half") {
		return "5", 3
	}
	if len(in) < 2 || !isWord(in[0], "point") {
		return "", 0
	}
	used = 1
	var read strings.Builder
	for used < len(in) {
		v, ok := unitWords(in[used])
		if !ok && in[used].Kind == Number {
			v, ok = atoi(in[used].Text), true
		}
		if !ok && zeroLetter(in[used]) && (used == 1 || used+1 < len(in) && spokenDigit(in[used+1])) {
			v, ok = 0, true // "two point oh", "one point one oh five"
		}
		if !ok || v < 0 {
			break
		}
		read.WriteString(strconv.Itoa(v))
		used++
	}
	if used == 1 {
		return "", 0
	}
	return read.String(), used
}

func isWord(t Token, w string) bool { return t.Kind == Word && t.Text == w }

// unitWords reads the words for zero to ninety.
func unitWords(t Token) (int, bool) {
	if t.Kind != Word || len(t.Text) < 3 || len(t.Text) > 9 {
		return 0, false
	}
	v := spokenUnit(t.Text)
	if v < 0 {
		v = spokenTeenOrTen(t.Text)
	}
	return v, v >= 0
}

func spokenUnit(w string) int {
	switch w {
	case "zero":
		return 0
	case "one":
		return 1
	case "two":
		return 2
	case "three":
		return 3
	case "four":
		return 4
	case "five":
		return 5
	case "six":
		return 6
	case "seven":
		return 7
	case "eight":
		return 8
	case "nine":
		return 9
	}
	return -1
}

func spokenTeenOrTen(w string) int {
	teens := [...]string{"ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"}
	for i, teen := range teens {
		if w == teen {
			return 10 + i
		}
	}
	tens := [...]string{"twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"}
	for i, ten := range tens {
		if w == ten {
			return 20 + 10*i
		}
	}
	return -1
}

// ordinalWord reads "first" to "nineteenth", the tens up to "ninetieth" and those of the scales, except "second", which is
// a measure of time more often than an ordinal; secondPlaces and dates handle it.
func ordinalWord(w string) (int, bool) {
	small := [...]string{
		"first", "", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth", "thirteenth",
		"fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
	}
	if len(w) < 5 {
		return 0, false
	}
	if n := roundOrdinal(Token{Text: w}); n > 0 {
		return n, true
	}
	for i, word := range small {
		if w == word {
			return i + 1, true
		}
	}
	ten, ok := strings.CutSuffix(w, "ieth")
	tens := spokenTeenOrTen(ten + "y")
	return tens, ok && tens >= 20
}

// roundOrdinal reads the ordinals of the scales.
func roundOrdinal(t Token) int {
	switch {
	case isWord(t, "hundredth"):
		return 100
	case isWord(t, "thousandth"):
		return 1000
	case isWord(t, "millionth"):
		return million
	}
	return 0
}
