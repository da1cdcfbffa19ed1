package caller

import (
	"strings"
	"unicode"
)

// spoken is what of a sentence that a language model wrote is said aloud, on
// one line: neither stage directions ("*sighs*", "(laughs)") before the words, nor the marks of
// emphasis, headings and lists, nor pictures, which voices read out.
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

// isPicture says that a rune is a picture or belongs to one; a degree and a trade mark are read like words.
func isPicture(r rune) bool {
	const arrows = 0x2190
	return r >= arrows && unicode.In(r, unicode.So, unicode.Sk, unicode.Variation_Selector)
}

// withoutDirections drops stage directions from the beginning: a few words between asterisks or
// brackets that begin with a small letter, as a sentence does not.
func withoutDirections(sentence string) string {
	for {
		rest := strings.TrimLeft(sentence, " ")
		if rest == "" {
			return rest
		}
		end := map[byte]string{'*': "*", '(': ")", '[': "]"}[rest[0]]
		inside, after, closed := strings.Cut(rest[1:], end)
		first, _, _ := strings.Cut(inside, " ")
		if end == "" || !closed || !strings.ContainsFunc(first[:min(1, len(first))], unicode.IsLower) {
			return rest
		}
		sentence = after
	}
}

// withoutEmphasis drops asterisks, underscores and backquotes that stand next to a word.
func withoutEmphasis(sentence string) string {
	runes := []rune(sentence)
	touches := func(i int) bool { return i >= 0 && i < len(runes) && isWord(runes[i]) }
	var b strings.Builder
	for i := 0; i < len(runes); {
		end := i
		for end < len(runes) && strings.ContainsRune("*_`", runes[end]) {
			end++
		}
		if end == i {
			b.WriteRune(runes[i])
			i++
			continue
		}
		if !touches(i-1) && !touches(end) {
			b.WriteString(string(runes[i:end]))
		}
		i = end
	}
	return b.String()
}
