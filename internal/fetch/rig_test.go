package fetch_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/fetch"
)

// names is a resolver under the test's control.
type names map[string][]string

func (n names) lookup(_ context.Context, host string) ([]netip.Addr, error) {
	var out []netip.Addr
	for _, a := range n[host] {
		out = append(out, netip.MustParseAddr(a))
	}
	if out == nil {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	return out, nil
}

// client returns a client that does not wait between tries.
func client(t testing.TB, n names, allow ...string) *fetch.Client {
	t.Helper()
	return build(t, fetch.Options{Allow: allow, Lookup: n.lookup})
}

func build(t testing.TB, o fetch.Options) *fetch.Client {
	t.Helper()
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	if o.Sleep == nil {
		o.Sleep = func(context.Context, time.Duration) error { return nil }
	}
	c, err := fetch.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// listen serves connections to a loopback port, each in its own goroutine, and closes them.
func listen(t testing.TB, serve func(net.Conn)) (port string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				serve(c)
			}()
		}
	}()
	_, port, _ = net.SplitHostPort(l.Addr().String())
	return port
}

// canary listens on loopback and counts connections.
func canary(t testing.TB) (port string, hits *atomic.Int64) {
	t.Helper()
	hits = new(atomic.Int64)
	return listen(t, func(net.Conn) { hits.Add(1) }), hits
}

// serve starts a server and returns its port.
func serve(t testing.TB, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	return u.Port()
}

// reason returns the Reason of an error.
func reason(err error) fetch.Reason {
	var e *fetch.Error
	if errors.As(err, &e) {
		return e.Reason
	}
	return ""
}
