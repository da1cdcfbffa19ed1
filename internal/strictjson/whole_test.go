package strictjson_test

import (
	"testing"

	"github.com/ringtrue/ringtrue/internal/strictjson"
)

func TestWholeNumbers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"a":1500.0,"b":[2e0,-3.0E+1,20e-1,0.0]}`: `{"a":1500,"b":[2,-30,2,0]}`,
		`[1.5, 1e999, 9007199254740993.0, 7]`:      `[1.5, 1e999, 9007199254740993.0, 7]`,
		`{"1.0":"2.0 \"3.0"}`:                      `{"1.0":"2.0 \"3.0"}`,
	} {
		if got := string(strictjson.WholeNumbers([]byte(text))); got != want {
			t.Errorf("%s became %s, want %s", text, got, want)
		}
	}
}
