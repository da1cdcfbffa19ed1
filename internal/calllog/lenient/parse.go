package lenient

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/strictjson"
)

const (
	// maxDepth limits how deep a submission may nest.
	maxDepth = 64
	// maxNotes limits how many mistakes are reported at once.
	maxNotes = 100
)

// MaxName limits names and identifiers, MaxMetadata values that are kept as they are; both in
// bytes.
const (
	MaxName     = 256
	MaxMetadata = 64 << 10
)

// custom is the provider whose payloads clients write themselves and can correct.
const custom = "custom"

// TooLong reports whether values are longer than MaxMetadata as JSON.
func TooLong(values map[string]any) bool {
	text, err := json.Marshal(values)
	return err != nil || len(text) > MaxMetadata
}

// maxWithin is how deep the metadata of a submission may nest, which stands in the outermost object.
const maxWithin = maxDepth - 1

// CheckDepth notes a mistake in an object of that name when its values nest deeper than those of a
// submission may.
func (o Object) CheckDepth(name string, values map[string]any) {
	if deeper(values, maxWithin) {
		o.Note(name, "must not nest deeper than "+strconv.Itoa(maxWithin)+" levels")
	}
}

// deeper reports whether a value nests more than so many levels.
func deeper(value any, levels int) bool {
	within := func(inner any) bool { return deeper(inner, levels-1) }
	switch v := value.(type) {
	case map[string]any:
		return levels == 0 || slices.ContainsFunc(slices.Collect(maps.Values(v)), within)
	case []any:
		return levels == 0 || slices.ContainsFunc(v, within)
	}
	return false
}

// Parse parses a submission and returns its outermost object.
//
// A client cannot correct a platform's payload, so in one of these invalid characters, and NUL,
// which not every database can store, are replaced or removed. In what a client writes itself they
// are mistakes. The object refers to memory in in.
func Parse(body []byte, in *strictjson.Memory) (Object, error) {
	value, fault := in.Decode(body, maxDepth)
	mended := false
	if fault != nil {
		if whole, changed := strictjson.MendPairs(body); changed {
			var left *strictjson.Error
			value, left = in.Decode(whole, maxDepth)
			mended = left == nil
		}
	}
	if fault != nil && !mended {
		return Object{}, notJSON(fault)
	}
	values, ok := value.(*strictjson.Object)
	if !ok {
		return Object{}, problem.Invalid(problem.Field{Path: "body", Message: "must be an object"})
	}
	if inner, ok := objectIn(values.Get("payload")); ok && isForeign(values) {
		values.Put("payload", inner)
	}
	foreign := isForeign(values)
	if mended && !foreign {
		return Object{}, notJSON(fault)
	}
	if payload := values.Get("payload"); foreign && payload != nil {
		values.Put("payload", unexported(payload, body))
	}
	o := Object{values: values, notes: new([]problem.Field)}
	if !bytes.Contains(body, []byte(`\u0000`)) {
		return o, nil
	}
	if foreign {
		values.Put("payload", withoutNUL(values.Get("payload")))
	}
	o.CheckText()
	return o, nil
}

// unexported undoes the export formats of databases in a platform's payload.
func unexported(payload any, body []byte) any {
	if bytes.Contains(body, []byte(`"$`)) {
		payload = asWritten(payload)
	}
	if mayHoldItem(body) {
		payload = withoutTypes(payload)
	}
	return payload
}

// WithoutMark removes a leading byte order mark, which some programs write. It carries no
// information: JSON sent over a network is UTF-8.
func WithoutMark(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\ufeff")) }

func notJSON(fault *strictjson.Error) error {
	e := problem.New(problem.InvalidJSON, "the body is not valid JSON")
	e.Fields = []problem.Field{{Path: "body", Message: fault.Error()}}
	return e
}

// isForeign reports whether a submission passes on a platform's payload.
func isForeign(values *strictjson.Object) bool {
	provider, ok := strictjson.Text(values.Get("provider"))
	return ok && provider != custom
}

// withoutNUL removes NUL, which not every database can store.
func withoutNUL(value any) any {
	without := func(text string) string { return strings.ReplaceAll(text, "\x00", "") }
	switch v := value.(type) {
	case *string:
		text := without(*v)
		return &text
	case []any:
		for i := range v {
			v[i] = withoutNUL(v[i])
		}
	case *strictjson.Object:
		clean := new(strictjson.Object)
		for name, element := range v.All() {
			clean.Put(without(name), withoutNUL(element))
		}
		return clean
	}
	return value
}

// CheckText notes NUL characters, which not every database can store.
func (o Object) CheckText() { checkText(o.values, "", o.notes) }

// checkText notes NUL characters in a value at a path.
func checkText(value any, path string, notes *[]problem.Field) {
	if len(*notes) >= maxNotes {
		return
	}
	const message = `must not hold the character \u0000`
	switch v := value.(type) {
	case *string:
		if strings.ContainsRune(*v, 0) {
			*notes = append(*notes, problem.Field{Path: path, Message: message})
		}
	case []any:
		for i, element := range v {
			checkText(element, path+"["+strconv.Itoa(i)+"]", notes)
		}
	case *strictjson.Object:
		for name, element := range v.All() {
			if strings.ContainsRune(name, 0) {
				*notes = append(*notes, problem.Field{Path: orBody(path), Message: "has a key that holds the character \\u0000"})
				continue
			}
			inner := shown(name)
			if path != "" {
				inner = path + "." + inner
			}
			checkText(element, inner, notes)
		}
	}
}

func orBody(path string) string {
	if path == "" {
		return "body"
	}
	return path
}

// shown returns a key of the client's own in a form that is safe in a path.
func shown(name string) string {
	if len(name) > 64 {
		name = strings.ToValidUTF8(name[:64], "") + "…"
	}
	if quoted := strconv.Quote(name); name == "" || quoted[1:len(quoted)-1] != name {
		return quoted
	}
	return name
}
