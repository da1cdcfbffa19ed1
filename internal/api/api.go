package api

import (
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/ringtrue/ringtrue/internal/live"
)

// BasePath is what every operation's path begins with.
const BasePath = "/api/rest"

// Options are everything the interface stands on. Services that are nil have
// no operations: their paths answer 404.
type Options struct {
	// Keys tells who is calling; required.
	Keys Keys
	// Idempotency remembers Idempotency-Keys; nil refuses the header.
	Idempotency Idempotency
	Experiments Experiments
	Rooms       Rooms
	CallLogs    CallLogs
	Events      Events
	// Live tells of running calls on the event streams; nil does not.
	Live *live.Hub
	Services

	// Ready reports whether the database answers; nil means always.
	Ready Readiness
	// Done ends the event streams when it is closed, so that a server can shut down.
	Done <-chan struct{}

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
	// MaxBody caps the body of a request in bytes (default 1 MiB), MaxImport that of
	// imports (default 16 MiB), MaxCallLog that of a call log (default 4 MiB).
	MaxBody, MaxImport, MaxCallLog int64
	// CallLogRate is how many call logs one key may submit per second; 0 means any number.
	CallLogRate float64
	// Poll is how often an event stream looks for news (default 300 ms), Heartbeat how often it shows it is alive (default 15 s),
	// Recheck how often it looks whether its client may still watch (default 2 s).
	Poll, Heartbeat, Recheck time.Duration
	// TrustedProxies are where proxies stand whose X-Forwarded-For is believed.
	TrustedProxies []netip.Prefix
	// Answered is told of every request once it is answered; nil tells nobody.
	Answered func(Answered)
	// MaxStreams bounds how many event streams of one workspace are open at once (default 256).
	MaxStreams int
}

// server is what the operations of all resources share.
type server struct {
	Options
	api huma.API
	mux *http.ServeMux
	// streams counts the event streams that are open.
	streams openStreams
	// callLogRate holds keys to CallLogRate.
	callLogRate keyRates
	// open are the operations ("GET /api/rest/session") that need no sign-in.
	open    map[string]bool
	cookies cookies
	origins *http.CrossOriginProtection
}

// New returns the handler of the whole interface: everything under BasePath,
// /healthz, /readyz, /openapi.json and /docs.
func New(o Options) http.Handler {
	s := &server{
		Options: o.withDefaults(), mux: http.NewServeMux(), callLogRate: keyRates{perSecond: o.CallLogRate},
		open: map[string]bool{}, cookies: cookiesOf(o.PublicURL), origins: newOrigins(o.PublicURL),
	}
	s.api = humago.NewWithPrefix(s.mux, BasePath, s.config())
	s.routes()
	s.finishDocument()
	s.serveDocument()
	s.serveHealth()
	var h http.Handler = http.HandlerFunc(s.route)
	h = s.authenticated(h)
	h = s.aliased(h)
	h = s.guarded(h)
	return s.observed(h)
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
	if o.MaxImport <= 0 {
		o.MaxImport = 16 << 20
	}
	if o.MaxCallLog <= 0 {
		o.MaxCallLog = 4 << 20
	}
	if o.Poll <= 0 {
		o.Poll = 300 * time.Millisecond
	}
	if o.Heartbeat <= 0 {
		o.Heartbeat = 15 * time.Second
	}
	if o.Recheck <= 0 {
		o.Recheck = 2 * time.Second
	}
	if o.MaxStreams <= 0 {
		o.MaxStreams = 256
	}
	o.PathAliases = slices.Clone(o.PathAliases)
	slices.SortStableFunc(o.PathAliases, func(a, b PathAlias) int { return len(b.From) - len(a.From) })
	return o
}
