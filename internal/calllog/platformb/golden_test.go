package platformb_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/calllog/platformb"
)

var update = flag.Bool("update", false, "write what the reader makes of the fixtures") //nolint:gochecknoglobals // a flag of the test

// fixtures are the payloads in testdata, by name.
func fixtures(t testing.TB) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.json")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, path := range paths {
		if strings.HasSuffix(path, ".want.json") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out[strings.TrimSuffix(filepath.Base(path), ".json")] = text
	}
	if len(out) < 12 {
		t.Fatalf("only %d fixtures", len(out))
	}
	return out
}

func TestFixtures(t *testing.T) {
	t.Parallel()
	for name, payload := range fixtures(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := calllog.Read(platformb.Reader(), payload)
			if err != nil {
				t.Fatal(err)
			}
			got, err := json.MarshalIndent(r, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", name+".want.json")
			if *update {
				if err := os.WriteFile(path, append(got, '\n'), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(bytes.TrimSpace(want), got) {
				t.Errorf("the record is\n%s", got)
			}
		})
	}
}
