package problem

import (
	"strings"
	"unicode"
)

// Unseen reports whether nothing of a name is visible: it is empty, or has only blanks and
// characters that are not displayed. Nobody could find such a name in a list or a menu.
func Unseen(name string) bool {
	return !strings.ContainsFunc(name, func(c rune) bool { return unicode.IsGraphic(c) && !unicode.IsSpace(c) })
}
