package main

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// Whoever changes a dependency has the list made anew: `make generate`.
func TestListNamesWhatTheBinaryHolds(t *testing.T) {
	t.Parallel()
	const root = "../.."
	text, err := os.ReadFile(root + "/cmd/ringtrue/licenses.txt")
	if err != nil {
		t.Fatal(err)
	}
	notice, err := os.ReadFile(root + "/NOTICE")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(text), string(notice)) {
		t.Error("cmd/ringtrue/licenses.txt does not begin with NOTICE: run make generate")
	}
	var listed []string
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), mark); ok && strings.HasPrefix(line, mark) {
			listed = append(listed, name)
		}
	}
	modules, err := linked(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	packages, err := bundled(root + "/internal/web/app")
	if err != nil {
		t.Fatal(err)
	}
	held := slices.Collect(maps.Keys(modules))
	for folder, p := range packages {
		held = append(held, title(folder, p))
	}
	for _, name := range held {
		if !slices.Contains(listed, name) {
			t.Errorf("cmd/ringtrue/licenses.txt does not name %s: run make generate", name)
		}
	}
	if len(held) < 150 {
		t.Errorf("the binary is taken to hold %d works", len(held))
	}
}

func TestATextStandsOnce(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for name, text := range map[string]string{"LICENSE.md": "Free.  \r\n", "NOTICE": "\ufeffBy us.", "LICENSE-LOGO": "no", "license.go": "no"} {
		if err := os.WriteFile(folder+"/"+name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(folder+"/go.mod", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	below := folder + "/below"
	if err := os.Mkdir(below, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"COPYING": "Free.", "LICENSE": "Other."} {
		if err := os.WriteFile(below+"/"+name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	texts, err := textsOf([]string{below, folder})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"Free.", "By us.", "Other."}; !slices.Equal(texts, want) {
		t.Errorf("%q, want %q", texts, want)
	}
}
