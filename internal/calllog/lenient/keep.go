package lenient

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/strictjson"
)

// keepDepth is how deep in a payload it is looked for what may be kept of it: as deep as it may be.
const keepDepth = maxDepth

// KeepIn is how much may be kept of a call by what stands in the object or in those
// within it, under any spelling of the two names and at any place but inside a list: what
// passes webhooks on moves and renames fields, and a wish not to be recorded counts wherever it
// stands. Of several the strictest counts, and one that cannot be read is the strictest.
func KeepIn(o Object) call.Keep { return keepIn(o.values, keepDepth) }

// KeepInText is KeepIn of a value that is JSON text, which may be text once more. Of an object
// that cannot be read but may tell, as little is kept as can be.
func KeepInText(text []byte) call.Keep {
	text, _ = strictjson.MendPairs(onlyOne(bytes.TrimSpace(text)))
	whole := string(text)
	if !mayName(whole) {
		return call.KeepEverything
	}
	value := any(&whole)
	if text[0] == '"' {
		value, _ = strictjson.Decode(text, 1)
	}
	inner, ok := objectIn(value)
	if !ok && text[0] == '{' {
		return call.KeepBasics
	}
	return keepIn(inner, keepDepth)
}

// onlyOne is the only element of a list, nothing where there are several, and any other value as
// it is. A list may be long, and is not read to its end for that.
func onlyOne(text []byte) []byte {
	if len(text) == 0 || text[0] != '[' {
		return text
	}
	var first json.RawMessage
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil || !d.More() || d.Decode(&first) != nil || d.More() {
		return nil
	}
	return first
}

// KeepBeside is the same of what a client says beside its payload.
func KeepBeside(o Object) call.Keep {
	metadata, _ := o.values.Get("metadata").(*strictjson.Object)
	return keepIn(o.values, 0).Stricter(keepIn(metadata, keepDepth))
}

func keepIn(values *strictjson.Object, depth int) (keep call.Keep) {
	for name, value := range values.All() {
		if inner, ok := mayTell(value); ok && depth > 0 {
			keep = keep.Stricter(keepIn(inner, depth-1))
		}
		if value != nil {
			keep = keep.Stricter(keepBy(name, value))
		}
	}
	return keep
}

// mayTell is the object that a value is, however written, unless it is a text without
// either name: that need not be read.
func mayTell(value any) (*strictjson.Object, bool) {
	switch v := value.(type) {
	case *strictjson.Object:
		return v, true
	case []any:
		return objectIn(v)
	case *string:
		text := strings.TrimLeft(*v, " \t\r\n\ufeff")
		if (strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")) && mayName(text) {
			return objectIn(v)
		}
	}
	return nil, false
}

// mayName says by a glance whether a JSON text may hold either name, of which letters may be escaped.
func mayName(text string) bool {
	return slices.ContainsFunc([]string{"torage", "TORAGE", `\u004`, `\u005`, `\u006`, `\u007`}, func(part string) bool { return strings.Contains(text, part) })
}

// keepBy is what one field says; nearly all say nothing, and are told by a glance.
//
// What flattens webhooks puts words before a name (call.opt_out_sensitive_data_storage,
// X-Data-Storage-Setting), and others behind it. A field with words behind the name may be of
// something else, as of when it was set: it counts where it can be read.
func keepBy(name string, value any) call.Keep {
	const optOut, setting, long = "optoutsensitivedatastorage", "datastoragesetting", 256
	if len(name) < len(setting) || len(name) > long || !strings.Contains(name, "torage") && !strings.Contains(name, "TORAGE") {
		return call.KeepEverything
	}
	name = Spelling(name)
	_, behindOptOut, isOptOut := strings.Cut(name, optOut)
	_, behindSetting, isSetting := strings.Cut(name, setting)
	switch {
	case isOptOut:
		if opted, ok := truthOf(value); ok && !opted || !ok && behindOptOut != "" {
			return call.KeepEverything
		}
		return call.KeepBasics
	case isSetting:
		switch Spelling(Word(value, MaxName)) {
		case "everything":
			return call.KeepEverything
		case "everythingexceptpii":
			return call.KeepNoPeople
		case "basicattributesonly":
			return call.KeepBasics
		}
		if behindSetting == "" {
			return call.KeepBasics
		}
	}
	return call.KeepEverything
}
