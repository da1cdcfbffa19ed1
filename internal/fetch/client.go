package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"

	"github.com/ringtrue/ringtrue/internal/hostname"
)

// Options configure a Client. Fields are optional unless marked as required.
type Options struct {
	// Allow lists exceptions for what is not on the public internet: host names, ".suffix" for all
	// hosts below it, addresses and networks.
	Allow []string
	// Dir is where bodies are stored while in use. Required for Get.
	Dir string
	// Lookup resolves a host; the system's resolver when nil.
	Lookup func(ctx context.Context, host string) ([]netip.Addr, error)
	// Own returns this machine's addresses; those of its interfaces when nil.
	Own func() []netip.Addr
	// Roots are the trusted certificate authorities; the system's when nil.
	Roots *x509.CertPool
	// Now is required. Random returns numbers from 0 to 1 that spread out retries; without it they
	// are not spread.
	Now    func() time.Time
	Random func() float64
	// Sleep waits between tries; with a timer when nil.
	Sleep func(ctx context.Context, d time.Duration) error
	// Idle is how long a server may stay silent (default 30 s).
	Idle time.Duration
	// Rest is how long a host that does not answer is left alone the first time; later rests are
	// longer. Requests to it fail meanwhile. 0 disables resting.
	Rest time.Duration
	// Places limits how many bodies Get downloads at a time, counted until the body is closed; 0 is
	// no limit. A download that makes almost no progress for Patience (default 3 s) gives up its
	// place and goes on without one. At most Aside downloads do so; with one more, the one that has
	// done so for longest fails.
	Places, Aside int
	Patience      time.Duration
	// UserAgent is the User-Agent header (default "Ringtrue").
	UserAgent string
}

// Client fetches addresses. Its methods are safe for concurrent use.
type Client struct {
	o         Options
	guard     *guard
	transport *http.Transport
	resting   *resting
	lanes     *lanes
}

// New returns a Client. The error names the entry of Allow that cannot be read.
func New(o Options) (*Client, error) {
	g, err := newGuard(o.Allow)
	if err != nil {
		return nil, err
	}
	if o.Own != nil {
		g.own = o.Own
	}
	if o.Lookup == nil {
		o.Lookup = func(ctx context.Context, host string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		}
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.Random == nil {
		o.Random = func() float64 { return 0 }
	}
	if o.Idle <= 0 {
		o.Idle = 30 * time.Second
	}
	if o.Patience <= 0 {
		o.Patience = 3 * time.Second
	}
	if o.UserAgent == "" {
		o.UserAgent = "Ringtrue"
	}
	c := &Client{o: o, guard: g, resting: &resting{first: o.Rest, now: o.Now, hosts: map[restKey]*rest{}}, lanes: newLanes(o.Places, o.Aside, o.Patience)}
	c.transport = &http.Transport{
		Proxy:                  nil, // a proxy would dial the address unchecked
		DialContext:            c.dial,
		TLSClientConfig:        &tls.Config{RootCAs: o.Roots, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    10 * time.Second,
		ResponseHeaderTimeout:  o.Idle,
		MaxResponseHeaderBytes: 64 << 10,
		DisableCompression:     true, // a small body on the wire must not grow here
		MaxIdleConns:           16,
		MaxIdleConnsPerHost:    2,
		IdleConnTimeout:        15 * time.Second,
		WriteBufferSize:        4 << 10,
		ReadBufferSize:         32 << 10,
	}
	return c, nil
}

// Allows reports whether the operator allowed this very host: by name, or, for a literal
// address, by the address or its network. A name that resolves into an allowed network does not
// count.
func (c *Client) Allows(host string) bool {
	if c.guard.named(host) {
		return true
	}
	a, err := netip.ParseAddr(hostname.Canonical(host))
	return err == nil && c.guard.allowed(a.Unmap().WithZone(""))
}

// Close closes idle connections.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// dial connects to a host at the first of its permitted addresses that accepts.
func (c *Client) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fault("", BadAddress, "the address has no valid host")
	}
	host = hostname.Canonical(host)
	named := c.guard.named(host)
	addrs, err := c.addresses(ctx, host, named)
	if err != nil {
		return nil, err
	}
	d := net.Dialer{Timeout: 10 * time.Second, ControlContext: func(_ context.Context, _, real string, _ syscall.RawConn) error {
		// The decisive check, on the very address that the system is about to connect to.
		a, err := netip.ParseAddrPort(real)
		if err != nil || !named && !c.guard.open(a.Addr()) {
			return refused(host)
		}
		return nil
	}}
	var last error = refused(host)
	for _, a := range addrs {
		if !named && !c.guard.open(a) {
			continue
		}
		conn, err := d.DialContext(ctx, network, net.JoinHostPort(a.Unmap().String(), port))
		if err == nil {
			return conn, nil
		}
		if last = err; ctx.Err() != nil {
			break
		}
	}
	return nil, last
}

func refused(host string) *Error {
	return fault(host, Refused, "its network is blocked; an operator can allow it with --fetch-allow")
}

// maxAddresses limits how many addresses of a host are tried.
const maxAddresses = 8

// addresses resolves a host. A host that the operator allowed by name may be an address in an
// old form.
func (c *Client) addresses(ctx context.Context, host string, named bool) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a}, nil
	}
	if isNoHost(host) && !named {
		return nil, fault(host, BadAddress, "its host is not a valid name or address")
	}
	addrs, err := c.o.Lookup(ctx, host)
	if err != nil {
		return nil, err
	}
	if len(addrs) == 0 {
		return nil, fault(host, Unreachable, "there is no such host")
	}
	return addrs[:min(len(addrs), maxAddresses)], nil
}

// isCertificate reports whether a connection failed because of the server's certificate.
func isCertificate(err error) bool {
	var verify *tls.CertificateVerificationError
	var unknown x509.UnknownAuthorityError
	var name x509.HostnameError
	return errors.As(err, &verify) || errors.As(err, &unknown) || errors.As(err, &name)
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
