package fetch

import (
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/ringtrue/ringtrue/internal/hostname"
)

// maxAddress is the longest address that is called, in bytes.
const maxAddress = 8 << 10

// Parse checks an address as far as that goes without asking anybody: http or
// https, a host, a sensible port. The error is an *Error.
func Parse(address string) (*url.URL, error) {
	if len(address) > maxAddress {
		return nil, fault("", BadAddress, "the address is longer than %d bytes", maxAddress)
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, fault("", BadAddress, "the address cannot be read as a URL") // the error would quote it
	}
	return u, check(u)
}

func check(u *url.URL) error {
	if s := strings.ToLower(u.Scheme); s != "http" && s != "https" || u.Opaque != "" {
		return fault("", BadAddress, "the address does not begin with http:// or https://")
	}
	host := Host(u)
	if host == "" || strings.ContainsAny(host, " \t\r\n/\\@%?#") {
		return fault("", BadAddress, "the address names no host that can be called")
	}
	if p := u.Port(); p != "" || strings.HasSuffix(u.Host, ":") {
		if n, err := strconv.Atoi(p); err != nil || n < 1 || n > 65535 {
			return fault("", BadAddress, "the address names no port that can be called")
		}
	}
	return nil
}

// Host is the host of an address as it is compared, without its port.
func Host(u *url.URL) string { return hostname.Canonical(u.Hostname()) }

// isNoHost says whether a host is neither an address, as those are written, nor a name that anybody
// can have: what ends in a number is an address in an old form (127.1, 0x7f000001), which browsers
// still call and name servers do not know.
func isNoHost(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	digits := "0123456789"
	if hex, ok := strings.CutPrefix(last, "0x"); ok {
		last, digits = "0"+hex, digits+"abcdef"
	}
	return last != "" && strings.Trim(last, digits) == "" || strings.ContainsRune(host, ':')
}

// Matches says whether a host is the one that a pattern names: the same host, or
// one below it when the pattern begins with a dot (".example.com" is
// example.com's subdomains and not example.com).
func Matches(pattern, host string) bool {
	pattern, host = hostname.Canonical(pattern), hostname.Canonical(host)
	if strings.HasPrefix(pattern, ".") {
		return len(host) > len(pattern) && strings.HasSuffix(host, pattern)
	}
	return pattern != "" && pattern == host
}

// guard knows which addresses may be called.
type guard struct {
	hosts    []string
	networks []netip.Prefix
	closed   []netip.Prefix
	// own are the addresses of this machine, which may be public ones: what listens
	// there may take a caller from here for one of its own.
	own func() []netip.Addr
	// global is all of IPv6 that is given out for the internet. Loopback, link-local, unique
	// local, multicast, IPv4-mapped, IPv4-compatible and NAT64 addresses are outside.
	global netip.Prefix
}

// newGuard reads what an operator allows: host names, ".suffixes", addresses and networks.
func newGuard(allow []string) (*guard, error) {
	g := &guard{closed: closed(), own: interfaces, global: netip.MustParsePrefix("2000::/3")}
	for _, a := range allow {
		a = strings.TrimSpace(a)
		bare := strings.TrimSuffix(strings.TrimPrefix(a, "["), "]")
		if addr, err := netip.ParseAddr(bare); err == nil {
			addr = addr.Unmap().WithZone("")
			g.networks = append(g.networks, netip.PrefixFrom(addr, addr.BitLen()))
			continue
		}
		if p, err := netip.ParsePrefix(a); err == nil {
			g.networks = append(g.networks, p.Masked())
			continue
		}
		if a == "" || strings.ContainsAny(a, "/:@ *?#") {
			return nil, fault("", BadAddress, "%q is no host, .suffix, address or network (10.1.0.0/16) that could be allowed", a)
		}
		g.hosts = append(g.hosts, hostname.Canonical(a))
	}
	return g, nil
}

// named says whether the operator allowed a host by its name.
func (g *guard) named(host string) bool {
	for _, h := range g.hosts {
		if Matches(h, host) {
			return true
		}
	}
	return false
}

// open says whether an address may be dialled.
func (g *guard) open(a netip.Addr) bool {
	zone := a.Zone() != ""
	a = a.Unmap().WithZone("")
	if g.allowed(a) {
		return true
	}
	if zone || !a.IsValid() || a.Is6() && !g.global.Contains(a) {
		return false
	}
	for _, p := range g.closed {
		if p.Contains(a) {
			return false
		}
	}
	return !slices.Contains(g.own(), a)
}

// allowed says whether the operator allowed an address or its network.
func (g *guard) allowed(a netip.Addr) bool {
	return slices.ContainsFunc(g.networks, func(p netip.Prefix) bool { return p.Contains(a) })
}

// interfaces are the addresses of this machine as they are now.
func interfaces() []netip.Addr {
	var out []netip.Addr
	list, _ := net.InterfaceAddrs() // where they cannot be told, the networks that are closed remain
	for _, a := range list {
		if p, err := netip.ParsePrefix(a.String()); err == nil {
			out = append(out, p.Addr().Unmap().WithZone(""))
		}
	}
	return out
}

// closed lists the networks that are not the public internet, and those whose
// addresses lead on to an IPv4 address that nobody has looked at.
func closed() []netip.Prefix {
	var out []netip.Prefix
	for _, p := range []string{
		"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
		"192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24",
		"203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
		"168.63.129.16/32",  // a cloud's own services behind a public address
		"2001::/23",         // Teredo and other protocols' own
		"2001:db8::/32",     // documentation
		"2002::/16",         // 6to4
		"3fff::/20",         // documentation
		"2620:4f:8000::/48", // a sink for reverse lookups
	} {
		out = append(out, netip.MustParsePrefix(p))
	}
	return out
}
