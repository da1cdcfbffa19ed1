package phrase

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// address matches an e-mail address, or a host name with a well-known ending.
var address = regexp.MustCompile(`^(?:[a-z0-9._+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+|[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|edu|gov|io|eu|uk|de|fr|es))$`)

// code matches a word in which letters and digits alternate, such as a booking code. A number with
// letters behind it may be a measure ("50mm"), and a letter before a number is often misheard.
var code = regexp.MustCompile(`\b(?:[a-z]{2,3}\d+|[a-z]{1,3}\d+[a-z]|\d+[a-z]{1,3}\d+[a-z])`)

// longestInCode is how many letters may stand between the digits of a code.
const longestInCode = 3

// addressWords writes an address as it is spoken: "anna dot miller at example dot com".
func addressWords(w string) []Token {
	out := pieces(strings.NewReplacer("@", " at ", ".", " dot ", "_", " underscore ", "-", " dash ", "+", " plus ").Replace(w))
	for i := range out {
		out[i].Spelt = true
	}
	return out
}

// Composed returns a text in the form in which words are compared: "é" is one character, although
// some platforms, recognisers and keyboards write it as an e and an accent.
func Composed(text string) string { return norm.NFC.String(text) }

// letter reports whether a rune is part of a word. Marks count, since many scripts write
// vowels as marks.
func letter(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) }

// Unspaced reports whether a rune is of a script that does not part words by spaces. Each is a token
// of its own.
func Unspaced(r rune) bool {
	return r >= 0x0e00 && (r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar))
}

// latinDigit converts digits of other scripts to ASCII.
func latinDigit(r rune) rune {
	for _, zero := range [...]rune{'\u0660', '\u06f0', '\u0966', '\uff10'} { // Arabic, Persian, Devanagari, wide
		if r >= zero && r <= zero+9 {
			return '0' + r - zero
		}
	}
	return r
}
