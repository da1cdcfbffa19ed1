package media

import (
	"cmp"
	"context"
	"log/slog"
	"math"
	"net/netip"
	"net/url"
	"strconv"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// ConnectOptions say which media server to use.
type ConnectOptions struct {
	// URL is where the server is: wss://, ws://, https:// or http://. PublicURL is what agents
	// are told when they reach it by another address.
	URL, PublicURL string
	// Key and Secret are the server's; 32 characters and more unless it is on this machine.
	Key, Secret string
	// Log is where the client library logs, nil logs nothing.
	Log *slog.Logger
}

// Connect uses a media server that runs elsewhere. It does not wait until the
// server answers: [Server.Check] tells.
func Connect(_ context.Context, o ConnectOptions) (*Server, error) {
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
			"look at --media-url, --media-key and --media-secret, and whether the server is up"),
		keys: keys, url: public, address: address,
	}, nil
}

// webSocket returns an address as agents are told it, ws:// or wss://.
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

// reachable reports whether an address names a host, and a port that there is or none.
func reachable(u *url.URL) bool {
	port, err := strconv.Atoi(cmp.Or(u.Port(), "1"))
	return u.Hostname() != "" && err == nil && port > 0 && port <= math.MaxUint16
}

// onThisMachine reports whether an address leads to loopback.
func onThisMachine(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
}
