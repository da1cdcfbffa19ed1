package secret_test

import (
	"bytes"
	"crypto/rand"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/secret"
)

func TestKeyOpensWithItsOwnDigestAlone(t *testing.T) {
	t.Parallel()
	key, prefix, digest, err := secret.NewKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := secret.Prefix(key); !ok || got != prefix || !strings.HasPrefix(key, prefix+"_") {
		t.Fatalf("Prefix(%q) = %q, %v; want %q", key, got, ok, prefix)
	}
	if len(digest) != 64 || strings.Contains(key, digest) {
		t.Fatalf("digest %q", digest)
	}
	if !secret.Matches(key, digest) {
		t.Error("the key does not match its own digest")
	}
	other, _, _, err := secret.NewKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if other == key || secret.Matches(other, digest) || secret.Matches(key+"x", digest) || secret.Matches("", "") {
		t.Error("another key matches")
	}
}

func TestEveryRandomByteCounts(t *testing.T) {
	t.Parallel()
	seed := make([]byte, 38)
	first, _, _, err := secret.NewKey(bytes.NewReader(seed))
	if err != nil {
		t.Fatal(err)
	}
	for i := range seed {
		changed := bytes.Clone(seed)
		changed[i] ^= 1
		if key, _, _, _ := secret.NewKey(bytes.NewReader(changed)); key == first {
			t.Errorf("byte %d makes no difference", i)
		}
	}
	if _, _, _, err := secret.NewKey(bytes.NewReader(seed[:37])); err == nil {
		t.Error("a key came out of too little randomness")
	}
}

func FuzzPrefix(f *testing.F) {
	key, _, _, _ := secret.NewKey(bytes.NewReader(make([]byte, 38)))
	for _, text := range []string{"", "rt_", key, key[1:], strings.Repeat("é", 30), strings.Repeat("_", 59)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		prefix, ok := secret.Prefix(text)
		if ok && (len(prefix) != secret.PrefixLength || !strings.HasPrefix(text, prefix)) {
			t.Errorf("Prefix(%q) = %q", text, prefix)
		}
	})
}
