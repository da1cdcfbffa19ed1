package calllog

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// Object reads one JSON object of a submission. What is wrong with a field is
// noted with its path and reading goes on, so that a client hears of all its
// mistakes at once.
type Object struct {
	path   string
	values map[string]any
	notes  *[]problem.Field
	// used holds the fields that could be read; nil where nobody asks.
	used map[string]struct{}
}

// Note writes down what is wrong with a field of the object. After a hundred
// mistakes no more are kept.
func (o Object) Note(name, message string) {
	if len(*o.notes) >= maxNotes {
		return
	}
	*o.notes = append(*o.notes, problem.Field{Path: o.at(name), Message: message})
}

// Has reports whether the field is there and not null.
func (o Object) Has(name string) bool { return o.values[name] != nil }

// Raw is the value of a field as it was decoded, nil when it is not there.
func (o Object) Raw(name string) any { return o.values[name] }

// Text is a field that must be there and hold plain text in one line of at
// most limit bytes; "" when it does not.
func (o Object) Text(name string, limit int) string {
	if !o.Has(name) {
		o.Note(name, "is required")
		return ""
	}
	text, ok := o.values[name].(string)
	switch {
	case !ok:
		o.Note(name, "must be text")
	case strings.TrimSpace(text) == "":
		o.Note(name, "must not be empty")
	case len(text) > limit:
		o.Note(name, "must not be longer than "+strconv.Itoa(limit)+" bytes")
	case strings.ContainsFunc(text, unicode.IsControl):
		o.Note(name, "must be plain text in one line")
	default:
		return text
	}
	return ""
}

// Prose is a field that must be text, of any length and form; ok is false when it is not.
func (o Object) Prose(name string) (text string, ok bool) {
	if !o.Has(name) {
		o.Note(name, "is required")
		return "", false
	}
	if text, ok = o.values[name].(string); !ok {
		o.Note(name, "must be text")
	}
	return text, ok
}

// Int is a field that must be there and hold a whole number.
func (o Object) Int(name string) (n int64, ok bool) {
	if !o.Has(name) {
		o.Note(name, "is required")
		return 0, false
	}
	number, isNumber := o.values[name].(json.Number)
	if isNumber {
		if n, err := number.Int64(); err == nil {
			return n, true
		}
		if f, err := number.Float64(); err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
			return int64(f), true
		}
	}
	o.Note(name, "must be a whole number")
	return 0, false
}

// Object is a field that must be there and hold an object.
func (o Object) Object(name string) (inner Object, ok bool) {
	if !o.Has(name) {
		o.Note(name, "is required")
		return Object{}, false
	}
	values, ok := o.values[name].(map[string]any)
	if !ok {
		o.Note(name, "must be an object")
		return Object{}, false
	}
	return o.inner(name, values), true
}

// Objects is a field that must hold a list of at most limit objects. Elements
// that are none are noted and left out.
func (o Object) Objects(name string, limit int) []Object {
	if !o.Has(name) {
		o.Note(name, "is required")
		return nil
	}
	list, ok := o.values[name].([]any)
	if !ok {
		o.Note(name, "must be a list")
		return nil
	}
	if len(list) > limit {
		o.Note(name, "must not have more than "+strconv.Itoa(limit)+" elements")
		return nil
	}
	out := make([]Object, 0, len(list))
	for i, element := range list {
		place := name + "[" + strconv.Itoa(i) + "]"
		values, ok := element.(map[string]any)
		if !ok {
			o.Note(place, "must be an object")
			continue
		}
		out = append(out, o.inner(place, values))
	}
	return out
}

func (o Object) at(name string) string {
	if o.path == "" {
		return name
	}
	return o.path + "." + name
}
