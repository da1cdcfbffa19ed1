// Package secret seals what must be kept and never shown: tokens for recordings
// and keys of voice platforms. AES-256-GCM with a random nonce; the context that a
// secret belongs to (its workspace and name) is bound to it, so that a row copied
// elsewhere opens nothing; the key's id stands in front, so that keys can be
// changed one after another.
//
// Package credential asks it through a port of its own; package app reads the
// keys from flags, environment or the data folder. It keeps nothing itself. API
// keys, which only ever need to be recognised, are hashed by package workspace.
package secret

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

var (
	// ErrKey says that a text is no key.
	ErrKey = errors.New("a secret key is 32 random bytes, written as 64 hexadecimal digits or in base64")
	// ErrUnknownKey says that something was sealed with a key that is not at hand.
	ErrUnknownKey = errors.New("sealed with another secret key")
	// ErrBroken says that something was changed after it was sealed, or belongs elsewhere.
	ErrBroken = errors.New("the sealed text is damaged or belongs elsewhere")
)

const (
	keyBytes = 32
	version  = "v1"
)

// Key is one key.
type Key struct {
	id   string
	aead cipher.AEAD
}

// ParseKey reads a key: 64 hexadecimal digits, or 32 bytes in base64.
func ParseKey(text string) (Key, error) {
	text = strings.TrimSpace(text)
	raw, err := hex.DecodeString(text)
	for _, e := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding} {
		if err == nil && len(raw) == keyBytes {
			break
		}
		raw, err = e.DecodeString(text)
	}
	if err != nil || len(raw) != keyBytes {
		return Key{}, ErrKey // never with what it was
	}
	return newKey(raw)
}

// newKey derives what encrypts and what is shown, so that neither tells of the other.
func newKey(raw []byte) (Key, error) {
	inner, err := hkdf.Key(sha256.New, raw, nil, "ringtrue seal "+version, keyBytes)
	if err != nil {
		return Key{}, fmt.Errorf("derive a key: %w", err)
	}
	id, err := hkdf.Key(sha256.New, raw, nil, "ringtrue key id "+version, 6)
	if err != nil {
		return Key{}, fmt.Errorf("derive a key: %w", err)
	}
	block, err := aes.NewCipher(inner)
	if err != nil {
		return Key{}, fmt.Errorf("make a cipher: %w", err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return Key{}, fmt.Errorf("make a cipher: %w", err)
	}
	return Key{id: hex.EncodeToString(id), aead: aead}, nil
}

// ID names the key without telling anything of it.
func (k Key) ID() string { return k.id }

// Box seals with one key and opens with several. Its methods are safe for concurrent use.
type Box struct {
	first Key
	keys  map[string]Key
}

// NewBox makes a box: the first key seals, all of them open.
func NewBox(first Key, others ...Key) *Box {
	b := &Box{first: first, keys: map[string]Key{first.id: first}}
	for _, k := range others {
		b.keys[k.id] = k
	}
	return b
}

// KeyID names the key that seals.
func (b *Box) KeyID() string { return b.first.id }

// Knows says whether what was sealed with the key of that id can be opened.
func (b *Box) Knows(keyID string) bool {
	_, ok := b.keys[keyID]
	return ok
}

// Seal encrypts a text for a context; the same context opens it. Each sealing of
// the same text reads differently.
func (b *Box) Seal(plain, context string) string {
	sealed := b.first.aead.Seal(nil, nil, []byte(plain), bound(b.first.id, context))
	return version + "." + b.first.id + "." + base64.RawURLEncoding.EncodeToString(sealed)
}

// Open decrypts. Errors are ErrUnknownKey or ErrBroken.
func (b *Box) Open(sealed, context string) (string, error) {
	v, rest, _ := strings.Cut(sealed, ".")
	id, text, ok := strings.Cut(rest, ".")
	if v != version || !ok {
		return "", ErrBroken
	}
	k, ok := b.keys[id]
	if !ok {
		return "", ErrUnknownKey
	}
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return "", ErrBroken
	}
	plain, err := k.aead.Open(nil, nil, raw, bound(id, context))
	if err != nil {
		return "", ErrBroken
	}
	return string(plain), nil
}

// bound is what a sealed text is tied to beside its key.
func bound(id, context string) []byte { return []byte(version + "\x00" + id + "\x00" + context) }
