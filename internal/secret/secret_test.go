package secret_test

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/ringtrue/ringtrue/internal/secret"
)

func key(t testing.TB, digit string) secret.Key {
	t.Helper()
	k, err := secret.ParseKey(strings.Repeat(digit, 64))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestWhatIsSealedOpensInItsContextAlone(t *testing.T) {
	t.Parallel()
	b := secret.NewBox(key(t, "1"))
	sealed, again := b.Seal("a token", "ws_1/host"), b.Seal("a token", "ws_1/host")
	if sealed == again {
		t.Error("the same text was sealed the same way twice")
	}
	if strings.Contains(sealed, "token") {
		t.Error("the text can be read")
	}
	if got, err := b.Open(sealed, "ws_1/host"); err != nil || got != "a token" {
		t.Errorf("%q %v", got, err)
	}
	if _, err := b.Open(sealed, "ws_2/host"); !errors.Is(err, secret.ErrBroken) {
		t.Errorf("it opened in another context: %v", err)
	}
	for i := range len(sealed) {
		changed := []byte(sealed)
		changed[i] ^= 1
		if got, err := b.Open(string(changed), "ws_1/host"); err == nil && i < len(sealed)-1 {
			t.Errorf("it opened with byte %d changed: %q", i, got)
		}
	}
}

func TestKeysAreChangedOneAfterAnother(t *testing.T) {
	t.Parallel()
	before := secret.NewBox(key(t, "1"))
	sealed := before.Seal("x", "c")
	if _, err := secret.NewBox(key(t, "2")).Open(sealed, "c"); !errors.Is(err, secret.ErrUnknownKey) {
		t.Errorf("%v", err)
	}
	both := secret.NewBox(key(t, "2"), key(t, "1"))
	if got, err := both.Open(sealed, "c"); err != nil || got != "x" {
		t.Errorf("%q %v", got, err)
	}
	if after := both.Seal("x", "c"); strings.Contains(after, before.KeyID()) || !both.Knows(before.KeyID()) || before.Knows(both.KeyID()) {
		t.Error("the first key is not the one that seals")
	}
}

func TestKeysAreReadInHexAndBase64(t *testing.T) {
	t.Parallel()
	hexed := key(t, "0")
	based, err := secret.ParseKey(" AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n")
	if err != nil || based.ID() != hexed.ID() {
		t.Errorf("%v", err)
	}
	for _, bad := range []string{"", "short", strings.Repeat("1", 63), strings.Repeat("z", 64), strings.Repeat("1", 128)} {
		if _, err := secret.ParseKey(bad); !errors.Is(err, secret.ErrKey) || bad != "" && strings.Contains(err.Error(), bad) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestTheFoldersKeyIsMadeOnceAndForTheOwnerAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var wait sync.WaitGroup
	ids, makers := make([]string, 8), make([]bool, 8)
	for i := range ids {
		wait.Go(func() {
			k, made, err := secret.FromFolder(dir, rand.Reader)
			if err != nil {
				t.Error(err)
			}
			ids[i], makers[i] = k.ID(), made
		})
	}
	wait.Wait()
	count := 0
	for i, id := range ids {
		if id != ids[0] {
			t.Error("two processes have two keys")
		}
		if makers[i] {
			count++
		}
	}
	if count != 1 {
		t.Errorf("%d made it", count)
	}
	info, err := os.Stat(filepath.Join(dir, secret.File))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("%d files are left, %v", len(left), err)
	}
	if err := os.WriteFile(filepath.Join(dir, secret.File), []byte("spoilt"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := secret.FromFolder(dir, rand.Reader); !errors.Is(err, secret.ErrKey) || strings.Contains(err.Error(), "spoilt") {
		t.Errorf("%v", err)
	}
}

func FuzzOpen(f *testing.F) {
	k, err := secret.ParseKey(strings.Repeat("1", 64))
	if err != nil {
		f.Fatal(err)
	}
	b := secret.NewBox(k)
	f.Add(b.Seal("x", "c"), "d")
	f.Add("v1."+b.KeyID()+".", "c")
	f.Add("v1..", "")
	f.Fuzz(func(t *testing.T, sealed, context string) {
		// The first seed is sealed truly, and its context is one letter away.
		if got, err := b.Open(sealed, context); err == nil && (got != "x" || context != "c") {
			t.Errorf("what nobody sealed opened: %q", got)
		}
	})
}
