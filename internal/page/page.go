// Package page defines how long lists are paged: a limited number of elements at a time, with a
// cursor for the next ones. The packages that own what is listed (audit, catalog, archive,
// experiment, review, workspace/people, …) validate limits and cursors with it; package store reads
// one element more than the page has, and package api returns the cursor to the client.
package page

import (
	"strings"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// Default is the page size if the limit is 0, Max the largest one.
const (
	Default = 50
	Max     = 1000
)

// Size returns the page size for a limit and a cursor. A cursor is "" for the first page; any other
// must be accepted by known.
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

// NoCursor returns the error for a cursor that the list never returned.
func NoCursor() problem.Field {
	return problem.Field{Path: "cursor", Message: "is not a cursor of this list; pass next_cursor of the page before, unchanged"}
}

// maxID bounds the length of an id.
const maxID = 64

// ByID returns the check for cursors that are ids with this prefix ("agt" for "agt_…").
func ByID(prefix string) func(cursor string) bool {
	return func(cursor string) bool { return IsID(prefix, cursor) }
}

// IsID reports whether the text can be an id with this prefix. An id with a suffix must be refused:
// it sorts after the id itself, and as a cursor would return an element twice.
func IsID(prefix, text string) bool {
	rest, ok := strings.CutPrefix(text, prefix+"_")
	return ok && len(text) <= maxID && !strings.ContainsFunc(rest, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_'
	})
}

// Cut reduces what was read, which is one element too many unless this is the last page, to a page
// of that size. It returns the cursor of the next page, "" if there is none.
func Cut[T any](read []T, size int, cursor func(last *T) string) (elements []T, next string) {
	if len(read) <= size {
		return read, ""
	}
	return read[:size], cursor(&read[size-1])
}
