package store

import (
	"encoding/json"
	"fmt"
	"testing"
)

// An object of words is written as encoding/json writes it, whatever is in it.
func TestWordsAreWrittenAsJSON(t *testing.T) {
	t.Parallel()
	many := map[string]any{}
	for i := range 40 {
		many[fmt.Sprint(i)] = "x"
	}
	all := []map[string]any{
		nil, {}, {"": ""}, {"b": "two", "a": "one", "c": "three 3~"}, {"a": nil}, {"a": 1}, {"a": json.Number("12345678901234567890")}, {"a": map[string]any{}}, {"a": []any{"b"}}, many,
	}
	for c := range 300 {
		all = append(all, map[string]any{"a": string(rune(c))}, map[string]any{string(rune(c)) + "b": "c"}, map[string]any{"a": string([]byte{byte(c)})})
	}
	for _, words := range all {
		want, err := json.Marshal(words)
		if err != nil {
			t.Fatal(err)
		}
		got, err := exactDoc{&words}.Value()
		if err != nil || got != string(want) {
			t.Errorf("%v: %v, %v; want %s", words, got, err, want)
		}
	}
}
