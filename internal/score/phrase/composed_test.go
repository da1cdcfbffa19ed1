package phrase

import (
	"testing"

	"golang.org/x/text/unicode/norm"
)

// A letter with an accent is the same, whether it is written as one character or as two.
func TestFindLettersHoweverComposed(t *testing.T) {
	t.Parallel()
	for _, same := range []string{
		"café", "Crème brûlée für Zoë Müller", "naïve", "Ångström", "ガイド", "が", "한국어", "Việt Nam", "й", "İstanbul", "ẹ̀kọ́", "ñandú-crème@example.com", "Ελλάδα",
	} {
		one, two := norm.NFC.String(same), norm.NFD.String(same)
		for _, c := range [][2]string{{one, two}, {two, one}, {two, two}} {
			if !Find(Normalise(c[0]), Normalise(c[1]), Exact).Found {
				t.Errorf("%+q is not found in %+q: %q and %q", c[0], c[1], Normalise(c[0]), Normalise(c[1]))
			}
		}
	}
	if Find(Normalise("résumé"), Normalise("please resume"), Exact).Found {
		t.Error("an accent counts for nothing")
	}
}
