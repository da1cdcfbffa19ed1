package score

import (
	"fmt"
	"os"
	"slices"
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

// Who reads what a setting means, or why one is refused, is at a program or a page that has no
// files of ours: it is said in words, and nobody is sent to one.
func TestSettingsAreExplainedWithoutAPage(t *testing.T) {
	t.Parallel()
	told := map[string]string{"celNames": celNames}
	for _, k := range kinds() {
		told[k.Kind] = k.Summary
		for _, p := range k.Params {
			told[k.Kind+"."+p.Name] = p.Meaning
		}
	}
	for place, words := range told {
		if words == "" || strings.Contains(words, "docs/") || strings.Contains(words, ".md") {
			t.Errorf("%s: %q", place, words)
		}
	}
}

// What is said of the names that an expression may use is true of every one, and leaves out none
// but the metrics.
func TestTheNamesOfAnExpressionAreTold(t *testing.T) {
	t.Parallel()
	env, err := newCallEnv()
	if err != nil {
		t.Fatal(err)
	}
	known := namesOf(env)
	told := strings.FieldsFunc(celNames, func(r rune) bool { return strings.ContainsRune(" ,:", r) })
	for i, word := range told {
		told[i] = strings.TrimRight(word, ".")
	}
	for _, name := range told {
		if strings.HasPrefix(name, "call.") && !slices.Contains(known, name) {
			t.Errorf("%q is told of and not known", name)
		}
	}
	for _, name := range known {
		metric, _, _ := strings.Cut(strings.TrimPrefix(name, "call."), ".")
		if !slices.Contains(told, name) && !slices.Contains(metricNames(), metric) {
			t.Errorf("%q is known and not told of", name)
		}
	}
}
