// Package page is how long lists are given: some elements at a time, and with
// them the cursor that leads to the next ones. The packages that keep what is
// listed (audit, catalog, archive, experiment, review, workspace/people, …) ask
// it what a limit and a cursor come to; package store reads one element more
// than the page has, and package api tells the cursor to the client.
package page

import (
	"strings"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// Default and Max are how many elements a page has when its limit is 0, and at most.
const (
	Default = 50
	Max     = 1000
)

// Size is how many elements the page has that is asked for with this limit and
// cursor. A cursor is "" for the first page, and else one that known takes for its own.
func Size(limit int, cursor string, known func(cursor string) bool) (int, error) {
	var fields []problem.Field
	if limit < 0 || limit > Max {
		fields = append(fields, problem.Field{Path: "limit", Message: "must be between 1 and 1000"})
	}
	if cursor != "" && !known(cursor) {
		fields = append(fields, NoCursor())
	}
	if len(fields) > 0 {
		return 0, problem.Invalid(fields...)
	}
	if limit == 0 {
		return Default, nil
	}
	return limit, nil
}

// NoCursor is the fault of a cursor that the list never gave.
func NoCursor() problem.Field {
	return problem.Field{Path: "cursor", Message: "is not a cursor of this list; pass next_cursor of the page before, unchanged"}
}

// maxID bounds the length of an id.
const maxID = 64

// ByID knows the cursors of a list whose cursors are ids with this prefix ("agt" of "agt_…").
func ByID(prefix string) func(cursor string) bool {
	return func(cursor string) bool { return IsID(prefix, cursor) }
}

// IsID reports whether the text can be an id with this prefix. One with something behind it
// would stand after the very id in every order, and lead to an element twice.
func IsID(prefix, text string) bool {
	rest, ok := strings.CutPrefix(text, prefix+"_")
	return ok && len(text) <= maxID && !strings.ContainsFunc(rest, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_'
	})
}

// Cut shortens what was read with one element too many to a page of that size,
// and returns the cursor of the next one, "" when this is the last.
func Cut[T any](read []T, size int, cursor func(last *T) string) (elements []T, next string) {
	if len(read) <= size {
		return read, ""
	}
	return read[:size], cursor(&read[size-1])
}
