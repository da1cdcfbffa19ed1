package scenario

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// checker collects problems with their paths, so that all problems of a file are reported at once.
type checker struct {
	fields []problem.Field
}

// add records a problem. The number kept is bounded, at twice the number reported; after that,
// the last one is overwritten.
func (c *checker) add(path, format string, args ...any) {
	if len(c.fields) >= 2*maxProblems {
		c.fields = c.fields[:2*maxProblems-1]
	}
	c.fields = append(c.fields, problem.Field{Path: path, Message: fmt.Sprintf(format, args...)})
}

func (c *checker) suggest(path, word string, known []string, format string, args ...any) {
	c.add(path, format, args...)
	c.fields[len(c.fields)-1].Suggestion = problem.Nearest(word, known)
}

// text checks that text is valid UTF-8 of at most max characters, without control characters.
// It may be empty.
func (c *checker) text(path, text string, max int) {
	switch {
	case !utf8.ValidString(text):
		c.add(path, "is not valid UTF-8")
	case utf8.RuneCountInString(text) > max:
		c.add(path, "is longer than %d characters", max)
	case strings.ContainsFunc(text, isControl):
		c.add(path, "holds a control character")
	}
}

// oneLine is like text, and also rejects line breaks and tabs.
func (c *checker) oneLine(path, text string, max int) {
	if before := len(c.fields); strings.ContainsAny(text, "\n\r\t") {
		if c.text(path, text, max); len(c.fields) == before {
			c.add(path, "must be one line")
		}
		return
	}
	c.text(path, text, max)
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// spoken is like text, and also requires a letter or digit.
func (c *checker) spoken(path, text string, max int) {
	if !strings.ContainsFunc(text, isWord) {
		c.add(path, "holds no word")
		return
	}
	c.text(path, text, max)
}

func (c *checker) within(path string, v, low, high int) {
	if v != 0 && (v < low || v > high) {
		c.add(path, "must be between %d and %d, not %d", low, high, v)
	}
}

func (c *checker) factor(path string, v, low, high float64) {
	if v != 0 && !(v >= low && v <= high) {
		plain := func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) } // 0.000001, not 1e-06
		c.add(path, "must be between %s and %s, not %s", plain(low), plain(high), plain(v))
	}
}

func (c *checker) count(path string, n, max int, what string) {
	if n > max {
		c.add(path, "holds %d %s; at most %d are allowed", n, what, max)
	}
}

// isControl reports whether r may not occur in text; line breaks and tabs may.
func isControl(r rune) bool {
	return r != '\n' && r != '\r' && r != '\t' && unicode.IsControl(r)
}

// join appends a key to a path, which may be empty.
func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func at(path string, index int) string { return fmt.Sprintf("%s[%d]", path, index) }
