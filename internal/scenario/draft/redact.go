package draft

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// madeUp are the digits of a fictitious telephone number.
const madeUp = "5550100"

// How many consecutive digits may identify a person. If words like "thirty" are among them, it
// takes one more: "ten thirty" is a time and "nineteen eighty four" a year.
const (
	leastDigits = 4
	leastPaired = 5
)

// withoutNumbers replaces every number of four or more digits in text by made-up digits,
// whether written in figures or spoken in English: digit by digit or in pairs, with "double",
// "dash" and "uh" in between. Times of day and amounts below 1000 are left alone. The words of text
// must be separated by single spaces.
func withoutNumbers(text string) string {
	all := atomsOf(text)
	for rest := all; len(rest) > 0; {
		n := runOf(rest)
		disguise(rest[:n])
		rest = rest[max(n, 1):]
	}
	var out strings.Builder
	for _, a := range all {
		out.WriteString(a.text)
	}
	return out.String()
}

// kind is the role of an atom in a number.
type kind uint8

const (
	other     kind = iota // not part of a number
	gap                   // between words
	figures               // "212", "867-5309"
	mixed                 // "A12345": a number by itself
	digitName             // "seven"
	letterO               // said for a zero
	teen                  // "ten", "thirteen": two digits
	tens                  // "forty": two digits, together with a following digit
	multiple              // "double"
	filler                // "uh", "dash"
	joiner                // "and": only between digit names
)

// atom is a piece of a line.
type atom struct {
	text string
	kind kind
	// digits is the number of digits it stands for, or, for "double" and the like, that it adds
	// to the next one.
	digits int
}

// atomsOf splits a line into atoms. Concatenated, they give the line.
func atomsOf(text string) (out []atom) {
	for i, word := range strings.Split(text, " ") {
		if i > 0 {
			out = append(out, atom{text: " ", kind: gap})
		}
		switch n := digitsIn(word); {
		case n > 0 && (clock.MatchString(word) || smallAmount.MatchString(word)):
			out = append(out, atom{text: word})
		case n > 0 && strings.ContainsFunc(word, unicode.IsLetter):
			out = append(out, atom{word, mixed, n})
		case n > 0:
			out = append(out, atom{word, figures, n})
		default:
			out = appendWords(out, word)
		}
	}
	return out
}

var (
	// clock matches one or two times of day: "10:30", "(9.15am)", "10:30-11:45".
	clock = regexp.MustCompile(`^\W*` + hour + `([^\w.:]` + hour + `)?\W*$`)
	// smallAmount matches an amount of money below 1000: "$45.50".
	smallAmount = regexp.MustCompile(`^\W*[$£€]\d{1,3}[.,]\d\d\W*$`)
)

const hour = `([01]?\d|2[0-3])[:.][0-5]\d(?i:[ap]\.?m)?`

// appendWords appends the words of a piece without figures: "five-six" is two words.
func appendWords(out []atom, piece string) []atom {
	inside := func(r rune) bool { return unicode.IsLetter(r) || r == '\'' || r == '’' }
	for piece != "" {
		first, _ := utf8.DecodeRuneInString(piece)
		end := strings.IndexFunc(piece, func(r rune) bool { return inside(r) != inside(first) })
		if end < 0 {
			end = len(piece)
		}
		a := atom{text: piece[:end], kind: gap}
		if inside(first) {
			a.kind, a.digits = kindOf(strings.ToLower(a.text))
		}
		out, piece = append(out, a), piece[end:]
	}
	return out
}

func kindOf(word string) (kind, int) {
	switch word {
	case "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "oh":
		return digitName, 1
	case "o":
		return letterO, 1
	case "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen":
		return teen, 2
	case "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety":
		return tens, 2
	case "double":
		return multiple, 1
	case "triple", "treble":
		return multiple, 2
	case "uh", "um", "uhm", "er", "erm", "ah", "hm", "hmm", "mm", "dash", "hyphen", "slash", "dot", "point", "space":
		return filler, 0
	case "and", "then":
		return joiner, 0
	}
	return other, 0
}

// number is the part of a number read so far.
type number struct {
	digits, least int
	last          kind
	// adds is how many digits a "double" adds to the next digit.
	adds   int
	joined bool
}

// runOf returns how many atoms at the beginning form one number that may identify a person, 0 if
// none do. Atoms that may occur between digits are included if digits follow.
func runOf(atoms []atom) (length int) {
	switch first := atoms[0]; first.kind { //nolint:exhaustive // the others may begin a number
	case other, gap, filler, joiner, letterO:
		return 0
	case mixed:
		if first.digits >= leastDigits {
			return 1
		}
		return 0
	}
	n := number{least: leastDigits}
	for i, a := range atoms {
		if !n.take(a) {
			break
		}
		if n.last == a.kind {
			length = i + 1
		}
	}
	if n.digits < n.least {
		return 0
	}
	return length
}

// take reads one more atom. It returns false if that ends the number.
func (n *number) take(a atom) bool {
	switch a.kind {
	case gap, filler:
		return true
	case joiner:
		n.joined = true
		return n.last == digitName && n.adds == 0
	case multiple:
		ok := n.adds == 0 && !n.joined
		n.adds = a.digits
		return ok
	case other, mixed:
		return false
	case figures, digitName, letterO, teen, tens:
	}
	if n.joined && a.kind != digitName {
		return false
	}
	if a.kind == teen || a.kind == tens {
		n.least = leastPaired
	}
	if n.digits += a.digits + n.adds; n.last == tens && a.kind == digitName && n.adds == 0 {
		n.digits-- // "forty two"
	}
	n.last, n.adds, n.joined = a.kind, 0, false
	return true
}

// disguise replaces the digits of a number by made-up ones.
func disguise(atoms []atom) {
	at := 0
	next := func() byte {
		at++
		return madeUp[(at-1)%len(madeUp)]
	}
	for i, a := range atoms {
		switch a.kind {
		case figures, mixed:
			atoms[i].text = strings.Map(func(r rune) rune {
				if !unicode.IsDigit(r) {
					return r
				}
				return rune(next())
			}, a.text)
		case digitName, letterO, teen, tens:
			atoms[i].text = spelled(next())
		case other, gap, multiple, filler, joiner:
		}
	}
}

func digitsIn(word string) int {
	n := 0
	for _, r := range word {
		if unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

func spelled(digit byte) string {
	return [...]string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}[digit-'0']
}
