package workspace

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
)

// A secret key reads rt_<prefix>_<secret>: 8 random bytes that find the row
// and 32 that prove it, both in hexadecimal.
const (
	keyMark     = "rt_"
	prefixBytes = 8
	secretBytes = 32
	keyLength   = len(keyMark) + 2*prefixBytes + 1 + 2*secretBytes
)

// IsKey reports whether a secret was made to be a key of the service's, known or not, whole or not.
func IsKey(secret string) bool { return strings.HasPrefix(secret, keyMark) }

// newSecret draws a key.
func newSecret(random io.Reader) (secret, prefix string, err error) {
	raw := make([]byte, prefixBytes+secretBytes)
	if _, err := io.ReadFull(random, raw); err != nil {
		return "", "", fmt.Errorf("draw a secret key: %w", err)
	}
	prefix = hex.EncodeToString(raw[:prefixBytes])
	return keyMark + prefix + "_" + hex.EncodeToString(raw[prefixBytes:]), prefix, nil
}

// prefixOf is the public part of a secret; ok is false for what cannot be one of our keys.
func prefixOf(secret string) (prefix string, ok bool) {
	if len(secret) != keyLength || !strings.HasPrefix(secret, keyMark) {
		return "", false
	}
	prefix, rest, _ := strings.Cut(secret[len(keyMark):], "_")
	return prefix, len(prefix) == 2*prefixBytes && isHex(prefix) && isHex(rest)
}

func isHex(s string) bool {
	for _, c := range []byte(s) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// digestOf is how a secret is kept.
func digestOf(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// matches compares digests in constant time.
func matches(kept, given string) bool {
	return subtle.ConstantTimeCompare([]byte(kept), []byte(given)) == 1
}
