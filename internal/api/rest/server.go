package rest

import (
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// BasePath is what every operation's path begins with.
const BasePath = "/api/rest"

// Options are what all operations have in common.
type Options struct {
	// Keys tells who is calling; required.
	Keys Keys
	// SignedIn tells who is at a browser; nil knows nobody.
	SignedIn SignedIn
	// Idempotency remembers Idempotency-Keys; nil refuses the header.
	Idempotency Idempotency
	// Ready reports whether the database answers; nil means always.
	Ready Readiness

	Log *slog.Logger
	// Now is the wall clock. Without it time stands still, which is enough to read the document.
	Now func() time.Time
	// Steady is a clock for deadlines: it begins like Now and is never set. nil is Now.
	Steady func() time.Time
	// NewID makes typed ids, here "req" for requests that bring none; required.
	NewID   func(prefix string) string
	Version string
	// PublicURL is where clients reach us ("https://ringtrue.example.org"), without a slash at its end; "" keeps links relative.
	PublicURL string
	// PathAliases lead paths of older clients to ours; both relative to BasePath. The longest that fits is taken.
	PathAliases []PathAlias
	// MaxBody caps the body of a request in bytes (default 1 MiB), but for operations with a bound of their own.
	MaxBody int64
	// TrustedProxies are where proxies stand whose X-Forwarded-For is believed.
	TrustedProxies []netip.Prefix
	// Answered is told of every request once it is answered; nil tells nobody.
	Answered func(Answered)
}

func (o Options) withDefaults() Options {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = func() time.Time { return time.Time{} }
	}
	if o.Steady == nil {
		o.Steady = o.Now
	}
	if o.MaxBody <= 0 {
		o.MaxBody = 1 << 20
	}
	o.PathAliases = slices.Clone(o.PathAliases)
	slices.SortStableFunc(o.PathAliases, func(a, b PathAlias) int { return len(b.From) - len(a.From) })
	return o
}

// Rules are what the resources say of their operations.
type Rules struct {
	// Access is who may ask for an operation.
	Access func(*huma.Operation) Access
	// Changes is what kind of thing an operation changes ("agent"), for the audit log; ""
	// keeps it out of that.
	Changes func(*huma.Operation) string
}

// Server serves operations: Register adds one, Handler is the whole.
type Server struct {
	Options
	rules Rules
	// API is the document, to which operations are added.
	API huma.API
	mux *http.ServeMux
	// open are the operations ("GET /api/rest/session") that need no sign-in.
	open map[string]bool
	// unattended are those that keep no session alive.
	unattended map[string]bool
	Cookies    Cookies
	origins    *http.CrossOriginProtection
}

// New returns a server without operations.
func New(o Options, rules Rules) *Server {
	s := &Server{
		Options: o.withDefaults(), rules: rules, mux: http.NewServeMux(),
		open: map[string]bool{}, unattended: map[string]bool{}, Cookies: cookiesOf(o.PublicURL), origins: newOrigins(o.PublicURL),
	}
	s.API = humago.NewWithPrefix(s.mux, BasePath, s.config())
	return s
}

// Handler is everything under BasePath, /healthz, /readyz, /openapi.json and /docs, once
// all operations are registered.
func (s *Server) Handler() http.Handler {
	s.finishDocument()
	s.serveDocument()
	s.serveHealth()
	var h http.Handler = http.HandlerFunc(s.route)
	h = s.authenticated(h)
	h = s.aliased(h)
	h = s.heardOut(s.guarded(h))
	return compressed(s.observed(h))
}

// Serves reports whether a request is the interface's: the others are free for a
// web app. So is one that carries a bearer token or changes something, wherever it
// goes: it comes from a client that has left BasePath out, and that would take a
// page of the web app for an answer. Unless it comes from a browser that loads a
// page, with the token of a proxy that adds one to everything.
func Serves(r *http.Request) bool {
	switch r.Method {
	case http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete:
		return true
	}
	scheme, _, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return isOurs(r.URL.Path) || strings.EqualFold(scheme, "Bearer") && !loadsPage(r)
}

// loadsPage reports whether a browser asks for a page, or for what a page is made of. Browsers say
// so themselves, but only over https and to their own machine; elsewhere they still prefer HTML.
func loadsPage(r *http.Request) bool {
	dest := r.Header.Get("Sec-Fetch-Dest")
	return dest != "" && dest != "empty" || strings.Contains(r.Header.Get("Accept"), "text/html")
}

// isOurs reports whether a path is the interface's.
func isOurs(path string) bool {
	switch path {
	case BasePath, openAPIPath, docsPath, healthPath, readyPath, figuresPath, figuresPath + "/":
		return true
	}
	return strings.HasPrefix(path, BasePath+"/")
}
