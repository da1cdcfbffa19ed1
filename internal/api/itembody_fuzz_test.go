package api

import (
	"testing"

	"github.com/ringtrue/ringtrue/internal/scenario"
)

func FuzzRangeOf(f *testing.F) {
	for _, s := range []string{"", "bytes=0-0", "bytes=-5", "bytes=5-", "bytes=9-3", "bytes=0-1,4-5", "bytes=99999999999999999999-", "bytes=--", "items=0-1"} {
		f.Add(s, int64(10))
	}
	f.Add("bytes=-1", int64(0))
	f.Fuzz(func(t *testing.T, header string, size int64) {
		if size < 0 {
			return
		}
		s, kind := rangeOf(header, size)
		if s.offset < 0 || s.length < 0 || s.offset+s.length > size {
			t.Fatalf("%q of %d bytes: %+v", header, size, s)
		}
		if kind == rangePart && s.length == 0 {
			t.Fatalf("%q of %d bytes: an empty part", header, size)
		}
		if kind == rangeWhole && s != (span{0, size}) {
			t.Fatalf("%q of %d bytes: %+v is not the whole", header, size, s)
		}
	})
}

func FuzzReadItems(f *testing.F) {
	for _, s := range []string{
		`{"items":[{"input":{"goal":"x"}}]}`, `{"input":{"script":[{"say":"x"}]}}`, `{"items":null}`, `{"items":[null,1,""]}`, `[]`, `null`, `{`,
		`{"items":[],"items":[]}`, `{"a":1,"b":2}`, "{\"items\":[\xff]}",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		items, err := readItems("application/json", data)
		if err != nil {
			return
		}
		for _, item := range items {
			if fields := item.Validate(""); len(fields) > 0 {
				t.Fatalf("%q gave an item that is not valid: %v", data, fields)
			}
		}
		if len(items) > scenario.MaxItems {
			t.Fatal("too many items")
		}
	})
}
