// Package strictjson refuses JSON that two programs may read differently
// (RFC 7493): text that is not UTF-8 or begins with a byte order mark, half a
// surrogate pair, a name that stands twice in one object, a number beyond what a
// float64 holds, and nesting without end. Packages api and calllog look at every body with it before they decode
// the body with encoding/json, which lets all of these pass; they and package score
// take 2.0 for the whole number that it is (WholeNumbers). It stands beside
// package problem and imports the standard library alone.
package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Error says where a text breaks and why.
type Error struct {
	// Line and Column count from 1; the column counts bytes.
	Line, Column int
	Message      string
}

// Error implements error.
func (e *Error) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
}

// Check returns the first fault of the text, nil when it is one JSON value of at
// most depth brackets within one another. Its time grows with the text alone.
func Check(data []byte, depth int) *Error { return check(data, depth, true) }

// CheckButNames is Check for decoders that look for names given twice and for
// numbers themselves, and can say at which place of the document.
func CheckButNames(data []byte, depth int) *Error { return check(data, depth, false) }

func check(data []byte, depth int, names bool) *Error {
	if bytes.HasPrefix(data, []byte("\ufeff")) {
		return fault(data, 1, "the text begins with a byte order mark; leave it out")
	}
	if at := invalidUTF8(data); at >= 0 {
		return fault(data, at+1, "the text is not UTF-8")
	}
	if at := deeper(data, depth); at >= 0 {
		return fault(data, at+1, fmt.Sprintf("it nests deeper than %d levels", depth))
	}
	var whole json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		at := len(data)
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			at = int(syntax.Offset)
		}
		message := err.Error()
		if at >= len(data) && message == "unexpected end of JSON input" {
			message = "the text ends in the middle"
		}
		return fault(data, at, message)
	}
	w := walker{data: data, strict: names}
	return w.walk()
}

// fault is an error at the last of the first n bytes.
func fault(data []byte, n int, message string) *Error {
	read := data[:min(max(n, 0), len(data))]
	line := bytes.Count(read, []byte{'\n'}) + 1
	column := len(read) - (bytes.LastIndexByte(read, '\n') + 1)
	return &Error{Line: line, Column: max(column, 1), Message: message}
}

func invalidUTF8(data []byte) int {
	for i := 0; i < len(data); {
		if data[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// deeper is where a bracket opens inside limit others, -1 when none does.
func deeper(data []byte, limit int) int {
	depth, inText := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case c == '{' || c == '[':
			if depth++; depth > limit {
				return i
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return -1
}

// walker goes once over a text that is known to be JSON.
type walker struct {
	data []byte
	// strict says that a name may stand in an object once, and that numbers are looked at.
	strict bool
	// names are those of the objects that are open, nil for a list.
	names []map[string]bool
}

func (w *walker) walk() *Error {
	isName := false
	for i := 0; i < len(w.data); i++ {
		switch w.data[i] {
		case '{':
			w.names = append(w.names, map[string]bool{})
			isName = true
		case '[':
			w.names = append(w.names, nil)
			isName = false
		case '}', ']':
			w.names = w.names[:len(w.names)-1]
		case ',':
			isName = w.names[len(w.names)-1] != nil
		case ':':
			isName = false
		case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			end := w.numberEnd(i)
			number := w.data[i:end]
			if w.strict && tooLarge(string(number), bytes.ContainsAny(number, "eE")) {
				return fault(w.data, i+1, "the number "+short(string(number))+" is too large to be read")
			}
			i = end - 1
		case '"':
			end := w.end(i)
			if at := halfPair(w.data[i:end]); at >= 0 {
				return fault(w.data, i+at+1, "half a surrogate pair stands for no character")
			}
			if isName && w.strict {
				if err := w.name(i, end); err != nil {
					return err
				}
			}
			i = end - 1
		}
	}
	return nil
}

// numberEnd is where the number that begins at i is over.
func (w *walker) numberEnd(i int) int {
	for i < len(w.data) && strings.IndexByte("+-.0123456789Ee", w.data[i]) >= 0 {
		i++
	}
	return i
}

// tooLarge reports whether a number, which may have an exponent, is beyond the largest float64.
func tooLarge(number string, exponent bool) bool {
	if len(number) < 300 && !exponent {
		return false // it has fewer digits than that has
	}
	_, err := strconv.ParseFloat(number, 64)
	return err != nil
}

// end is where the text that begins at i is over.
func (w *walker) end(i int) int {
	for i++; w.data[i] != '"'; i++ {
		if w.data[i] == '\\' {
			i++
		}
	}
	return i + 1
}

func (w *walker) name(from, to int) *Error {
	name := string(w.data[from+1 : to-1])
	if bytes.IndexByte(w.data[from:to], '\\') >= 0 {
		_ = json.Unmarshal(w.data[from:to], &name) // it is JSON
	}
	open := w.names[len(w.names)-1]
	if open[name] {
		return fault(w.data, from+1, "the name "+strconv.Quote(short(name))+" stands twice in one object")
	}
	open[name] = true
	return nil
}

// short is a name that can be shown.
func short(name string) string {
	if len(name) <= 64 {
		return name
	}
	cut := 64
	for !utf8.RuneStart(name[cut]) {
		cut--
	}
	return name[:cut] + "…"
}

// halfPair is where an escape of a surrogate stands that has no other half, -1
// when none does. text is JSON text with its quotes.
func halfPair(text []byte) int {
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		first, ok := escape(text[i:])
		if !ok || first < 0xd800 || first > 0xdfff {
			i++
			continue
		}
		if second, ok := escape(text[i+6:]); !ok || first > 0xdbff || second < 0xdc00 || second > 0xdfff {
			return i
		}
		i += 11
	}
	return -1
}

// escape reads \uXXXX at the beginning of text.
func escape(text []byte) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	v, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return rune(v), err == nil
}
