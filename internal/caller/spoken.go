package caller

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// spoken returns the part of a model's sentence that is to be said aloud, on one line: without
// stage directions ("*sighs*", "(laughs)") at the beginning and without Markdown emphasis,
// headings, lists and emoji, which speech engines would read out.
func spoken(sentence string) string {
	sentence = strings.Join(strings.FieldsFunc(sentence, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	sentence = strings.Map(func(r rune) rune {
		if isPicture(r) || isUnseen(r) {
			return -1
		}
		return r
	}, strings.ReplaceAll(sentence, codeFence, ""))
	sentence = strings.TrimLeft(sentence, "# ")
	for _, bullet := range []string{"- ", "* ", "• "} {
		sentence = strings.TrimPrefix(sentence, bullet)
	}
	sentence = withoutDirections(sentence)
	return strings.Join(strings.Fields(withoutEmphasis(sentence)), " ")
}

// codeFence is the mark around a block of code, into which some models put all that they write.
const codeFence = "```"

// isUnseen reports whether a rune only tells how others are shown: from right to left, not parted, or not
// at all. The two joiners are a part of words in some scripts.
func isUnseen(r rune) bool {
	const nonJoiner, joiner = 0x200C, 0x200D
	return unicode.Is(unicode.Cf, r) && r != nonJoiner && r != joiner
}

// isPicture reports whether a rune is an emoji or part of one. Symbols that are read as words, such as
// degree and trade mark signs, are not.
func isPicture(r rune) bool {
	const arrows = 0x2190
	return r >= arrows && unicode.In(r, unicode.So, unicode.Sk, unicode.Variation_Selector)
}

// mostDirection is the largest number of words in a stage direction.
const mostDirection = 4

// withoutDirections removes stage directions from the beginning: a few words in asterisks or
// brackets that start with a lower-case letter, as a sentence does not.
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

// withoutEmphasis removes asterisks, underscores and backquotes next to a word. Those between two
// words ("first_name") become spaces.
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
