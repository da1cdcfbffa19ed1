package rest

import (
	"strconv"
	"strings"
)

// taught says in the words of this interface what the library's schema
// validation says in its own.
func taught(message string) string {
	for _, w := range []struct{ theirs, ours, after string }{
		{"expected length <= ", "must not be longer than ", " characters"},
		{"expected length >= 1", "must not be empty", ""},
		{"expected length >= ", "must have at least ", " characters"},
		{"expected number >= ", "must be at least ", ""},
		{"expected number <= ", "must be at most ", ""},
		{"expected array length >= 1", "must not be empty", ""},
		{"expected array length <= ", "must not have more elements than ", ""},
		{"expected value to be one of ", "must be one of ", ""},
		{"expected string to be ", "must be ", ""},
		{"expected string", "must be text", ""},
		{"expected integer", "must be a whole number", ""},
		{"invalid integer", "must be a whole number", ""},
		{"expected number", "must be a number", ""},
		{"expected boolean", "must be true or false", ""},
		{"invalid boolean", "must be true or false", ""},
		{"expected array", "must be a list", ""},
		{"expected object", "must be an object", ""},
		{"unknown query parameter", "is not a known parameter", ""},
		{"required query parameter is missing", "is missing", ""},
	} {
		if rest, ok := strings.CutPrefix(message, w.theirs); ok {
			return w.ours + plainNumber(strings.Trim(rest, `"`)) + w.after
		}
	}
	return message
}

// plainNumber writes a very large or small number without its exponent, and other text as it is.
func plainNumber(text string) string {
	if n, err := strconv.ParseFloat(text, 64); err == nil && strings.Contains(text, "e") {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return text
}
