package media

import (
	"strings"
	"testing"
)

func TestFingerprintTellsKeysApart(t *testing.T) {
	t.Parallel()
	one := Keys{Key: "one", Secret: strings.Repeat("s", 32)}
	if one.Fingerprint() != (Keys{Key: "one", Secret: strings.Repeat("s", 32)}).Fingerprint() {
		t.Error("the same keys have two fingerprints")
	}
	for _, other := range []Keys{{Key: "two", Secret: one.Secret}, {Key: "one", Secret: strings.Repeat("t", 32)}, {}} {
		if one.Fingerprint() == other.Fingerprint() {
			t.Errorf("other keys have the same fingerprint as %+v", other)
		}
	}
	if got := (Keys{}).Fingerprint(); got != "" {
		t.Errorf("no keys have the fingerprint %q", got)
	}
	if got := one.Fingerprint(); strings.Contains(got, "s") {
		t.Errorf("the fingerprint %q contains the secret", got)
	}
}
