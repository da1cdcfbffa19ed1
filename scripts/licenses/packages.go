package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// locked is what package-lock.json tells of a package.
type locked struct {
	Version string `json:"version"`
	License string `json:"license"`
	Dev     bool   `json:"dev"`
}

// bundled lists the packages that the web app may hold, by their folders in
// node_modules: all but those that only build and test it.
func bundled(app string) (map[string]locked, error) {
	text, err := os.ReadFile(filepath.Join(app, "package-lock.json"))
	if err != nil {
		return nil, err
	}
	var lock struct {
		Packages map[string]locked `json:"packages"`
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		return nil, fmt.Errorf("package-lock.json: %w", err)
	}
	for folder, p := range lock.Packages {
		if folder == "" || p.Dev {
			delete(lock.Packages, folder)
		}
	}
	return lock.Packages, nil
}

// title names a package as the list does.
func title(folder string, p locked) string {
	return folder[strings.LastIndex(folder, "node_modules/")+len("node_modules/"):] + " " + p.Version
}

// packages are the packages that the web app may hold, with their licences.
func packages(app string) ([]work, error) {
	bundled, err := bundled(app)
	if err != nil {
		return nil, err
	}
	var works []work
	for folder, p := range bundled {
		texts, err := textsIn(filepath.Join(app, folder))
		if err != nil {
			return nil, fmt.Errorf("%w (run scripts/web first: it installs the packages)", err)
		}
		if len(texts) == 0 {
			texts = []string{"It names the licence " + p.License + " and brings no text of it."}
		}
		works = append(works, work{name: title(folder, p), texts: texts})
	}
	slices.SortFunc(works, func(a, b work) int { return strings.Compare(a.name, b.name) })
	return works, nil
}
