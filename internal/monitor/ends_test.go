package monitor

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestThePagesKnowTheSameBrokenEnds compares the web app's list of ends that explain a failing
// call with the one by which calls count as failing.
func TestThePagesKnowTheSameBrokenEnds(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile(filepath.Join("..", "web", "app", "src", "pages", "calls", "failing.ts"))
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`const Broken = \[([^\]]*)\]`).FindSubmatch(source)
	if list == nil {
		t.Fatal("the pages have no list of broken ends")
	}
	var theirs, ours []string
	for _, code := range regexp.MustCompile(`"([a-z_]+)"`).FindAllSubmatch(list[1], -1) {
		theirs = append(theirs, string(code[1]))
	}
	for _, end := range brokenEnds() {
		ours = append(ours, string(end))
	}
	slices.Sort(theirs)
	slices.Sort(ours)
	if diff := cmp.Diff(ours, theirs); diff != "" {
		t.Errorf("the pages name other ends (-monitoring +pages):\n%s", diff)
	}
}
