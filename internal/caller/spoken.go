package caller

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// spoken is the part of a sentence written by a language model that is said aloud, on one line. It
// leaves out stage directions at the beginning ("*sighs*", "(laughs)"), the marks of emphasis,
// headings and lists, and pictographs, which voices would read out.
func spoken(sentence string) string {
	sentence = strings.Join(strings.FieldsFunc(sentence, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	sentence = strings.Map(func(r rune) rune {
		if isPicture(r) {
			return -1
		}
		return r
	}, sentence)
	sentence = strings.TrimLeft(sentence, "# ")
	for _, bullet := range []string{"- ", "* ", "• "} {
		sentence = strings.TrimPrefix(sentence, bullet)
	}
	sentence = withoutDirections(sentence)
	return strings.Join(strings.Fields(withoutEmphasis(sentence)), " ")
}

// isPicture reports whether a rune is a pictograph or belongs to one. A degree or trade mark sign
// is read like a word.
func isPicture(r rune) bool {
	const arrows = 0x2190
	return r >= arrows && unicode.In(r, unicode.So, unicode.Sk, unicode.Variation_Selector)
}

// mostDirection is how many words a stage direction has at most.
const mostDirection = 4

// withoutDirections drops stage directions from the beginning: a few words between asterisks or
// brackets that begin with a small letter, as no sentence does.
func withoutDirections(sentence string) string {
	for {
		rest := strings.TrimLeft(sentence, " ")
		kind := strings.IndexAny("*([", rest[:min(1, len(rest))])
		if kind < 0 {
			return rest
		}
		inside, after, closed := strings.Cut(rest[1:], "*)]"[kind:kind+1])
		first, _ := utf8.DecodeRuneInString(inside)
		if !closed || !unicode.IsLower(first) || len(strings.Fields(inside)) > mostDirection {
			return rest
		}
		sentence = after
	}
}

// withoutEmphasis drops asterisks, underscores and backquotes that stand next to a word; what joins
// two words ("first_name") parts them.
func withoutEmphasis(sentence string) string {
	var b strings.Builder
	before := ' '
	for rest := sentence; rest != ""; {
		marks := rest[:len(rest)-len(strings.TrimLeft(rest, "*_`"))]
		rest = rest[len(marks):]
		next, size := utf8.DecodeRuneInString(rest)
		switch {
		case marks == "" || !isWord(before) && !isWord(next):
			b.WriteString(marks)
		case isWord(before) && isWord(next):
			b.WriteByte(' ')
		}
		b.WriteString(rest[:size])
		before, rest = next, rest[size:]
	}
	return b.String()
}
