package calllog

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"github.com/ringtrue/ringtrue/internal/calllog/lenient"
)

const (
	maxWords     = 200
	maxWordBytes = 16 << 10
	maxWordsSize = 64 << 10
)

// Words collects what a platform says that has no place in a Record, under the platform's own
// names and limited in number and size. Its zero value is ready for use.
type Words struct {
	kept map[string]any
	size int
}

// Keep keeps a value. One that is too large is replaced by a note of its size; the submission's
// body still has it.
func (w *Words) Keep(name string, value any) {
	if value == nil || len(w.kept) >= maxWords || secret(name) {
		return
	}
	name = lenient.Cut(name, 128)
	value = withoutSecrets(value)
	written, err := json.Marshal(value)
	if err != nil {
		return
	}
	size := len(written)
	if size > maxWordBytes || w.size+size > maxWordsSize {
		value, size = "(left out: "+strconv.Itoa(len(written))+" bytes)", 32
	}
	if _, there := w.kept[name]; there {
		return
	}
	if w.kept == nil {
		w.kept = map[string]any{}
	}
	w.kept[name] = value
	w.size += size + len(name)
}

// withoutSecrets returns a copy of the value without fields that hold a secret, at any depth.
func withoutSecrets(value any) any {
	switch v := value.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = withoutSecrets(v[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, inner := range v {
			if !secret(name) && (name != "value" || !namesSecret(v)) {
				out[name] = withoutSecrets(inner)
			}
		}
		return out
	case string:
		return textWithoutSecrets(v)
	}
	return value
}

// namesSecret reports whether a name-value pair, as in lists of headers, has the name of a
// secret.
func namesSecret(pair map[string]any) bool {
	for _, beside := range []string{"name", "key", "header"} {
		if name, ok := pair[beside].(string); ok && secret(name) {
			return true
		}
	}
	return false
}

// textWithoutSecrets is withoutSecrets for text that is a JSON object or list. Text without
// secrets is returned unchanged, as is text too long to be kept.
func textWithoutSecrets(text string) string {
	short := strings.TrimSpace(text)
	if len(text) > maxWordBytes || short == "" || short[0] != '{' && short[0] != '[' {
		return text
	}
	d := json.NewDecoder(strings.NewReader(short))
	d.UseNumber()
	var value any
	if d.Decode(&value) != nil {
		return text
	}
	clean := withoutSecrets(value)
	if reflect.DeepEqual(clean, value) {
		return text
	}
	written, err := json.Marshal(clean)
	if err != nil {
		return "" // whatever was read as JSON can be written as JSON
	}
	return string(written)
}

// secret reports whether a field's name is that of a secret such as a key, token or password, in
// any spelling.
func secret(name string) bool {
	name = lenient.Spelling(name[strings.LastIndexByte(name, '.')+1:])
	for _, word := range []string{
		"accesstoken", "authtoken", "secret", "password", "passwd", "passphrase", "authorization", "bearer", "apikey", "privatekey", "credential", "cookie",
	} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return strings.HasSuffix(name, "token") || strings.HasSuffix(name, "jwt")
}

// KeepRest keeps every field of the object that was not read, with prefix before its name.
func (w *Words) KeepRest(o lenient.Object, prefix string) {
	for _, name := range o.Rest() {
		w.Keep(prefix+name, o.Raw(name))
	}
}

// All returns the words kept, nil when there are none.
func (w *Words) All() map[string]any { return w.kept }
