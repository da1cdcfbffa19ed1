package lenient

import (
	"slices"
	"strings"
	"unicode"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// Respelt notes fields that were meant for one of the known ones and are written
// in another way (external_agent_id, ExternalAgentId), where that one is not
// there itself: they would be passed over, and a call stay without its agent or
// its transcript, and nobody the wiser. Other unknown fields are the client's own.
func (o Object) Respelt(known ...string) {
	for name := range o.values.All() {
		if slices.Contains(known, name) {
			continue
		}
		at := slices.IndexFunc(known, func(k string) bool { return len(name) <= MaxName && Spelling(name) == Spelling(k) })
		if at < 0 || o.Has(known[at]) || len(*o.notes) >= maxNotes {
			continue
		}
		*o.notes = append(*o.notes, problem.Field{Path: o.pathOf(name), Message: "is not a known field", Suggestion: known[at]})
	}
}

// Spelling is a name without what styles of writing names differ in.
func Spelling(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}
