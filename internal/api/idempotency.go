package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/store"
)

// Idempotency remembers what requests with an Idempotency-Key created (a
// *store.Store). The key remembers the id, not the answer.
//
// A key is taken before the thing is created, so that two requests with the
// same key never both create; it is given its id after the commit of the
// creation. A process that dies between the two leaves the key taken without
// an id: a repeat is then answered "conflict" and the client looks into the
// list, but nothing is ever made twice.
type Idempotency interface {
	// TakeKey takes the key for a request. When it was taken before within
	// its life of 24 hours, taken is false and m says by what.
	TakeKey(ctx context.Context, workspaceID, key, digest string, now time.Time) (m store.Remembered, taken bool, err error)
	// RememberKey gives the key the id of what was created.
	RememberKey(ctx context.Context, workspaceID, key, id string) error
	// DropKey gives the key free again, because nothing was created.
	DropKey(ctx context.Context, workspaceID, key string) error
}

// CreateHeader is what every operation takes that creates something; embed it in the input.
type CreateHeader struct {
	IdempotencyKey string `header:"Idempotency-Key" maxLength:"255" doc:"A word of the client's own; a repeat with the same key and body creates nothing and answers with what the first one created"`
}

// once creates a thing at most once per Idempotency-Key. request is all that
// the creation depends on (path parameters and body), create makes the thing
// and returns its id, again shows the thing that an earlier request made.
func once[O any](ctx context.Context, s *server, key, operation string, request any,
	create func() (id string, out *O, err error), again func(id string) (*O, error),
) (*O, error) {
	if key == "" {
		_, out, err := create()
		return out, err
	}
	if s.Idempotency == nil {
		return nil, problem.Invalid(problem.Field{Path: "header.Idempotency-Key", Message: "is not supported by this server"})
	}
	digest, err := digestOf(operation, request)
	if err != nil {
		return nil, err
	}
	workspaceID := workspaceOf(ctx)
	m, taken, err := s.Idempotency.TakeKey(ctx, workspaceID, key, digest, s.Now())
	if err != nil {
		return nil, err
	}
	if !taken {
		return repeat(m, digest, again)
	}
	id, out, err := create()
	// What was decided is written down even when the client has gone meanwhile.
	after := context.WithoutCancel(ctx)
	if err != nil {
		if dropErr := s.Idempotency.DropKey(after, workspaceID, key); dropErr != nil {
			s.Log.ErrorContext(ctx, "idempotency key was not given free", "request_id", requestIDOf(ctx), "error", dropErr)
		}
		return nil, err
	}
	if err := s.Idempotency.RememberKey(after, workspaceID, key, id); err != nil {
		s.Log.ErrorContext(ctx, "idempotency key was not remembered", "request_id", requestIDOf(ctx), "error", err)
	}
	return out, nil
}

func repeat[O any](m store.Remembered, digest string, again func(id string) (*O, error)) (*O, error) {
	if m.Digest != digest {
		return nil, problem.New(problem.Conflict, "the Idempotency-Key was used for another request").
			WithHint("use a new key for every new request")
	}
	if m.ID == "" {
		return nil, problem.New(problem.Conflict, "the first request with this Idempotency-Key is not done").
			WithHint("try again in a moment; if this stays, the first request was broken off: look whether the thing exists, and use a new key")
	}
	return again(m.ID)
}

// digestOf is the fingerprint of a request.
func digestOf(operation string, request any) (string, error) {
	data, err := json.Marshal(request)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	sum.Write([]byte(operation))
	sum.Write([]byte{0})
	sum.Write(data)
	return hex.EncodeToString(sum.Sum(nil)), nil
}
