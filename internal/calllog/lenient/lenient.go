package lenient

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/strictjson"
)

// The methods here read what a platform wrote and its client cannot change. They note no
// mistakes: a field of an unexpected type counts as absent, but numbers may be text and
// text numbers. Fields that were used are marked as read, and Rest returns the others.

// Inside returns the object in a field, an empty one if there is none. It also accepts an
// object that is the only element of a list, or that is encoded as text.
func (o Object) Inside(name string) Object {
	value := o.values.Get(name)
	values, ok := value.(*strictjson.Object)
	if !ok && value != nil {
		if values, ok = objectIn(value); ok {
			o.values.Put(name, values) // so that the text is parsed only once
		}
	}
	if ok {
		o.read(name)
	}
	return o.inner(name, values)
}

// Of returns an Object with the given values, whose numbers are json.Number.
func Of(values map[string]any) Object {
	return Object{values: strictjson.ObjectOf(values), notes: new([]problem.Field), used: new(fields)}
}

// Err returns the mistakes noted so far as a problem, nil if there are none.
func (o Object) Err() error {
	notes := slices.Clone(*o.notes)
	if len(notes) == 0 {
		return nil
	}
	slices.SortStableFunc(notes, func(a, b problem.Field) int { return cmp.Compare(a.Path, b.Path) })
	return problem.Invalid(slices.CompactFunc(notes, func(a, b problem.Field) bool { return a.Path == b.Path })...)
}

// Shown returns a word of the client's own in a form that is safe in a message.
func Shown(word string) string { return shown(word) }

// ID reads a required identifier: short text, or a whole number. Mistakes are noted.
func (o Object) ID(name string) string {
	number, ok := strictjson.Number(o.values.Get(name))
	if ok && len(number) <= 64 {
		o.read(name)
		return number.String()
	}
	o.read(name)
	return o.Text(name, MaxName)
}

// Fields returns the values of an object that is kept as it is, nil if there is none or
// it is longer than MaxMetadata.
func (o Object) Fields(name string) map[string]any {
	object, ok := o.values.Get(name).(*strictjson.Object)
	if !ok {
		return nil
	}
	values := object.Map()
	if TooLong(values) {
		return nil
	}
	o.read(name)
	return values
}

// Whole returns everything in the object.
func (o Object) Whole() map[string]any { return o.values.Map() }

// Empty reports whether the object has no fields.
func (o Object) Empty() bool { return o.values.Len() == 0 }

// Elements returns the objects in a list, at most limit. Other elements are left out.
func (o Object) Elements(name string, limit int) []Object {
	list, ok := o.list(name)
	if !ok {
		return nil
	}
	o.read(name)
	out, _ := o.elements(name, list, limit)
	return out
}

// list returns the list in a field, which may be encoded as text.
func (o Object) list(name string) (list []any, ok bool) {
	value := o.values.Get(name)
	if list, ok = value.([]any); ok {
		return list, true
	}
	if list, ok = written(value).([]any); ok {
		o.values.Put(name, list)
	}
	return list, ok
}

// List returns the number of elements in a list; ok is false if the field holds no list.
func (o Object) List(name string) (length int, ok bool) {
	list, ok := o.list(name)
	return len(list), ok
}

// Word reads short text in one line, or a number as text, cut at limit bytes. It is "" if
// there is none.
func (o Object) Word(name string, limit int) string {
	word := Word(o.values.Get(name), limit)
	if word != "" {
		o.read(name)
	}
	return word
}

// Word returns text or a number, as decoded by strictjson or encoding/json, as one line
// of at most limit bytes.
func Word(value any, limit int) string {
	var text string
	switch v := value.(type) {
	case *string:
		text = *v
	case string:
		text = v
	case *json.Number:
		text = v.String()
	case json.Number:
		text = v.String()
	default:
		return ""
	}
	if len(text) <= limit && isPlain(text) {
		return text
	}
	text = Cut(text, 4*limit)
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
	return Cut(strings.TrimSpace(text), limit)
}

// Said reads text of any form, possibly in parts, cut at limit bytes.
func (o Object) Said(name string, limit int) string {
	value := o.values.Get(name)
	text, ok := strictjson.Text(value)
	if parts, inParts := value.([]any); inParts {
		text = together(parts, limit)
		ok = text != ""
	}
	if !ok {
		return ""
	}
	o.read(name)
	return Cut(strings.TrimSpace(text), limit)
}

// together joins the parts of a text: lines, or the parts of a chat message whose type is
// text.
func together(parts []any, limit int) string {
	var out strings.Builder
	for _, part := range parts {
		between, text := "\n", ""
		switch v := part.(type) {
		case *string:
			text = *v
		case *strictjson.Object:
			if strings.HasSuffix(Word(v.Get("type"), MaxName), "text") {
				between = " "
				text, _ = strictjson.Text(v.Get("text"))
			}
		}
		if text == "" || out.Len() > limit {
			continue
		}
		if out.Len() > 0 {
			out.WriteString(between)
		}
		out.WriteString(text)
	}
	return out.String()
}

// Answer reads what a function answered: text, or any other value as JSON text.
func (o Object) Answer(name string, limit int) string {
	if text, ok := strictjson.Text(o.values.Get(name)); ok {
		o.read(name)
		return Cut(text, limit)
	}
	return string(o.JSON(name, limit))
}

// JSON returns a field as JSON text. Text that is valid JSON is returned as it is, other
// text is quoted. The result is nil if the field is absent or longer than limit bytes.
func (o Object) JSON(name string, limit int) json.RawMessage {
	if !o.Has(name) {
		return nil
	}
	text, isText := strictjson.Text(o.values.Get(name))
	if isText && text == "" {
		return nil
	}
	if raw := json.RawMessage(text); isText && json.Valid(raw) && len(raw) <= limit {
		o.read(name)
		return raw
	}
	written, err := json.Marshal(o.values.Get(name))
	if err != nil || len(written) > limit {
		return nil
	}
	o.read(name)
	return written
}

// Address reads an http or https address of at most 4096 bytes, "" if there is none.
func (o Object) Address(name string) string {
	text, ok := strictjson.Text(o.values.Get(name))
	if text = strings.TrimSpace(text); !ok || text == "" || len(text) > 4096 {
		return ""
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	o.read(name)
	return text
}

// Names returns the names of the object's fields, sorted.
func (o Object) Names() []string { return o.values.Names() }

// Done marks fields as read whose content is kept elsewhere or not needed.
func (o Object) Done(names ...string) {
	for _, name := range names {
		o.read(name)
	}
}

// Rest returns the names of the fields that were not read, sorted.
func (o Object) Rest() []string {
	var rest []string
	at := 0
	for name, value := range o.values.All() {
		if value != nil && !o.used.has(at) {
			rest = append(rest, name)
		}
		at++
	}
	slices.Sort(rest)
	return rest
}

func (o Object) read(name string) {
	if o.used != nil {
		o.used.add(o.values.Index(name))
	}
}

func (o Object) inner(name string, values *strictjson.Object) Object {
	inner := &element{at: place{above: o.at, name: name, element: -1}}
	return Object{at: &inner.at, values: values, notes: o.notes, used: &inner.used}
}

// Cut shortens text to at most limit bytes without splitting a character.
func Cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "")
}
