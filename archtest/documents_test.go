package archtest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	fenced  = regexp.MustCompile("(?s)```.*?```")
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	unsaid  = regexp.MustCompile(`[^\p{L}\p{N}_\- ]`)
)

// documents are the texts of all documents, without the code in them, by their paths.
// Pages that a benchmark fills in with figures are looked at where it writes them.
func documents(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && slices.Contains([]string{"node_modules", ".git", "bin", "bench"}, d.Name()) {
			return filepath.SkipDir
		}
		if filepath.Ext(path) != ".md" {
			return nil
		}
		text, err := os.ReadFile(path)
		texts[path] = fenced.ReplaceAllString(string(text), "")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// anchors are what a link may name behind the # of a document.
func anchors(text string) []string {
	var list []string
	for _, h := range heading.FindAllStringSubmatch(text, -1) {
		words := unsaid.ReplaceAllString(strings.ToLower(strings.TrimSpace(h[1])), "")
		list = append(list, strings.ReplaceAll(words, " ", "-"))
	}
	return list
}

func TestLinksOfDocumentsLeadSomewhere(t *testing.T) {
	t.Parallel()
	texts, links := documents(t), 0
	for from, text := range texts {
		for _, l := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(l[1], "://") {
				continue // tests ask nobody
			}
			links++
			path, anchor, _ := strings.Cut(l[1], "#")
			to := from
			if path != "" {
				to = filepath.Join(filepath.Dir(from), path)
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s links to %s, which is not there", from, l[1])
			} else if anchor != "" && !slices.Contains(anchors(texts[to]), anchor) {
				t.Errorf("%s links to %s, and there is no such heading", from, l[1])
			}
		}
	}
	if links < 50 {
		t.Errorf("only %d links were found", links)
	}
}
