package strictjson_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/ringtrue/ringtrue/internal/strictjson"
)

func TestWhatIsNotReadAlikeByAllIsRefused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{}`: "", ` [1, "a", {"a": [], "b": {"a": null}}] `: "", `"\ud83d\ude00 \\ud800"`: "", `{"a":{"b":1},"b":2}`: "", `[{"a":1},{"a":2}]`: "", `0`: "",
		``:                             "line 1, column 1: the text ends in the middle",
		`{"a":`:                        "line 1, column 5: the text ends in the middle",
		"{\n \"a\": }":                 "line 2, column 7: invalid character '}' looking for beginning of value",
		`{} x`:                         "line 1, column 4: invalid character 'x' after top-level value",
		"\ufeff{}":                     "line 1, column 1: the text begins with a byte order mark; leave it out",
		"[\"\xff\"]":                   "line 1, column 3: the text is not UTF-8",
		"[\"\xed\xa0\x80\"]":           "line 1, column 3: the text is not UTF-8",
		`{"a":1,` + "\n" + `"a":2}`:    `line 2, column 1: the name "a" stands twice in one object`,
		`{"a":1,"\u0061":2}`:           `line 1, column 8: the name "a" stands twice in one object`,
		`[{"x":{"a\"":1,"a\"":2}}]`:    `line 1, column 16: the name "a\"" stands twice in one object`,
		`["\ud800"]`:                   "line 1, column 3: half a surrogate pair stands for no character",
		`["\udc00\ud800"]`:             "line 1, column 3: half a surrogate pair stands for no character",
		`{"\ud83dx":1}`:                "line 1, column 3: half a surrogate pair stands for no character",
		`[[[[[[1]]]]]]`:                "line 1, column 6: it nests deeper than 5 levels",
		`[-1e308, 1E-1000]`:            "",
		`{"a": [0, -1E1000]}`:          "line 1, column 11: the number -1E1000 is too large to be read",
		`1` + strings.Repeat("0", 309): "line 1, column 1: the number 1" + strings.Repeat("0", 63) + "… is too large to be read",
		`[NaN]`:                        "line 1, column 2: invalid character 'N' looking for beginning of value",
	} {
		got := ""
		if err := strictjson.Check([]byte(text), 5); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestHugeTextsAreCheckedInNoTime(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"brackets": strings.Repeat("[", 5<<20), "objects": strings.Repeat(`{"a":`, 1<<20), "names": `{` + strings.Repeat(`"a":1,`, 500_000) + `"b":1}`,
		"text": `"` + strings.Repeat(`\u0041`, 800_000) + `"`, "backslashes": strings.Repeat(`\`, 5<<20), "quotes": strings.Repeat(`"`, 5<<20),
		"digits": strings.Repeat("7", 5<<20),
		"list":   `[` + strings.Repeat(`{},`, 1<<20) + `1]`,
	} {
		began := time.Now()
		_ = strictjson.Check([]byte(text), 64)
		// Quadratic growth would take hours.
		if took := time.Since(began); took > time.Minute {
			t.Errorf("%s took %v", name, took)
		}
	}
}

// FuzzCheck checks that accepted text is JSON that encoding/json decodes without loss, and that
// encoding/json's own output is accepted.
func FuzzCheck(f *testing.F) {
	for _, s := range []string{`{"a":1,"a":2}`, `["\ud800"]`, `{"":{"\u0000":[1.5e9,true,null]}}`, "\ufeff1", `"\"`, `{"a"`, `[[]]`, "[\"\xff\"]"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		err := strictjson.Check(data, 20)
		if err != nil && (err.Line < 1 || err.Column < 1 || err.Message == "" || len(err.Message) > 400 || !utf8.ValidString(err.Message)) {
			t.Fatalf("the error %+v has no place or no fitting message", err)
		}
		var v any
		if decodeErr := json.Unmarshal(data, &v); decodeErr != nil {
			if err == nil {
				t.Fatalf("passed, but %v", decodeErr)
			}
			return
		}
		again, encodeErr := json.Marshal(v)
		if encodeErr != nil {
			t.Fatal(encodeErr)
		}
		if second := strictjson.Check(again, 20); second != nil && (err == nil || second.Message != err.Message) {
			t.Fatalf("what was written anew is refused: %v (before: %v)", second, err)
		}
	})
}
