package speech

import (
	"strings"
	"testing"
)

// TestAmountsAreSpoken checks amounts of money as written, of which one is singular.
func TestAmountsAreSpoken(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		"$1":      "one dollar",
		"$1.01":   "one dollar and one cent",
		"$20.05.": "twenty dollars and five cents",
		"$0":      "zero dollars",
		"$1,200":  "one thousand two hundred dollars",
	} {
		if got := strings.Join(spoken(written), " "); got != want {
			t.Errorf("%s is spoken as %q, want %q", written, got, want)
		}
	}
}
