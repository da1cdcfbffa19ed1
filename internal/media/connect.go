package media

import (
	"cmp"
	"log/slog"
	"math"
	"net/netip"
	"net/url"
	"strconv"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// ConnectOptions configure the use of an external media server.
type ConnectOptions struct {
	// URL is the server's address: wss://, ws://, https:// or http://. PublicURL is the address
	// given to agents if they reach the server by another one.
	URL, PublicURL string
	// Key and Secret are the server's API key. The secret must have at least 32 characters
	// unless the server is on this machine.
	Key, Secret string
	// Log receives the log of the client library; nil discards it.
	Log *slog.Logger
}

// Connect returns a Server for a media server that runs elsewhere. It does not contact it; use
// [Server.Check] for that.
func Connect(o ConnectOptions) (*Server, error) {
	address, wrong := webSocket("--media-url", o.URL)
	public, wrongToo := webSocket("--media-public-url", cmp.Or(o.PublicURL, o.URL))
	fields := wrong
	if o.PublicURL != "" {
		fields = append(fields, wrongToo...)
	}
	keys := Keys{Key: o.Key, Secret: o.Secret}
	fields = append(fields, keys.check(len(wrong) == 0 && onThisMachine(address))...)
	if len(fields) > 0 {
		return nil, problem.Invalid(fields...)
	}
	quieten(o.Log, o.Secret)
	return &Server{
		api: newAPI(address, keys, "media server at "+address,
			"check --media-url, --media-key and --media-secret, and whether the server is running"),
		keys: keys, url: public, address: address,
	}, nil
}

// webSocket returns an address in the form given to agents, ws:// or wss://.
func webSocket(flag, text string) (string, []problem.Field) {
	wrong := []problem.Field{{Path: flag, Message: "it must be an address like wss://media.example.org"}}
	u, err := url.Parse(text)
	if err != nil || !reachable(u) || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return "", wrong
	}
	switch u.Scheme {
	case "http", "ws":
		u.Scheme = "ws"
	case "https", "wss":
		u.Scheme = "wss"
	default:
		return "", wrong
	}
	if u.Path == "/" {
		u.Path = ""
	}
	return u.String(), nil
}

// reachable reports whether an address has a host and either no port or a valid one.
func reachable(u *url.URL) bool {
	port, err := strconv.Atoi(cmp.Or(u.Port(), "1"))
	return u.Hostname() != "" && err == nil && port > 0 && port <= math.MaxUint16
}

// onThisMachine reports whether an address is a loopback address.
func onThisMachine(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
}
