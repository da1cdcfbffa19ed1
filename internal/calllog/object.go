package calllog

import (
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/strictjson"
)

// Object reads one JSON object of a submission. What is wrong with a field is
// noted with its path and reading goes on, so that a client hears of all its
// mistakes at once.
type Object struct {
	at     *place
	values *strictjson.Object
	notes  *[]problem.Field
	// used holds the fields that could be read; nil where nobody asks.
	used *fields
}

// place is where an object stands in the one above it, nil for the outermost.
// It is put into words only when something is wrong there.
type place struct {
	above *place
	// name is that of the field, and element the place in its list, −1 for none.
	name    string
	element int
}

// path is the place in words, "" for the outermost: "payload.messages[2]".
func (p *place) path() string {
	if p == nil {
		return ""
	}
	path := p.name
	if p.element >= 0 {
		path += "[" + strconv.Itoa(p.element) + "]"
	}
	if above := p.above.path(); above != "" {
		path = above + "." + path
	}
	return path
}

// fields are names of fields. Most objects need none.
type fields struct{ names map[string]struct{} }

func (f *fields) has(name string) bool {
	if f == nil {
		return false
	}
	_, ok := f.names[name]
	return ok
}

func (f *fields) add(name string) {
	if f.names == nil {
		f.names = map[string]struct{}{}
	}
	f.names[name] = struct{}{}
}

// Note writes down what is wrong with a field of the object. After a hundred
// mistakes no more are kept.
func (o Object) Note(name, message string) {
	if len(*o.notes) >= maxNotes {
		return
	}
	*o.notes = append(*o.notes, problem.Field{Path: o.pathOf(name), Message: message})
}

// Has reports whether the field is there and not null.
func (o Object) Has(name string) bool { return o.values.Get(name) != nil }

// Raw is the value of a field as encoding/json reads it, nil when it is not there.
func (o Object) Raw(name string) any { return strictjson.Plain(o.values.Get(name)) }

// Text is a field that must be there and hold plain text in one line of at
// most limit bytes; "" when it does not.
func (o Object) Text(name string, limit int) string {
	if !o.Has(name) {
		o.Note(name, "is required")
		return ""
	}
	text, ok := strictjson.Text(o.values.Get(name))
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
	if text, ok = strictjson.Text(o.values.Get(name)); !ok {
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
	number, isNumber := strictjson.Number(o.values.Get(name))
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
	values, ok := o.values.Get(name).(*strictjson.Object)
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
	list, ok := o.values.Get(name).([]any)
	if !ok {
		o.Note(name, "must be a list")
		return nil
	}
	if len(list) > limit {
		o.Note(name, "must not have more than "+strconv.Itoa(limit)+" elements")
		return nil
	}
	out, strange := o.elements(name, list, limit)
	for _, i := range strange {
		o.Note(name+"["+strconv.Itoa(i)+"]", "must be an object")
	}
	return out
}

// elements are the objects in a list, at most limit, and the places of those
// elements before the last of them that are none.
func (o Object) elements(name string, list []any, limit int) (out []Object, strange []int) {
	limit = min(limit, len(list))
	out = make([]Object, 0, limit)
	places, used := make([]place, limit), make([]fields, limit)
	for i, element := range list {
		values, ok := element.(*strictjson.Object)
		switch n := len(out); {
		case n == limit:
			return out, strange
		case !ok:
			strange = append(strange, i)
		default:
			places[n] = place{above: o.at, name: name, element: i}
			out = append(out, Object{at: &places[n], values: values, notes: o.notes, used: &used[n]})
		}
	}
	return out, strange
}

func (o Object) pathOf(name string) string {
	if above := o.at.path(); above != "" {
		return above + "." + name
	}
	return name
}
