// Package locate resolves the destinations of a SIP request (RFC 3263): those given by the SRV records
// of a domain, or the addresses of a host, each as "address:port". Package sip uses it for its trunks,
// for Contact and Route addresses, and for the host of a session description.
package locate

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// most is the maximum number of destinations tried for a name.
const most = 8

const (
	// NoPort stands for an unspecified port.
	NoPort = "0"
	// UsualPort is the default SIP port.
	UsualPort = "5060"
)

// Finder resolves destinations for a socket. It is safe for concurrent use.
type Finder struct {
	// Find looks up the addresses of a host, Serving the SRV records of a domain. Initially they are
	// those of net.Resolver.
	Find    func(ctx context.Context, network, host string) ([]netip.Addr, error)
	Serving func(ctx context.Context, service, proto, domain string) (name string, by []*net.SRV, err error)

	ctx        context.Context // for look-ups that outlast their request
	from       netip.Addr
	unanswered unanswered
}

// New returns the Finder of a socket bound to an address, whose address family is preferred. No look-up
// outlasts ctx.
func New(ctx context.Context, from netip.Addr) *Finder {
	return &Finder{Find: net.DefaultResolver.LookupNetIP, Serving: net.DefaultResolver.LookupSRV, ctx: ctx, from: from}
}

// Places returns the destinations of a request over a transport ("udp", "tcp"). If the port is unspecified
// (NoPort), the SRV records of the domain determine the order (section 4.2) within each address family. It
// fails with a *net.DNSError if the host is unknown.
func (f *Finder) Places(ctx context.Context, hostport, transport string) ([]string, error) {
	domain, open := strings.CutSuffix(hostport, ":"+NoPort)
	if !open {
		return f.Addresses(ctx, hostport)
	}
	servers, err := f.servers(ctx, domain, transport)
	if err != nil {
		return nil, err
	}
	var all []string
	for _, one := range servers {
		found, _ := f.Addresses(ctx, net.JoinHostPort(machineOf(one), strconv.Itoa(int(one.Port)))) // an unknown machine is skipped
		all = append(all, found...)
	}
	if len(all) == 0 {
		return f.Addresses(ctx, net.JoinHostPort(domain, UsualPort))
	}
	return f.nearFirst(all), nil
}

// nearFirst returns the first of the given places, those of our own address family first.
func (f *Finder) nearFirst(all []string) []string {
	var near, far []string
	for _, place := range all {
		if f.reaches(place) {
			near = append(near, place)
		} else {
			far = append(far, place)
		}
	}
	near = append(near, far...)
	return near[:min(len(near), most)]
}

// machineOf returns the machine named by an SRV record. An address is not allowed there (RFC 2782),
// but can only be meant in one way; the trailing dot of a full name is removed from it.
func machineOf(record *net.SRV) string {
	if a, err := netip.ParseAddr(strings.TrimSuffix(record.Target, ".")); err == nil {
		return a.String()
	}
	return record.Target
}

// servers returns the SRV records of a domain, none if it has none. A name without a dot is that
// of a machine, and a resolver that does not answer soon does not know such records. A domain
// can declare that it has no SIP service: its only record then names the root.
func (f *Finder) servers(ctx context.Context, domain, transport string) ([]*net.SRV, error) {
	if !strings.Contains(domain, ".") {
		return nil, nil
	}
	found := f.recordsOf(ctx, domain, transport)
	if len(found) == 1 && found[0].Target == "." {
		return nil, fmt.Errorf("the SRV records of %.60q say that SIP over %s is not served there", domain, transport)
	}
	return found[:min(len(found), most)], nil
}

// Addresses returns the addresses of a host, formatted as sipgo does, each with the port, those of our
// own family first.
func (f *Finder) Addresses(ctx context.Context, hostport string) ([]string, error) {
	host, port, err := net.SplitHostPort(hostport)
	if err != nil {
		return nil, err
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil { // sipgo accepts any number in a Contact
		return nil, fmt.Errorf("the port %.20q of %.60q is not between 0 and 65535", port, host)
	}
	if a, err := netip.ParseAddr(host); err == nil {
		return []string{net.JoinHostPort(a.Unmap().String(), port)}, nil
	}
	found, err := f.Find(ctx, "ip", host)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("the host %.60q has no address", host)
	}
	var all []string
	for _, a := range found {
		all = append(all, net.JoinHostPort(a.Unmap().String(), port))
	}
	return f.nearFirst(all), nil
}

// Near returns the places of our own address family, which are all that our socket reaches. It
// fails if there are none.
func (f *Finder) Near(places []string) ([]string, error) {
	near := slices.DeleteFunc(slices.Clone(places), func(place string) bool { return !f.reaches(place) })
	if len(near) == 0 {
		return nil, fmt.Errorf("%s cannot be reached from %s: one is an IPv4 address and the other an IPv6 one", places[0], f.from)
	}
	return near, nil
}

// reaches reports whether our socket reaches a place.
func (f *Finder) reaches(place string) bool {
	return netip.MustParseAddrPort(place).Addr().Is6() == f.from.Is6()
}
