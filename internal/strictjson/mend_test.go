package strictjson_test

import (
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/strictjson"
)

func TestMendPairs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"a":"b"}`:                        ``,
		`{"a":"\ud83d\ude00"}`:             ``,
		`{"a":"\\ud83d"}`:                  ``,
		`{"a":"x\ud83d"}`:                  `{"a":"x\ufffd"}`,
		`{"\ude00":"\ud83d\ud83d\ude00 "}`: `{"\ufffd":"\ufffd\ud83d\ude00 "}`,
		`["\udc00\udc00","\\\ud800"]`:      `["\ufffd\ufffd","\\\ufffd"]`,
		`"\ud800`:                          `"\ufffd`,
		`"\ud8`:                            ``,
		`"\`:                               ``,
	} {
		got, changed := strictjson.MendPairs([]byte(text))
		if changed != (want != "") || changed && string(got) != want || !changed && string(got) != text {
			t.Errorf("%s became %s (changed: %v), want %q", text, got, changed, want)
		}
	}
}

// TestMendManyPairs checks that the time for text made of nothing but surrogate halves does not
// grow with the square of its length.
func TestMendManyPairs(t *testing.T) {
	t.Parallel()
	body := []byte(`"` + strings.Repeat(`\ud800`, 600_000) + `"`)
	done := make(chan bool, 1)
	go func() {
		mended, _ := strictjson.MendPairs(body)
		done <- strictjson.Check(mended, 1) == nil
	}()
	select {
	case ok := <-done:
		if !ok {
			t.Error("it is not whole afterwards")
		}
	case <-time.After(20 * time.Second):
		t.Fatal("it takes too long")
	}
}
