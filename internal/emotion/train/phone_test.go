package train

import (
	"strings"
	"testing"
)

func TestPhoneFillsEverySlot(t *testing.T) {
	t.Parallel()
	all, err := Phone(1)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 2000 {
		t.Fatalf("only %d texts", len(all))
	}
	for _, e := range all {
		if e.Labels == 0 || strings.ContainsAny(e.Text, "{}|@") || strings.TrimSpace(e.Text) == "" {
			t.Fatalf("%q, labels %b", e.Text, e.Labels)
		}
	}
}
