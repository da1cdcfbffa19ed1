package calllog

import (
	"cmp"
	"encoding/json"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
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
	return o.Text(name, maxName)
}

// Fields are the values of an object that is to be kept as it is, nil when
// there is none or when it is larger than metadata may be.
func (o Object) Fields(name string) map[string]any {
	object, ok := o.values.Get(name).(*strictjson.Object)
	if !ok {
		return nil
	}
	values := object.Map()
	if tooLong(values) {
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
	word := wordOf(o.values.Get(name), limit)
	if word != "" {
		o.read(name)
	}
	return word
}

// wordOf makes one line of text or of a number, of a body or as encoding/json reads them.
func wordOf(value any, limit int) string {
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
	text = cut(text, 4*limit)
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
	return cut(strings.TrimSpace(text), limit)
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
	return cut(strings.TrimSpace(text), limit)
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
			if strings.HasSuffix(wordOf(v.Get("type"), maxName), "text") {
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
		return cut(text, limit)
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

// Number is a finite number, or text of one.
func (o Object) Number(name string) (n float64, ok bool) {
	if n, ok = numberOf(o.values.Get(name)); ok {
		o.read(name)
	}
	return n, ok
}

func numberOf(value any) (float64, bool) {
	var text string
	switch v := value.(type) {
	case *json.Number:
		text = v.String()
	case *string:
		text = strings.TrimSpace(*v)
	default:
		return 0, false
	}
	if n, ok := wholeIn(text); ok {
		return n, true
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		return 0, false
	}
	return n, true
}

// wholeIn is a number of digits alone, as most are, and of so few that a float64
// holds it to the last one.
func wholeIn(text string) (float64, bool) {
	const most = 15
	if text == "" || len(text) > most {
		return 0, false
	}
	var n int64
	for i := range len(text) {
		digit := text[i] - '0'
		if digit > 9 {
			return 0, false
		}
		n = 10*n + int64(digit)
	}
	return float64(n), true
}

// Amount is a number that is not negative: what a call costs.
func (o Object) Amount(name string) (n float64, ok bool) {
	if n, ok = numberOf(o.values.Get(name)); !ok || n < 0 {
		return 0, false
	}
	o.read(name)
	return n, true
}

// Numbers are the finite numbers of a list, at most limit.
func (o Object) Numbers(name string, limit int) []float64 {
	list, ok := o.values.Get(name).([]any)
	if !ok {
		return nil
	}
	o.read(name)
	var out []float64
	for _, element := range list {
		if n, ok := numberOf(element); ok && len(out) < limit {
			out = append(out, n)
		}
	}
	return out
}

// Count is a whole number that is not negative.
func (o Object) Count(name string) (n int, ok bool) {
	v, ok := numberOf(o.values.Get(name))
	if !ok || v < 0 || v > 1e9 || v != math.Trunc(v) {
		return 0, false
	}
	o.read(name)
	return int(v), true
}

// Truth is a boolean, or the text or number of one.
func (o Object) Truth(name string) (truth, ok bool) {
	if truth, ok = truthOf(o.values.Get(name)); ok {
		o.read(name)
	}
	return truth, ok
}

func truthOf(value any) (truth, ok bool) {
	switch v := value.(type) {
	case bool:
		return v, true
	case *json.Number, *string:
		switch strings.ToLower(wordOf(v, 8)) {
		case "true", "yes", "1":
			return true, true
		case "false", "no", "0":
			return false, true
		}
	}
	return false, false
}

// Moment is a time: seconds, milliseconds, microseconds or nanoseconds since
// 1970, told by their size, or ISO 8601. It is zero when there is none between
// 2000 and 2100.
func (o Object) Moment(name string) time.Time {
	at := momentOf(o.values.Get(name))
	if !at.IsZero() {
		o.read(name)
	}
	return at
}

func momentOf(value any) time.Time {
	if n, ok := numberOf(value); ok {
		const least, last = 946_684_800, 4_102_444_800 // 2000 and 2100 in seconds
		for _, unit := range []float64{1, 1e3, 1e6, 1e9} {
			if n >= least*unit && n <= last*unit {
				return time.UnixMilli(int64(math.Round(n / unit * 1e3))).UTC()
			}
		}
		return time.Time{}
	}
	text, ok := strictjson.Text(value)
	if !ok || len(text) > 128 {
		return time.Time{}
	}
	text = withoutZoneName(text)
	for _, form := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05", "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07",
		"2006-01-02 15:04:05Z07", "2006-01-02 15:04:05 UTC", "2006-01-02T15:04Z07:00", "2006-01-02T15:04", "2006-01-02 15:04", "20060102T150405Z0700",
		"2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 -0700 MST", "Mon, 02 Jan 2006 15:04:05 GMT", time.RFC1123Z, "Mon Jan 02 2006 15:04:05 GMT-0700"} {
		at, err := time.Parse(form, text)
		if err == nil && at.Year() >= 2000 && at.Year() < 2100 {
			return at.UTC().Truncate(time.Millisecond)
		}
	}
	return time.Time{}
}

// withoutZoneName is a time without what some languages write behind it, whose offset
// says the same: "…Z[UTC]", "… GMT+0100 (Central European Standard Time)".
func withoutZoneName(text string) string {
	text = strings.TrimSpace(text)
	for _, brackets := range []string{"[]", "()"} {
		if at := strings.IndexByte(text, brackets[0]); at > 0 && text[len(text)-1] == brackets[1] {
			text = strings.TrimSpace(text[:at])
		}
	}
	if strings.HasSuffix(text, "z") { // which ISO 8601 lets be small
		text = strings.ToUpper(text)
	}
	return text
}

// Span is a length of time given as a number of units; ok is false when there
// is none, or one beyond a week.
func (o Object) Span(name string, unit time.Duration) (d time.Duration, ok bool) {
	n, ok := numberOf(o.values.Get(name))
	if !ok || n < 0 || n*unit.Seconds() > longest.Seconds() {
		return 0, false
	}
	o.read(name)
	return time.Duration(n * float64(unit)).Round(time.Millisecond), true
}

// longest is how long no call is.
const longest = 7 * 24 * time.Hour

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

// cut shortens text to limit bytes at the edge of a character.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "")
}
