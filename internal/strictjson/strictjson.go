// Package strictjson rejects JSON that two programs may read differently (RFC 7493): text that is
// not UTF-8 or begins with a byte order mark, an unpaired surrogate, a repeated name in an object,
// a number too large for a float64, and unlimited nesting. encoding/json accepts all of these, so
// packages api, calllog and scenario check every text before decoding it; api and score accept 2.0
// as the integer that it is (WholeNumbers). It is on the same tier as package problem and imports
// only the standard library.
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

// Error says where a text is invalid and why.
type Error struct {
	// Line and Column count from 1; the column counts bytes.
	Line, Column int
	Message      string
}

// Error implements error.
func (e *Error) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
}

// Check returns the first error in the text, nil if it is one JSON value with at most depth nested
// brackets. Its time is linear in the length of the text.
func Check(data []byte, depth int) *Error { return check(data, depth, true) }

// CheckButNames is Check for decoders that check repeated names and large numbers themselves, and
// can say where in the document they are.
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

// fault returns an error at the last of the first n bytes.
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

// deeper returns where a bracket is nested inside limit others, -1 if none is.
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

// walker reads a text once that is known to be JSON.
type walker struct {
	data []byte
	// strict requires names to be unique within an object, and numbers to fit into a float64.
	strict bool
	// names holds those of each open object, nil for a list.
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

// numberEnd returns the end of the number that begins at i.
func (w *walker) numberEnd(i int) int {
	for i < len(w.data) && strings.IndexByte("+-.0123456789Ee", w.data[i]) >= 0 {
		i++
	}
	return i
}

// tooLarge reports whether a number, which may have an exponent, is beyond the largest float64.
func tooLarge(number string, exponent bool) bool {
	if len(number) < 300 && !exponent {
		return false // that has more digits
	}
	_, err := strconv.ParseFloat(number, 64)
	return err != nil
}

// end returns the end of the string that begins at i.
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
		_ = json.Unmarshal(w.data[from:to], &name) // it is valid JSON
	}
	open := w.names[len(w.names)-1]
	if open[name] {
		return fault(w.data, from+1, "the name "+strconv.Quote(short(name))+" stands twice in one object")
	}
	open[name] = true
	return nil
}

// short returns a name shortened for a message.
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

// halfPair returns the position of an escaped surrogate without its other half, -1 if there is
// none. text is JSON text with its quotes.
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
