package lenient

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/strictjson"
)

// keepDepth is how deep a payload is searched for opt-outs: as deep as it may nest.
const keepDepth = maxDepth

// KeepIn returns how much of a call may be kept according to the object and those within it. It
// recognises both settings in any spelling and at any place outside lists with several elements,
// because forwarders of webhooks move and rename fields, and a wish not to be recorded counts
// wherever it stands. The strictest setting counts; one that cannot be read is the strictest.
func KeepIn(o Object) call.Keep { return keepIn(o.values, keepDepth) }

// KeepInText is KeepIn for JSON text, which may be encoded as a JSON string once more. If an object
// that may hold a setting cannot be parsed, the result is KeepBasics.
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

// onlyOne returns the only element of a list, nil if there are several or none, and any other value
// unchanged. It stops reading after the first element, since lists may be long.
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

// KeepBeside is KeepIn for what a client says beside its payload.
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

// mayTell returns the object that a value holds in whatever form. Text without either name is not
// parsed.
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

// mayName quickly checks whether JSON text may contain either name, in which letters may be
// escaped.
func mayName(text string) bool {
	return slices.ContainsFunc([]string{"torage", "TORAGE", `\u004`, `\u005`, `\u006`, `\u007`}, func(part string) bool { return strings.Contains(text, part) })
}

// keepBy returns what one field says. Nearly all fields say nothing, which a quick check finds out.
//
// Flattening puts words before a name (call.opt_out_sensitive_data_storage, X-Data-Storage-Setting)
// or after it. A field with words after the name may be about something else, such as when the
// setting was made; it counts only if it can be read as the setting.
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
