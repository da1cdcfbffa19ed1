package score

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/score/phrase"
	"github.com/ringtrue/ringtrue/internal/strictjson"
)

// The limits of a configuration.
const (
	maxParamBytes = 256 << 10 // for the longest rubric in any script
	maxTextLength = 1000
)

// decode decodes params into v, a pointer to a struct with json tags, and refuses unknown keys.
func decode(params json.RawMessage, v any) *problem.Error {
	if len(bytes.TrimSpace(params)) == 0 {
		return nil
	}
	if len(params) > maxParamBytes {
		return invalid("params", "the parameters are longer than 256 KiB")
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(params, &keys); err != nil {
		return invalid("params", "the parameters are not a JSON object")
	}
	if e := unknownKeys(keys, fieldNames(v)); e != nil {
		return e
	}
	d := json.NewDecoder(bytes.NewReader(strictjson.WholeNumbers(params)))
	d.UseNumber()
	if err := d.Decode(v); err != nil && !errors.Is(err, io.EOF) {
		return wrongType(err)
	}
	return nil
}

func unknownKeys(keys map[string]json.RawMessage, known []string) *problem.Error {
	var fields []problem.Field
	for key := range keys {
		if !slices.Contains(known, key) {
			fields = append(fields, problem.Field{
				Path: "params." + clip(key, 60), Message: "there is no such parameter",
				Suggestion: problem.Nearest(key, known),
			})
		}
	}
	if len(fields) == 0 {
		return nil
	}
	sort.Slice(fields, func(i, j int) bool { return fields[i].Path < fields[j].Path })
	return problem.Invalid(fields...)
}

func wrongType(err error) *problem.Error {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		path := "params"
		if wrong.Field != "" {
			path += "." + wrong.Field
		}
		return invalid(path, "must be "+inJSON(wrong.Type))
	}
	return invalid("params", "the parameters cannot be read: "+err.Error())
}

// inJSON names a parameter's type in the words of the API's other messages.
func inJSON(t reflect.Type) string {
	switch t.Kind() { //nolint:exhaustive // the rest is decoded from objects
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.Slice:
		return "a list"
	}
	return "an object"
}

// fieldNames returns the JSON names of the fields of the struct that v points to.
func fieldNames(v any) []string {
	t := reflect.TypeOf(v).Elem()
	var out []string
	for field := range t.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name != "" && name != "-" {
			out = append(out, name)
		}
	}
	return out
}

func invalid(path, message string) *problem.Error {
	return problem.Invalid(problem.Field{Path: path, Message: message})
}

// neededText checks a required text, which must contain at least one word.
func neededText(path, text string) *problem.Error {
	switch {
	case strings.TrimSpace(text) == "":
		return invalid(path, "a text is needed")
	case utf8.RuneCountInString(text) > maxTextLength:
		return invalid(path, "the text is longer than 1000 characters")
	case len(phrase.Normalise(text)) == 0:
		return invalid(path, "the text has no word that could be spoken")
	}
	return nil
}

func quoted(s string) string { return strconv.Quote(clip(s, 300)) }

// clip shortens s to about n bytes without splitting a character.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	cut := n
	for cut > 0 && s[cut]&0xC0 == 0x80 {
		cut--
	}
	return s[:cut] + "…"
}

// tail returns the last n bytes of a text at most, without a part of a character.
func tail(s string, n int) string {
	if len(s) <= n {
		return s
	}
	cut := len(s) - n
	for cut < len(s) && s[cut]&0xC0 == 0x80 {
		cut++
	}
	return "…" + s[cut:]
}
