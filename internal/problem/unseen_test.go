package problem

import "testing"

func TestUnseen(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"": true, " \t": true, "\u00a0": true, "\u200b\u2060": true, "\u202e": true, "\x00\x1f": true,
		"a": false, "\u200bä": false, ".": false, "東": false, "🎉": false,
	} {
		if got := Unseen(name); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}
