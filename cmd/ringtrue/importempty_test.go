package main

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A download that failed leaves an empty file, and must not be taken for a day without calls. The
// other files are imported all the same.
func TestAnEmptyFileIsTold(t *testing.T) {
	t.Parallel()
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			w.WriteHeader(http.StatusAccepted)
		}
		_, _ = w.Write([]byte(`{"data":[]}`)) // the test sees when it does not arrive
	}))
	t.Cleanup(service.Close)
	folder := t.TempDir()
	file := func(name string, text []byte) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := file("good.json", []byte(`{"provider":"custom","payload":{"call_id":"c-1"}}`))
	for name, c := range map[string]struct {
		named string
		empty bool
	}{
		"standard input":    {"-", true},
		"no byte":           {file("empty.json", nil), true},
		"blank lines":       {file("blank.jsonl", []byte("\ufeff\n  \r\n\t")), true},
		"packed":            {file("packed.jsonl.gz", gzipped(t, "")), true},
		"an empty list":     {file("list.json", []byte("[]\n")), false},
		"a list of nothing": {file("calls.json", []byte(`{"calls": []}`)), false},
	} {
		code, out, problems := ringtrue(t, "import", c.named, good, "--key=rt_secret_0", "--url="+service.URL)
		told := strings.Contains(out, "it is empty") && strings.Contains(out, c.named+" ")
		want, counts := exitOK, "1 new, 0 known already, 0 refused"
		if c.empty {
			want, counts = exitNotPassed, "1 new, 0 known already, 1 refused"
		}
		if code != want || told != c.empty || !strings.Contains(out, counts) {
			t.Errorf("%s: exit code %d, %s%s", name, code, out, problems)
		}
	}
}

// gzipped is a text as gzip packs it.
func gzipped(t *testing.T, text string) []byte {
	t.Helper()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}
