// Package secret makes and checks the secrets that open the interface: a
// public prefix that finds the row and 256 random bits, kept as a SHA-256
// digest alone. Package workspace issues them, package api checks them.
package secret

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
)

// The parts of a key, for example "rt_9f3c0a51d2e4_" and 43 characters.
const (
	marker      = "rt_"
	prefixBytes = 6
	secretBytes = 32
	// PrefixLength is the length of a key's public part.
	PrefixLength = len(marker) + 2*prefixBytes
	keyLength    = PrefixLength + 1 + 43
)

// NewKey draws a key. key is shown to its owner once; prefix is its public
// part and digest what is kept of it (see Digest).
func NewKey(random io.Reader) (key, prefix, digest string, err error) {
	var drawn [prefixBytes + secretBytes]byte
	if _, err := io.ReadFull(random, drawn[:]); err != nil {
		return "", "", "", fmt.Errorf("draw a key: %w", err)
	}
	prefix = marker + hex.EncodeToString(drawn[:prefixBytes])
	key = prefix + "_" + base64.RawURLEncoding.EncodeToString(drawn[prefixBytes:])
	return key, prefix, Digest(key), nil
}

// Prefix is the public part of a key; ok is false for text that has not the form of a key.
func Prefix(key string) (prefix string, ok bool) {
	if len(key) != keyLength || !strings.HasPrefix(key, marker) || key[PrefixLength] != '_' {
		return "", false
	}
	return key[:PrefixLength], true
}

// Digest is the SHA-256 of the whole key in hex. No salt and no slow hash are
// needed: nobody guesses 256 random bits.
func Digest(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])
}

// Matches reports in constant time whether the key has the digest.
func Matches(key, digest string) bool {
	return subtle.ConstantTimeCompare([]byte(Digest(key)), []byte(digest)) == 1
}
