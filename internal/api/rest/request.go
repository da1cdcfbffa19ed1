package rest

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/workspace"
)

// Keys tells who a secret key belongs to.
type Keys interface {
	// Authenticate returns problem.Unauthenticated for a secret that is not known or revoked.
	Authenticate(ctx context.Context, secret string) (workspace.Identity, error)
}

// SignedIn tells who a session at a browser belongs to.
type SignedIn interface {
	// Identify returns problem.Unauthenticated for a session that is not known or over.
	Identify(ctx context.Context, secret string) (workspace.Identity, error)
	// Recognize is Identify without taking the request for a sign that the person is there.
	Recognize(ctx context.Context, secret string) (workspace.Identity, error)
}

// about is what is known of a request. It is there from the beginning, and each layer
// that the request passes on its way in adds what it has found out.
type about struct {
	// requestID names the request.
	requestID string
	// identity is in whose name it is made; it is empty where one need not be signed in.
	identity workspace.Identity
	// address is where it came from.
	address string
	// broken says that its body broke off.
	broken bool
}

type aboutKey struct{}

// aboutOf is what is known of the request with the context.
func aboutOf(ctx context.Context) *about {
	if a, ok := ctx.Value(aboutKey{}).(*about); ok {
		return a
	}
	return new(about)
}

// IdentityOf is in whose name the request is made; it is empty where one need not be signed in.
func IdentityOf(ctx context.Context) workspace.Identity { return aboutOf(ctx).identity }

// WorkspaceOf is the workspace of the caller's key or session; every operation has one.
func WorkspaceOf(ctx context.Context) string { return IdentityOf(ctx).WorkspaceID }

// RequestIDOf names the request.
func RequestIDOf(ctx context.Context) string { return aboutOf(ctx).requestID }

// AddressOf is where the request came from.
func AddressOf(ctx context.Context) string { return aboutOf(ctx).address }

// authenticated lets only requests with a valid key or session reach the
// operations, except those that are open.
func (s *Server) authenticated(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isPublic(r.URL.Path) {
			next.ServeHTTP(w, r)
			return
		}
		// Unless the operation says otherwise: the answer is for who asked alone, and as long as they may see
		// it. Browsers show what they kept when somebody goes back, to whoever sits there then.
		w.Header().Set("Cache-Control", "no-store")
		id, err := s.Identify(r)
		if err != nil {
			_, pattern := s.mux.Handler(r)
			noteRoute(w, pattern)
			s.Refuse(w, r, err)
			return
		}
		name, _ := id.Who()
		note(w, name)
		known := aboutOf(r.Context())
		known.identity, known.address = id, s.clientAddress(r)
		next.ServeHTTP(w, r)
	})
}

// isPublic reports whether the path can be had without a key: what lies
// outside BasePath and the description of the interface.
func isPublic(path string) bool {
	inside := path == BasePath || strings.HasPrefix(path, BasePath+"/")
	return !inside || path == BasePath+openAPIPath || path == BasePath+docsPath
}

const bearerHint = "sign in at the web app, or send your secret API key as Authorization: Bearer <API_KEY>; ringtrue keys create makes one"

// Identify finds out who asks: by the key, or else by the cookie. Whoever asks
// for an open operation without either is nobody. What a proxy before the service
// has the browser send along, or sends itself, is no key and is passed over.
func (s *Server) Identify(r *http.Request) (workspace.Identity, error) {
	open := s.open[r.Method+" "+r.URL.Path]
	cookies := r.CookiesNamed(s.Cookies.Session)
	values := r.Header.Values("Authorization")
	if len(values) > 0 && (slices.ContainsFunc(values, isKey) || !open && len(cookies) == 0) {
		return s.identifyKey(r, values)
	}
	// A browser sends the cookie whoever made the page that asks for it, and an
	// address that signs in would do so for anybody.
	if err := s.origins.Check(r); err != nil {
		return workspace.Identity{}, problem.New(problem.Forbidden, "a page of another site may not do this").
			WithHint("use the web app at its own address; when a proxy stands before the service, give --public-url").Because(err)
	}
	if s.SignedIn == nil || len(cookies) != 1 {
		if open {
			return workspace.Identity{}, nil
		}
		return workspace.Identity{}, problem.New(problem.Unauthenticated, "the request carries no API key").WithHint(bearerHint)
	}
	who := s.SignedIn.Identify
	if s.unattended[r.Method+" "+r.URL.Path] {
		who = s.SignedIn.Recognize
	}
	id, err := who(r.Context(), cookies[0].Value)
	if open && problem.Is(err, problem.Unauthenticated) {
		return workspace.Identity{}, nil
	}
	return id, err
}

// isKey reports whether an Authorization header carries what one of our keys begins with.
func isKey(authorization string) bool {
	scheme, secret, _ := strings.Cut(authorization, " ")
	return strings.EqualFold(scheme, "Bearer") && workspace.IsKey(strings.TrimSpace(secret))
}

func (s *Server) identifyKey(r *http.Request, values []string) (workspace.Identity, error) {
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
