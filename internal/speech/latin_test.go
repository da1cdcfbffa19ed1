package speech

import (
	"slices"
	"strings"
	"testing"
)

func TestLatin(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Zoë Müller, José and Łukasz":         "Zoe Muller, Jose and Lukasz",
		"Zoe\u0308 from Straße 5":             "Zoe from Strasse 5",
		"It's £40, or €1,250.50, not $40":     "It's 40 pounds, or 1,250 euros 50, not $40",
		"£1 and € 3.00.":                      "1 pound and 3 euros.",
		"don’t — “wait”…":                     `don't ,  "wait"...`,
		"9–12 or 9 — 12":                      "9 to 12 or 9 to 12",
		"Smith & Sons, 21° and 2½, ½ a cup":   "Smith  and  Sons, 21 degrees and 2 and a half, half a cup",
		"plain words, 10:30, and 50 % of it!": "plain words, 10:30, and 50 % of it!",
		"ﬁve and １２":                          "five and 12",
	} {
		if got := latin(text); got != want {
			t.Errorf("%q is said as %q, want %q", text, got, want)
		}
	}
	if got := spoken("£40 for Zoë & José"); !slices.Equal(got, strings.Fields("forty pounds for zoe and jose")) {
		t.Errorf("its words are %q", got)
	}
}

// A name is said whole, whatever accents it has.
func TestLettersOfOtherLanguagesAreSpoken(t *testing.T) {
	t.Parallel()
	e := realEngines(t)
	for text, like := range map[string]string{"My name is Zoë Müller.": "My name is Zoe Muller.", "It costs £40 & that is all.": "It costs forty pounds and that is all."} {
		if got, want := speak(t, e, "slt", text), speak(t, e, "slt", like); len(got) != len(want) {
			t.Errorf("%q takes %d samples, %q %d", text, len(got), like, len(want))
		}
	}
}
