package problem

import (
	"strings"
	"unicode"
)

// Unseen reports whether nothing of a name can be seen: it has no letters, or only blanks and characters that leave
// nothing on the screen. Nobody finds what is called so in a list or a menu.
func Unseen(name string) bool {
	return !strings.ContainsFunc(name, func(c rune) bool { return unicode.IsGraphic(c) && !unicode.IsSpace(c) })
}
