// Package readertest holds what the tests of the three readers in calllog's
// subpackages share: the payloads in a reader's testdata, and beside each the
// expected record. calllog's own tests use the same payloads and change them at
// every place.
package readertest

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/calllog"
)

var update = flag.Bool("update", false, "write what the reader makes of the fixtures") //nolint:gochecknoglobals // a flag of the tests

// least is the minimum number of fixtures of a reader.
const least = 12

// want is the suffix of the file with the expected record.
const want = ".want.json"

// Fixtures returns the payloads NAME.json in a folder, by name.
func Fixtures(t testing.TB, folder string) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, path := range paths {
		if strings.HasSuffix(path, want) {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out[strings.TrimSuffix(filepath.Base(path), ".json")] = text
	}
	if len(out) < least {
		t.Fatalf("only %d fixtures in %s", len(out), folder)
	}
	return out
}

// Golden compares the records that a reader makes of its testdata with
// NAME.want.json. With -update it writes those files.
func Golden(t *testing.T, reader calllog.Reader) {
	t.Helper()
	for name, payload := range Fixtures(t, "testdata") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := json.MarshalIndent(Read(t, reader, string(payload)), "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", name+want)
			if *update {
				if err := os.WriteFile(path, append(got, '\n'), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			known, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(bytes.TrimSpace(known), got) {
				t.Errorf("the record is\n%s", got)
			}
		})
	}
}

// Read reads a valid payload.
func Read(t testing.TB, reader calllog.Reader, payload string) calllog.Record {
	t.Helper()
	r, err := calllog.Read(reader, []byte(payload))
	if err != nil {
		t.Fatalf("%s: %v", payload, err)
	}
	return r
}
