package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// linked lists the folders of all packages that the binary is linked from, by
// the module and version they are of. Go's own library is the module "std".
func linked(ctx context.Context, root string) (map[string][]string, error) {
	list := exec.CommandContext(ctx, "go", "list", "-deps",
		"-f", `{{if .Standard}}std std{{else}}{{.Module.Path}} {{with .Module.Replace}}{{.Version}}{{else}}{{.Module.Version}}{{end}}{{end}}|{{.Dir}}`, "./cmd/ringtrue")
	list.Dir, list.Stderr = root, os.Stderr
	list.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64") // the same list wherever it is made
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	folders := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		module, folder, _ := strings.Cut(strings.TrimSpace(line), "|")
		name, version, _ := strings.Cut(module, " ")
		switch {
		case version == "": // our own
		case name == "std":
			folders[std] = append(folders[std], folder)
		default:
			folders[module] = append(folders[module], folder)
		}
	}
	return folders, nil
}

// std is the name of Go's own library. Its licence stays the same from one
// version to the next, and which one a checkout is built with is not ours to say.
const std = "Go's standard library and runtime"

// modules are the modules that the binary is linked from, with the licences
// that stand in the folders of the linked packages and in those above them.
func modules(ctx context.Context, root string) ([]work, error) {
	folders, err := linked(ctx, root)
	if err != nil {
		return nil, err
	}
	var works []work
	for name, linked := range folders {
		w := work{name: name}
		if name == std {
			goroot, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
			if err != nil {
				return nil, fmt.Errorf("go env: %w", err)
			}
			linked = []string{strings.TrimSpace(string(goroot))}
		}
		if w.texts, err = textsOf(linked); err != nil {
			return nil, err
		}
		if len(w.texts) == 0 {
			return nil, fmt.Errorf("%s has no licence", name)
		}
		works = append(works, w)
	}
	slices.SortFunc(works, func(a, b work) int { return strings.Compare(a.name, b.name) })
	return works, nil
}

// textsOf reads the licences of a module: those of the packages and of every
// folder between them and the module's own, each text once.
func textsOf(packages []string) ([]string, error) {
	var folders []string
	for _, p := range packages {
		for d := p; ; d = filepath.Dir(d) {
			if slices.Contains(folders, d) {
				break
			}
			folders = append(folders, d)
			if strings.Contains(filepath.Base(d), "@") || isFile(filepath.Join(d, "go.mod")) || isFile(filepath.Join(d, "go.env")) {
				break
			}
		}
	}
	slices.Sort(folders) // the module's own come first
	var texts []string
	for _, d := range folders {
		found, err := textsIn(d)
		if err != nil {
			return nil, err
		}
		for _, text := range found {
			if !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
	}
	return texts, nil
}

// A licence of a logo is not for what is linked.
var named = regexp.MustCompile(`(?i)^(.*-)?(licen[cs]es?|notice|copying|patents)(-3rd-party|-go|-mmap-go|-mit)?(\.md|\.txt)?$`) //nolint:gochecknoglobals // a constant

// textsIn reads the licences and notices of a folder.
func textsIn(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, e := range entries {
		if e.IsDir() || !named.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return nil, err
		}
		texts = append(texts, tidy(text))
	}
	return texts, nil
}

// tidy takes away what does not belong to the words of a text, so that the same
// words are the same text.
func tidy(text []byte) string {
	text = bytes.TrimPrefix(bytes.ReplaceAll(text, []byte("\r"), nil), []byte("\ufeff"))
	lines := strings.Split(strings.Trim(string(text), "\n\t "), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t")
	}
	return strings.Join(lines, "\n")
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
