package lenient

import (
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/strictjson"
)

// Object reads one JSON object of a submission. Mistakes are noted with their paths and reading
// goes on, so that a client learns of all of them at once.
type Object struct {
	at     *place
	values *strictjson.Object
	notes  *[]problem.Field
	// used are the fields that could be read; nil where that is not needed.
	used *fields
}

// place is the position of an object in the one above it, nil for the outermost. It is only turned
// into text when there is something to note.
type place struct {
	above *place
	// name is the name of the field, and element the index in its list, −1 if it is no list.
	name    string
	element int
}

// path returns the place as text, such as "payload.messages[2]"; "" for the outermost object.
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

// fields is a set of an object's fields, by their index. The first word covers nearly all objects;
// further is for larger ones.
type fields struct {
	first   uint64
	further []uint64
}

const bitsEach = 64

func (f *fields) has(at int) bool {
	switch i := at/bitsEach - 1; {
	case f == nil || at < 0 || i >= len(f.further):
		return false
	case i < 0:
		return f.first>>at&1 == 1
	default:
		return f.further[i]>>(at%bitsEach)&1 == 1
	}
}

func (f *fields) add(at int) {
	switch i := at/bitsEach - 1; {
	case at < 0:
	case i < 0:
		f.first |= 1 << at
	default:
		if missing := i + 1 - len(f.further); missing > 0 {
			f.further = append(f.further, make([]uint64, missing)...)
		}
		f.further[i] |= 1 << (at % bitsEach)
	}
}

// Note notes a mistake in a field of the object. At most a hundred are kept.
func (o Object) Note(name, message string) {
	if len(*o.notes) >= maxNotes {
		return
	}
	*o.notes = append(*o.notes, problem.Field{Path: o.pathOf(name), Message: message})
}

// Named returns the object as if it stood in a field of that name, and starts tracking which fields
// are read.
func (o Object) Named(name string) Object {
	o.at, o.used = &place{name: name, element: -1}, new(fields)
	return o
}

// Values returns the object's decoded values.
func (o Object) Values() *strictjson.Object { return o.values }

// Has reports whether the field is present and not null.
func (o Object) Has(name string) bool { return o.values.Get(name) != nil }

// Raw returns the value of a field as encoding/json decodes it, nil if absent.
func (o Object) Raw(name string) any { return strictjson.Plain(o.values.Get(name)) }

// required returns the value of a field, or notes that it is missing and returns nil.
func (o Object) required(name string) any {
	value := o.values.Get(name)
	if value == nil {
		o.Note(name, "is required")
	}
	return value
}

// Text reads a required field with text in one line of at most limit bytes; "" after a mistake.
func (o Object) Text(name string, limit int) string {
	value := o.required(name)
	if value == nil {
		return ""
	}
	text, ok := strictjson.Text(value)
	switch {
	case !ok:
		o.Note(name, "must be text")
	case len(text) <= limit && isPlain(text):
		return text
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

// Prose reads a required field with text of any length and form.
func (o Object) Prose(name string) (text string, ok bool) {
	value := o.required(name)
	if value == nil {
		return "", false
	}
	if text, ok = strictjson.Text(value); !ok {
		o.Note(name, "must be text")
	}
	return text, ok
}

// Int reads a required field with a whole number.
func (o Object) Int(name string) (n int64, ok bool) {
	value := o.required(name)
	if value == nil {
		return 0, false
	}
	number, isNumber := strictjson.Number(value)
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

// Object reads a required field with an object.
func (o Object) Object(name string) (inner Object, ok bool) {
	value := o.required(name)
	if value == nil {
		return Object{}, false
	}
	values, ok := value.(*strictjson.Object)
	if !ok {
		o.Note(name, "must be an object")
		return Object{}, false
	}
	return o.inner(name, values), true
}

// Objects reads a required field with a list of at most limit objects. Other elements are noted and
// left out.
func (o Object) Objects(name string, limit int) []Object {
	value := o.required(name)
	if value == nil {
		return nil
	}
	list, ok := value.([]any)
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

// element is the per-object state of an Object, allocated for many at once.
type element struct {
	at   place
	used fields
}

// elements returns the first objects in a list, at most limit, and the indexes of the other
// elements it came across.
func (o Object) elements(name string, list []any, limit int) (out []Object, strange []int) {
	limit = min(limit, len(list))
	out = make([]Object, 0, limit)
	elements := make([]element, limit)
	for i, value := range list {
		values, ok := value.(*strictjson.Object)
		switch n := len(out); {
		case n == limit:
			return out, strange
		case !ok:
			strange = append(strange, i)
		default:
			elements[n].at = place{above: o.at, name: name, element: i}
			out = append(out, Object{at: &elements[n].at, values: values, notes: o.notes, used: &elements[n].used})
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

// isPlain reports whether a text consists of printable ASCII and neither begins nor ends with a
// space: most texts do, and need no further checks.
func isPlain(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return text != "" && text[0] != ' ' && text[len(text)-1] != ' '
}
