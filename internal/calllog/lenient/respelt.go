package lenient

import (
	"slices"
	"strings"
	"unicode"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// Respelt notes unknown fields that are another spelling of a known one which is
// absent (external_agent_id, ExternalAgentId). If they were silently ignored, the
// call would lack its agent or its transcript and nobody would notice. Other
// unknown fields are the client's own.
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

// Spelling returns a name in lower case with nothing but letters and digits, so
// that different spellings of it compare equal.
func Spelling(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}
