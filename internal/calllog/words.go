package calllog

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/ringtrue/ringtrue/internal/calllog/lenient"
)

const (
	maxWords     = 200
	maxWordBytes = 16 << 10
	maxWordsSize = 64 << 10
)

// Words collects what a platform says and the vocabulary has no place for, by
// the platform's own names and bounded in number and size. Its zero value is ready for use.
type Words struct {
	kept map[string]any
	size int
}

// Keep keeps a value. What is too large is replaced by a note of its size: the
// whole of it is in the submission's body.
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

// withoutSecrets is the value without any field that holds a secret, however deep.
// The value itself is not changed.
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
			if !secret(name) {
				out[name] = withoutSecrets(inner)
			}
		}
		return out
	}
	return value
}

// secret reports whether a field holds what opens something to whoever knows it, however
// its name is written: headers part it by hyphens (x-api-key), and some have but token.
func secret(name string) bool {
	name = lenient.Spelling(name[strings.LastIndexByte(name, '.')+1:])
	for _, word := range []string{"accesstoken", "authtoken", "secret", "password", "authorization", "apikey", "privatekey", "credential"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return strings.HasSuffix(name, "token")
}

// KeepRest keeps every field of the object that nobody could use, under its
// name behind prefix.
func (w *Words) KeepRest(o lenient.Object, prefix string) {
	for _, name := range o.Rest() {
		w.Keep(prefix+name, o.Raw(name))
	}
}

// All are the words that were kept, nil when there are none.
func (w *Words) All() map[string]any { return w.kept }
