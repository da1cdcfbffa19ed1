package calllog

import (
	"cmp"
	"slices"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// Read reads one payload with a provider's reader. The error is a client's
// mistake and names every field that has one, beginning at "payload".
func Read(reader Reader, payload []byte) (Record, error) {
	o, err := parse(payload)
	if err != nil {
		return Record{}, err
	}
	o.path, o.used = "payload", map[string]struct{}{}
	r := reader(o)
	if notes := *o.notes; len(notes) > 0 {
		slices.SortStableFunc(notes, func(a, b problem.Field) int { return cmp.Compare(a.Path, b.Path) })
		notes = slices.CompactFunc(notes, func(a, b problem.Field) bool { return a.Path == b.Path })
		return Record{}, problem.Invalid(notes...)
	}
	return r, nil
}
