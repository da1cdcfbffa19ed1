package main

import (
	"os"
	"path/filepath"
	"testing"
)

// A file's form is told by its name as the web app tells it, however the name's end is spelt.
func TestFormOfADatasetFileIsToldByItsName(t *testing.T) {
	t.Parallel()
	const item = `{"input":{"script":["wait_for_agent","hang_up"]}}`
	for name, text := range map[string]string{
		"a.yaml": "- " + item, "b.YML": "- " + item, "c.JSON": "[" + item + "]",
		"d.Jsonl": item, "e.ndjson": item, "f.CSV": "goal\nx\n",
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if f, err := readDatasetFile(t.Context(), path); err != nil || f.name != name[:1] {
			t.Errorf("%s: %+v %v", name, f, err)
		}
	}
	path := filepath.Join(t.TempDir(), "g.txt")
	if err := os.WriteFile(path, []byte(item), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readDatasetFile(t.Context(), path); err == nil {
		t.Error("a file of an unknown form was read")
	}
}
