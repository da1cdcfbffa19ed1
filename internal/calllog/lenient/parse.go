package lenient

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/strictjson"
)

const (
	// maxDepth bounds how deep a submission may nest.
	maxDepth = 64
	// maxNotes bounds how many mistakes are told at once.
	maxNotes = 100
)

// MaxName bounds names and identifiers, MaxMetadata what is kept as it is, both in bytes.
const (
	MaxName     = 256
	MaxMetadata = 64 << 10
)

// custom is the provider whose payloads are a client's own, and its to mend.
const custom = "custom"

// TooLong reports whether values take more room than metadata may.
func TooLong(values map[string]any) bool {
	text, err := json.Marshal(values)
	return err != nil || len(text) > MaxMetadata
}

// Parse reads a submission once and returns its outermost object.
//
// A platform's payload is not its client's to mend: characters in it that stand
// for nothing, or that not every database can keep, are replaced or left out.
// What a client writes itself is refused with them. The object is in the memory.
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

// unexported is the payload in a body as its platform wrote it, where a database that kept it has written it otherwise.
func unexported(payload any, body []byte) any {
	if bytes.Contains(body, []byte(`"$`)) {
		payload = asWritten(payload)
	}
	if mayHoldItem(body) {
		payload = withoutTypes(payload)
	}
	return payload
}

// WithoutMark is a text without the byte order mark that some programs write before it.
// It says nothing: JSON that comes over a network is UTF-8.
func WithoutMark(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\ufeff")) }

func notJSON(fault *strictjson.Error) error {
	e := problem.New(problem.InvalidJSON, "the body is not valid JSON")
	e.Fields = []problem.Field{{Path: "body", Message: fault.Error()}}
	return e
}

// isForeign reports whether a submission passes on what a platform wrote.
func isForeign(values *strictjson.Object) bool {
	provider, ok := strictjson.Text(values.Get("provider"))
	return ok && provider != custom
}

// withoutNUL is a value without the character that not every database can keep.
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

// CheckText notes where the object holds the one character that not every database can keep.
func (o Object) CheckText() { checkText(o.values, "", o.notes) }

// checkText refuses the one character that not every database can keep.
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

// shown is a key of the client's own, made fit to stand in a path.
func shown(name string) string {
	if len(name) > 64 {
		name = strings.ToValidUTF8(name[:64], "") + "…"
	}
	if quoted := strconv.Quote(name); name == "" || quoted[1:len(quoted)-1] != name {
		return quoted
	}
	return name
}
