package people

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
)

// A token is 32 random bytes in base64 without padding.
const (
	tokenBytes  = 32
	tokenLength = 43
)

// drawToken draws a token and its digest, which is all that is kept.
func drawToken(random io.Reader) (token, digest string, err error) {
	raw := make([]byte, tokenBytes)
	if _, err := io.ReadFull(random, raw); err != nil {
		return "", "", fmt.Errorf("draw a token: %w", err)
	}
	token = base64.RawURLEncoding.EncodeToString(raw)
	digest, _ = digestOf(token)
	return token, digest, nil
}

// digestOf is how a token is kept; ok is false for what cannot be one of ours.
func digestOf(token string) (digest string, ok bool) {
	if len(token) != tokenLength {
		return "", false
	}
	if raw, err := base64.RawURLEncoding.Strict().DecodeString(token); err != nil || len(raw) != tokenBytes {
		return "", false
	}
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:]), true
}
