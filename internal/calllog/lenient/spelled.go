package lenient

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ringtrue/ringtrue/internal/strictjson"
)

// NamesAny reports whether a field of the object, or of an object directly inside it, has
// the name in some spelling. Names chosen by clients are ignored.
func (o Object) NamesAny(name string) bool {
	want := Spelling(name)
	is := func(name string) bool { return len(name) <= 2*len(want) && Spelling(name) == want }
	for name, value := range o.values.All() {
		if is(name) {
			return true
		}
		if inner, ok := objectIn(value); ok && !isClients(name) && slices.ContainsFunc(inner.Names(), is) {
			return true
		}
	}
	return false
}

// InSnakeCase returns the object with all field names in snake_case, for webhooks that a
// forwarder has rewritten in its own style. Names chosen by clients are left alone.
func (o Object) InSnakeCase() Object {
	return o.inSpelling(func(words []string) string { return strings.Join(words, "_") })
}

// InCamelCase is InSnakeCase for camelCase.
func (o Object) InCamelCase() Object {
	return o.inSpelling(func(words []string) string {
		for i, w := range words {
			if i > 0 {
				first, size := utf8.DecodeRuneInString(w)
				words[i] = string(unicode.ToUpper(first)) + w[size:]
			}
		}
		return strings.Join(words, "")
	})
}

func (o Object) inSpelling(write func(words []string) string) Object {
	o.values = respelled(o.values, write)
	o.used = new(fields)
	return o
}

func respelled(values *strictjson.Object, write func(words []string) string) *strictjson.Object {
	out := new(strictjson.Object)
	for name, value := range values.All() {
		if !isClients(name) {
			value = respelledIn(value, write)
		}
		if words := wordsIn(name); len(words) > 0 {
			name = write(words)
		}
		if out.Get(name) == nil {
			out.Put(name, value)
		}
	}
	return out
}

func respelledIn(value any, write func(words []string) string) any {
	switch v := value.(type) {
	case *strictjson.Object:
		return respelled(v, write)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = respelledIn(v[i], write)
		}
		return out
	}
	return value
}

// isClients reports whether the names inside a field are chosen by a client or belong to its
// functions.
func isClients(name string) bool {
	switch name = Spelling(name); name {
	case "metadata", "scrubbedmetadata", "arguments", "args", "parameters", "result", "structureddata", "customanalysisdata", "variablevalues", "customsipheaders":
		return true
	}
	return strings.HasSuffix(name, "dynamicvariables")
}

// wordsIn splits a name in any style into words in lower case. Consecutive capitals are one
// word (LLMUsage, E2E).
func wordsIn(name string) (words []string) {
	var before rune // 0 at the beginning of a word
	letters := []rune(Cut(name, MaxName))
	for i, r := range letters {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			before = 0
			continue
		}
		last := unicode.IsUpper(before) || unicode.IsDigit(before)
		next := i+1 < len(letters) && unicode.IsLower(letters[i+1])
		if before == 0 || unicode.IsUpper(r) && (unicode.IsLower(before) || last && next) {
			words = append(words, "")
		}
		words[len(words)-1] += string(unicode.ToLower(r))
		before = r
	}
	return words
}
