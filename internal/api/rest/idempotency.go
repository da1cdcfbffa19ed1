package rest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/store"
)

// Idempotency remembers what requests with an Idempotency-Key created (a
// *store.Store). The key remembers what was made, not the answer, and is written
// in the transaction that makes it: a process that dies leaves both or neither.
type Idempotency interface {
	// UseOfKey tells what the key was used for within its life of 24 hours; ok
	// is false when it was not.
	UseOfKey(ctx context.Context, workspaceID, key string, now time.Time) (m store.Remembered, ok bool, err error)
	// UnderKey is the context in which what is made is remembered with the key.
	// When another request was first, making it fails with store.ErrKeyUsed.
	UnderKey(ctx context.Context, workspaceID, key, digest string) context.Context
}

// CreateHeader is what every operation takes that creates something; embed it in the input.
type CreateHeader struct {
	IdempotencyKey string `header:"Idempotency-Key" maxLength:"255" doc:"A value of your choice that makes a repeat safe: the same key with the same body creates nothing again and is answered with what the first request created"`
}

// Creation is what a request asks to create.
type Creation struct {
	// Key is the request's Idempotency-Key, "" when it has none.
	Key string
	// Operation is the operation's id.
	Operation string
	// From is all that the new thing depends on: path parameters and body.
	From any
}

// Once creates a thing at most once per Idempotency-Key. create makes the thing in the
// context that it is given, again shows the thing that an earlier request made.
func Once[O any](ctx context.Context, s *Server, c Creation,
	create func(context.Context) (*O, error), again func(store.Remembered) (*O, error),
) (*O, error) {
	if c.Key == "" {
		return create(ctx)
	}
	if s.Idempotency == nil {
		return nil, problem.Invalid(problem.Field{Path: "header.Idempotency-Key", Message: "is not supported by this server"})
	}
	if !utf8.ValidString(c.Key) || strings.ContainsFunc(c.Key, unicode.IsControl) {
		return nil, problem.Invalid(problem.Field{Path: "header.Idempotency-Key", Message: "holds characters that are no text"})
	}
	digest, err := c.digest()
	if err != nil {
		return nil, err
	}
	workspaceID := WorkspaceOf(ctx)
	m, used, err := s.Idempotency.UseOfKey(ctx, workspaceID, c.Key, s.Now())
	if err != nil {
		return nil, err
	}
	if used {
		return repeat(m, digest, again)
	}
	out, refused := create(s.Idempotency.UnderKey(ctx, workspaceID, c.Key, digest))
	if !mayBeOurs(refused) {
		return out, refused
	}
	m, used, err = s.Idempotency.UseOfKey(ctx, workspaceID, c.Key, s.Now())
	switch {
	case err != nil:
		return nil, err
	case !used:
		return nil, refused
	}
	return repeat(m, digest, again)
}

// mayBeOurs reports whether what is in the way may be what the same request has just made: a name that
// is given once, or a call that is in the dataset already.
func mayBeOurs(refused error) bool {
	return errors.Is(refused, store.ErrKeyUsed) || problem.Is(refused, problem.Conflict) || problem.Is(refused, problem.InvalidFields)
}

func repeat[O any](m store.Remembered, digest string, again func(store.Remembered) (*O, error)) (*O, error) {
	if m.Digest != digest {
		return nil, problem.New(problem.Conflict, "the Idempotency-Key was used for another request").
			WithHint("use a new key for every new request")
	}
	return again(m)
}

// digest is the fingerprint of the request.
func (c Creation) digest() (string, error) {
	data, err := json.Marshal(c.From)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	sum.Write([]byte(c.Operation))
	sum.Write([]byte{0})
	sum.Write(data)
	return hex.EncodeToString(sum.Sum(nil)), nil
}
