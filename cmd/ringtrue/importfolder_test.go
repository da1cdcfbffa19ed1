//go:build unix

package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// One file of a folder that cannot be read keeps none of the others from being read.
func TestWhatCannotBeReadOfAFolder(t *testing.T) {
	t.Parallel()
	const whole = `{"provider":"custom","payload":{}}`
	folder := t.TempDir()
	inside := filepath.Join(folder, "calls")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.MkdirAll(filepath.Join(inside, "deep"), 0o700))
	for _, name := range []string{"a.json", "z.jsonl", filepath.Join("deep", "m.ndjson")} {
		must(os.WriteFile(filepath.Join(inside, name), []byte(whole), 0o600))
	}
	must(os.WriteFile(filepath.Join(inside, "p.JSONL.GZ"), gzipped(t, whole), 0o600))
	must(os.WriteFile(filepath.Join(inside, "cut.json.gz"), gzipped(t, whole)[:20], 0o600))
	must(os.Symlink("nowhere", filepath.Join(inside, "gone.json")))
	must(os.Symlink("deep", filepath.Join(inside, "folder.json")))
	must(syscall.Mkfifo(filepath.Join(inside, "pipe.json"), 0o600))
	must(os.Symlink("calls", filepath.Join(folder, "link")))
	for _, name := range []string{"calls", "link"} {
		i := &importing{command: &importCommand{Files: []string{filepath.Join(folder, name)}}}
		var found []string
		err := i.read(t.Context(), func(r record) error { found = append(found, filepath.Base(r.file)); return nil })
		if want := []string{"a.json", "m.ndjson", "p.JSONL.GZ", "z.jsonl"}; err != nil || !slices.Equal(found, want) {
			t.Errorf("%s: read %v: %v", name, found, err)
		}
		var refused []string
		for _, r := range i.refusals {
			refused = append(refused, filepath.Base(r.File)+": "+r.Why)
		}
		slices.Sort(refused)
		if want := []string{"cut.json.gz: it is compressed with gzip and ends too early, as an interrupted download does", "folder.json: it is not a regular file", "gone.json: no such file or directory", "pipe.json: it is not a regular file"}; !slices.Equal(refused, want) {
			t.Errorf("%s: refused %q", name, refused)
		}
	}
}

// What was named itself must be there, and an import that is given up ends.
func TestWhatEndsAnImport(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	read := func(ctx context.Context, name string) error {
		i := &importing{command: &importCommand{Files: []string{name}}}
		return i.read(ctx, func(record) error { return ctx.Err() })
	}
	for _, name := range []string{filepath.Join(folder, "missing.json"), folder} {
		if err := read(t.Context(), name); err == nil {
			t.Errorf("%s was read", name)
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "a.json"), []byte(`{"provider":"custom","payload":{}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := read(ctx, folder); err == nil {
		t.Error("an import that was given up went on")
	}
}
