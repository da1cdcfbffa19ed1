package score

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// The table of kinds in the documentation has every kind with its version and
// parameters.
func TestThePageNamesEveryKind(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/scorers.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range kinds() {
		_, row, found := strings.Cut(string(page), fmt.Sprintf("\n| `%s` | %d |", k.Kind, k.Version))
		if !found {
			t.Errorf("docs/scorers.md does not name %q with version %d", k.Kind, k.Version)
			continue
		}
		row, _, _ = strings.Cut(row, "\n")
		for _, p := range k.Params {
			if !strings.Contains(row, "`"+p.Name+"`") {
				t.Errorf("docs/scorers.md does not name the parameter %q of %q", p.Name, k.Kind)
			}
		}
	}
}
