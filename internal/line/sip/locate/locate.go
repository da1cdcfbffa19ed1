// Package locate finds the places that a SIP request may go to (RFC 3263): those that the SRV records of
// a domain prefer, or the addresses of a host, each as "address:port". Package sip asks it for
// its trunks, for what a Contact or Route names, and for the host of a session description.
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

// most is how many places of a name are tried.
const most = 8

const (
	// NoPort stands in the place of a port that nobody has named.
	NoPort = "0"
	// UsualPort is where SIP is spoken when nobody says otherwise.
	UsualPort = "5060"
)

// Finder finds places for a socket. It may be used from several goroutines.
type Finder struct {
	// Find looks up the addresses of a host, Serving who serves a domain: as net.Resolver does, which
	// they are at first.
	Find    func(ctx context.Context, network, host string) ([]netip.Addr, error)
	Serving func(ctx context.Context, service, proto, domain string) (name string, by []*net.SRV, err error)

	ctx        context.Context // of look-ups that outlast whoever has asked
	from       netip.Addr
	unanswered unanswered
}

// New makes the Finder of a socket that is bound to an address: places of its own family come before the
// others. No look-up outlasts ctx.
func New(ctx context.Context, from netip.Addr) *Finder {
	return &Finder{Find: net.DefaultResolver.LookupNetIP, Serving: net.DefaultResolver.LookupSRV, ctx: ctx, from: from}
}

// Places are the places that a request goes to by a transport ("udp", "tcp"). Where nobody has named a port
// (NoPort), those come first that the SRV records of the domain prefer (section 4.2), in each family.
// It fails with a *net.DNSError where nobody knows the host.
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
		found, _ := f.Addresses(ctx, net.JoinHostPort(machineOf(one), strconv.Itoa(int(one.Port)))) // a machine that nobody finds is passed by
		all = append(all, found...)
	}
	if len(all) == 0 {
		return f.Addresses(ctx, net.JoinHostPort(domain, UsualPort))
	}
	return f.nearFirst(all), nil
}

// nearFirst are the first of some places, those of our own family before the others.
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

// machineOf is the machine that an SRV record names. An address is none by the book (RFC 2782), but
// can only be meant in one way, and is none any more with the dot of a whole name behind it.
func machineOf(record *net.SRV) string {
	if a, err := netip.ParseAddr(strings.TrimSuffix(record.Target, ".")); err == nil {
		return a.String()
	}
	return record.Target
}

// servers are who serves a domain by its SRV records, none where it has none. A name without a
// dot is that of a machine; who does not answer soon is a resolver that knows no such records. A
// domain may say that nobody serves it: its only record then names the root.
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

// Addresses are those of a host as sipgo would write them, each with the port, those of our own family
// before the others.
func (f *Finder) Addresses(ctx context.Context, hostport string) ([]string, error) {
	host, port, err := net.SplitHostPort(hostport)
	if err != nil {
		return nil, err
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil { // sipgo reads any number out of a Contact
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

// Near are the places of our own family, which are all that our socket reaches. It fails
// where there are none.
func (f *Finder) Near(places []string) ([]string, error) {
	near := slices.DeleteFunc(slices.Clone(places), func(place string) bool { return !f.reaches(place) })
	if len(near) == 0 {
		return nil, fmt.Errorf("%s cannot be reached from %s: one is an IPv4 address and the other an IPv6 one", places[0], f.from)
	}
	return near, nil
}

// reaches says whether our socket reaches a place.
func (f *Finder) reaches(place string) bool {
	return netip.MustParseAddrPort(place).Addr().Is6() == f.from.Is6()
}
