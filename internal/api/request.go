package api

import (
	"context"
	"net/http"
	"strings"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/workspace"
)

// Keys tells who a secret key belongs to.
type Keys interface {
	// Authenticate returns problem.Unauthenticated for a secret that is not known or revoked.
	Authenticate(ctx context.Context, secret string) (workspace.Identity, error)
}

type contextKey int

const (
	requestIDKey contextKey = iota
	identityKey
)

// workspaceOf is the workspace of the caller's key; every operation has one.
func workspaceOf(ctx context.Context) string {
	id, _ := ctx.Value(identityKey).(workspace.Identity)
	return id.WorkspaceID
}

// requestIDOf names the request.
func requestIDOf(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey).(string)
	return id
}

// authenticated lets only requests with a valid key reach the operations.
func (s *server) authenticated(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isPublic(r.URL.Path) {
			next.ServeHTTP(w, r)
			return
		}
		id, err := s.identify(r)
		if err != nil {
			s.refuse(w, r, err)
			return
		}
		note(w, id.KeyID)
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), identityKey, id)))
	})
}

// isPublic reports whether the path can be had without a key: what lies
// outside BasePath and the description of the interface.
func isPublic(path string) bool {
	inside := path == BasePath || strings.HasPrefix(path, BasePath+"/")
	return !inside || path == BasePath+openAPIPath || path == BasePath+docsPath
}

const bearerHint = "send your secret API key as Authorization: Bearer <API_KEY>; ringtrue keys create makes one"

func (s *server) identify(r *http.Request) (workspace.Identity, error) {
	values := r.Header.Values("Authorization")
	if len(values) != 1 {
		return workspace.Identity{}, problem.New(problem.Unauthenticated, "the request carries no API key").WithHint(bearerHint)
	}
	scheme, secret, _ := strings.Cut(values[0], " ")
	secret = strings.TrimSpace(secret)
	if !strings.EqualFold(scheme, "Bearer") || secret == "" {
		return workspace.Identity{}, problem.New(problem.Unauthenticated, "the Authorization header is not a bearer key").WithHint(bearerHint)
	}
	return s.Keys.Authenticate(r.Context(), secret)
}
