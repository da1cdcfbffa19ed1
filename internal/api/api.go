package api

import (
	"net/http"
	"time"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/live"
)

// Options are everything the interface stands on. Services that are nil have
// no operations: their paths answer 404.
type Options struct {
	// HTTP is what all operations have in common.
	HTTP        rest.Options
	Experiments Experiments
	Rooms       Rooms
	CallLogs    CallLogs
	Events      Events
	// Live tells of running calls on the event streams; nil does not.
	Live *live.Hub
	Services

	// Done ends the event streams when it is closed, so that a server can shut down.
	Done <-chan struct{}
	// MaxImport caps the body of imports in bytes (default 16 MiB), MaxCallLog that of a call log (default 4 MiB).
	MaxImport, MaxCallLog int64
	// CallLogRate is how many call logs one key may submit per second; 0 means any number.
	CallLogRate float64
	// Poll is how often an event stream looks for news (default 300 ms), Heartbeat how often it shows it is alive (default 15 s),
	// Recheck how often it looks whether its client may still watch (default 2 s).
	Poll, Heartbeat, Recheck time.Duration
	// MaxStreams bounds how many event streams of one workspace are open at once (default 256).
	MaxStreams int
}

// server is what the operations of all resources share.
type server struct {
	*rest.Server
	Options
	// streams counts the event streams that are open.
	streams openStreams
	// callLogRate holds keys to CallLogRate.
	callLogRate keyRates
}

// New returns the handler of the whole interface: everything under BasePath,
// /healthz, /readyz, /openapi.json and /docs.
func New(o Options) http.Handler {
	if o.Sessions != nil {
		o.HTTP.SignedIn = o.Sessions
	}
	s := &server{
		Server: rest.New(o.HTTP, rest.Rules{Access: accessOf, Changes: changes}), Options: o.withDefaults(),
		callLogRate: keyRates{perSecond: o.CallLogRate},
	}
	s.routes()
	s.tellItemsWritten()
	return s.Handler()
}

func (o Options) withDefaults() Options {
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
	return o
}
