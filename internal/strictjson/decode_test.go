package strictjson_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/strictjson"
)

// slowly returns the result of Check followed by encoding/json.
func slowly(t *testing.T, data []byte, depth int) (any, *strictjson.Error) {
	t.Helper()
	if err := strictjson.Check(data, depth); err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("%q passes, but %v", data, err)
	}
	return value, nil
}

func compare(t *testing.T, data []byte) {
	t.Helper()
	const depth = 20
	want, refused := slowly(t, data, depth)
	got, err := strictjson.Decode(data, depth)
	if got := strictjson.Plain(got); !reflect.DeepEqual(got, want) || !reflect.DeepEqual(err, refused) {
		t.Errorf("%q: got %#v, %v; want %#v, %v", data, got, err, want, refused)
	}
	var used strictjson.Memory // used before by the same text, valid or not
	_, _ = used.Decode(data, depth)
	used.Forget()
	again, err := used.Decode(data, depth)
	if again := strictjson.Plain(again); !reflect.DeepEqual(again, want) || !reflect.DeepEqual(err, refused) {
		t.Errorf("%q: the second time %#v, %v; want %#v, %v", data, again, err, want, refused)
	}
}

func texts() []string {
	return []string{
		``, ` `, `{}`, `[]`, ` { } `, `[ ]`, `null`, `true`, `false`, `tru`, `nul`, `truefalse`, `0`, `-0`, `00`, `01`, `-`, `1.`, `.5`, `1.5`, `1e5`, `1E+5`, `1e-`, `1e999`, `-1e400`,
		`1e308`, `"`, `""`, `"a`, `"a\n\"\\\/\b\f\r\t"`, `"\x"`, `"\`, `"\u00e9\ud83d\ude00"`, `"\ud83d"`, `"\ude00\ud83d"`, `"\ud83d\u0041"`, `"\u12"`, `"\u+123"`, `"\u0000"`,
		"\"a\nb\"", "\"a\tb\"", "\"\x7f\"", "\"\xff\"", "\"\\n\xff\"", "\"\ufffd é 日本\"", "\ufeff{}", `{"a":1,"b":[1,2,{"c":null}]}`, `{"a":1,"a":2}`, `{"a":1,"\u0061":2}`,
		`{"a":1,}`, `{,}`, `[1,]`, `[,1]`, `[1 2]`, `{"a" 1}`, `{"a":}`, `{a:1}`, `{"a":1}{`, `{"a":1} x`, "[1,\n 2 ,\r\n\t3]", `{"":{"":""}}`,
		strings.Repeat("[", 20) + strings.Repeat("]", 20), strings.Repeat("[", 21) + strings.Repeat("]", 21), strings.Repeat(`{"a":`, 20) + "1" + strings.Repeat("}", 20),
		`[` + strings.Repeat("7", 400) + `]`, "{\"a\"\v:1}", "[1]\x00", `["\u00E9\uD83D\uDE00"]`, `[-]`, `[1.0e]`, `{"a":tru}`,
	}
}

func TestDecodeIsCheckAndDecoderInOne(t *testing.T) {
	t.Parallel()
	for _, text := range texts() {
		compare(t, []byte(text))
	}
}

// TestAnyByteAtAnyPlaceOfAText tests every byte at every position, because strings are read several
// bytes at a time and each of these may be the special one.
func TestAnyByteAtAnyPlaceOfAText(t *testing.T) {
	t.Parallel()
	for place := range 20 {
		for b := range 256 {
			text := []byte(`["twenty common letter"]`)
			text[len(`["`)+place] = byte(b)
			compare(t, text)
			text[len(`["`)+place/2] = '\\'
			compare(t, text)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, text := range texts() {
		f.Add([]byte(text))
	}
	f.Fuzz(compare)
}
