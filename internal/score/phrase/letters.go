package phrase

import (
	"regexp"
	"strings"
	"unicode"
)

// address is an e-mail address, or the name of a host under a well-known end.
var address = regexp.MustCompile(`^(?:[a-z0-9._+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+|[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|edu|gov|io|eu|uk|de|fr|es))$`)

// addressWords writes an address as it is spoken: "anna dot miller at example dot com".
func addressWords(w string) []Token {
	out := pieces(strings.NewReplacer("@", " at ", ".", " dot ", "_", " underscore ", "-", " dash ", "+", " plus ").Replace(w))
	for i := range out {
		out[i].Spelt = true
	}
	return out
}

// letter says whether a rune is part of a word: many scripts write their vowels as marks.
// The accents that only Latin words are taken apart into are none.
func letter(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsMark(r) && (r < 0x300 || r > 0x36f)
}

// latinDigit brings the digits of other scripts into the form in which numbers are read.
func latinDigit(r rune) rune {
	for _, zero := range [...]rune{'\u0660', '\u06f0', '\u0966', '\uff10'} { // Arabic, Persian, Devanagari, wide
		if r >= zero && r <= zero+9 {
			return '0' + r - zero
		}
	}
	return r
}
