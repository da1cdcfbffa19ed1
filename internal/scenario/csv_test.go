package scenario

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"
)

// csvOf is a file of these rows.
func csvOf(t *testing.T, rows ...[]string) []byte {
	t.Helper()
	var b strings.Builder
	if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	return []byte(b.String())
}

// What means something else to YAML is part of a phrase all the same; a list is a list.
func TestCSVPhraseIsTakenAsItStands(t *testing.T) {
	t.Parallel()
	rubricOf := func(cell string) []string {
		items, bad := ParseItems(csvOf(t, []string{"goal", "output.rubric"}, []string{"x", cell}), CSV)
		if bad != nil {
			t.Errorf("%q: %v", cell, bad)
			return nil
		}
		return items[0].Output.Rubric
	}
	for _, phrase := range []string{
		"call us at #5", "press one # to confirm", "The agent confirms: the day.", "null", `"hi", he said`,
		"*please*", "@home", "{name} is greeted", "? what", "!important", "it's 10:30",
	} {
		if got := rubricOf(" " + phrase + " "); !slices.Equal(got, []string{phrase}) {
			t.Errorf("read %q of %q", got, phrase)
		}
	}
	for _, list := range []string{`["a: b", "c # d"]`, "- 'a: b'\n- 'c # d'"} {
		if got := rubricOf(list); !slices.Equal(got, []string{"a: b", "c # d"}) {
			t.Errorf("read %q of the list %s", got, list)
		}
	}
}
