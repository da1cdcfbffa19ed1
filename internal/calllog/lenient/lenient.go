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

// The methods here read what a platform wrote and its client cannot change.
// They note nothing: a field of another type than expected counts as absent,
// numbers may be text and text numbers. What they could use is marked as read,
// and Rest gives back what nobody could.

// Inside is the object in a field, an empty one when there is none. One that is the only
// element of a list, or is there as its text, counts as well.
func (o Object) Inside(name string) Object {
	value := o.values.Get(name)
	values, ok := value.(*strictjson.Object)
	if !ok && value != nil {
		if values, ok = objectIn(value); ok {
			o.values.Put(name, values) // a text is read once
		}
	}
	if ok {
		o.read(name)
	}
	return o.inner(name, values)
}

// Of is an object made of the values, whose numbers are json.Number.
func Of(values map[string]any) Object {
	return Object{values: strictjson.ObjectOf(values), notes: new([]problem.Field), used: new(fields)}
}

// Err is what was noted while the object was read, nil when nothing was.
func (o Object) Err() error {
	notes := slices.Clone(*o.notes)
	if len(notes) == 0 {
		return nil
	}
	slices.SortStableFunc(notes, func(a, b problem.Field) int { return cmp.Compare(a.Path, b.Path) })
	return problem.Invalid(slices.CompactFunc(notes, func(a, b problem.Field) bool { return a.Path == b.Path })...)
}

// Shown is a word of the client's own, made fit to stand in a message.
func Shown(word string) string { return shown(word) }

// ID is a field without which the call cannot be told from others: short text,
// or a whole number. What is wrong with it is noted.
func (o Object) ID(name string) string {
	number, ok := strictjson.Number(o.values.Get(name))
	if ok && len(number) <= 64 {
		o.read(name)
		return number.String()
	}
	o.read(name)
	return o.Text(name, MaxName)
}

// Fields are the values of an object that is to be kept as it is, nil when
// there is none or when it is larger than metadata may be.
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

// Whole is everything in the object.
func (o Object) Whole() map[string]any { return o.values.Map() }

// Empty reports whether the object has no fields.
func (o Object) Empty() bool { return o.values.Len() == 0 }

// Elements are the objects in a list, at most limit. Other elements are left out.
func (o Object) Elements(name string, limit int) []Object {
	list, ok := o.list(name)
	if !ok {
		return nil
	}
	o.read(name)
	out, _ := o.elements(name, list, limit)
	return out
}

// list is the list in a field, also where it is there as its text.
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

// List reports how many elements a list has; ok is false when the field holds none.
func (o Object) List(name string) (length int, ok bool) {
	list, ok := o.list(name)
	return len(list), ok
}

// Word is short text in one line, or a number as text: "" when there is none.
// What is longer than limit bytes is cut.
func (o Object) Word(name string, limit int) string {
	word := Word(o.values.Get(name), limit)
	if word != "" {
		o.read(name)
	}
	return word
}

// Word makes one line of text or of a number, of a body or as encoding/json reads them.
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

// Said is text of any form, cut at limit bytes. It may come in parts.
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

// together is a text whose parts are a list's: lines, or parts of a chat message that say
// that they are text.
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

// Answer is what a function answered: text, or any other value as JSON text.
func (o Object) Answer(name string, limit int) string {
	if text, ok := strictjson.Text(o.values.Get(name)); ok {
		o.read(name)
		return Cut(text, limit)
	}
	return string(o.JSON(name, limit))
}

// JSON is a field as JSON text; text that is JSON already stays as it is and
// other text is quoted. It is nil when there is nothing or more than limit bytes.
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

// Address is an http or https address of at most 4096 bytes, "" when there is none.
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

// Names are the names of the object's fields, sorted.
func (o Object) Names() []string { return o.values.Names() }

// Done marks fields as read whose content is kept elsewhere, or of no use.
func (o Object) Done(names ...string) {
	for _, name := range names {
		o.read(name)
	}
}

// Rest are the names of the fields that nobody could use, sorted.
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

// Cut shortens text to limit bytes at the edge of a character.
func Cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "")
}
