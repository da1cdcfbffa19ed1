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

// A spreadsheet writes empty rows and columns where something once stood, or was formatted.
func TestCSVRowsAndColumnsOfNothingArePassedOver(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"key,goal,\na,x,\n,,\n , ,\nb,y,\n,,\n,,\n",
		"\n,,\nkey,goal\na,x,,\nb,y\n\n",
	} {
		items, bad := ParseItems([]byte(text), CSV)
		if bad != nil || len(items) != 2 || items[1].Key != "b" || items[1].Input.Goal != "y" {
			t.Errorf("%q: %+v %v", text, items, bad)
		}
	}
	for text, want := range map[string]string{
		"key,,goal\na,,x\n":  `1 header."": is not a known column`,
		"key,goal\na,x,,y\n": "2 items[0]: has more cells than the header has columns",
		"key,goal\n,,\nb,\n": "3 items[0].input: needs a script, or a goal for a language model to play",
		"key,goal\n,,\n,,\n": "1 items: the file holds no items",
	} {
		_, bad := ParseItems([]byte(text), CSV)
		if bad == nil || len(bad.Fields) != 1 || problems(bad.Fields)[0] != want {
			t.Errorf("%q: %v, want %s", text, bad, want)
		}
	}
}
