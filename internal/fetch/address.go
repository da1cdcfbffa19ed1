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

// maxAddress is the maximum length of an address, in bytes.
const maxAddress = 8 << 10

// Parse parses an address and checks what can be checked without a lookup: the scheme is http or
// https, there is a host, the port is valid. The error is an *Error.
func Parse(address string) (*url.URL, error) {
	if len(address) > maxAddress {
		return nil, fault("", BadAddress, "the address is longer than %d bytes", maxAddress)
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, fault("", BadAddress, "the address cannot be read as a URL") // url.Parse's error would quote the address
	}
	return u, check(u)
}

func check(u *url.URL) error {
	if s := strings.ToLower(u.Scheme); s != "http" && s != "https" || u.Opaque != "" {
		return fault("", BadAddress, "the address does not begin with http:// or https://")
	}
	host := Host(u)
	if host == "" || strings.ContainsAny(host, " \t\r\n/\\@%?#") {
		return fault("", BadAddress, "the address has no valid host")
	}
	if p := u.Port(); p != "" || strings.HasSuffix(u.Host, ":") {
		if n, err := strconv.Atoi(p); err != nil || n < 1 || n > 65535 {
			return fault("", BadAddress, "the address has no valid port")
		}
	}
	return nil
}

// Host returns the host of an address without its port, in canonical form for comparison.
func Host(u *url.URL) string { return hostname.Canonical(u.Hostname()) }

// isNoHost reports whether a host is neither a literal address in the usual form nor a valid name.
// A host whose last label is a number is an address in an old form (127.1, 0x7f000001): browsers
// still accept those, name servers do not.
func isNoHost(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	digits := "0123456789"
	if hex, ok := strings.CutPrefix(last, "0x"); ok {
		last, digits = "0"+hex, digits+"abcdef"
	}
	return last != "" && strings.Trim(last, digits) == "" || strings.ContainsRune(host, ':')
}

// Matches reports whether a host matches a pattern. A pattern that begins with a dot matches
// subdomains only: ".example.com" does not match example.com. Any other pattern matches exactly
// that host.
func Matches(pattern, host string) bool {
	pattern, host = hostname.Canonical(pattern), hostname.Canonical(host)
	if strings.HasPrefix(pattern, ".") {
		return len(host) > len(pattern) && strings.HasSuffix(host, pattern)
	}
	return pattern != "" && pattern == host
}

// guard decides which addresses may be dialled.
type guard struct {
	hosts    []string
	networks []netip.Prefix
	closed   []netip.Prefix
	// own returns this machine's own addresses. They are closed even where they are public, because a
	// local service may trust a caller from its own machine.
	own func() []netip.Addr
	// global is the IPv6 range allocated for the internet. Loopback, link-local, unique local,
	// multicast, IPv4-mapped, IPv4-compatible and NAT64 addresses lie outside it.
	global netip.Prefix
}

// newGuard builds a guard from the operator's list of host names, ".suffixes", addresses and
// networks.
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
			return nil, fault("", BadAddress, "%q is not a host, .suffix, address or network (10.1.0.0/16)", a)
		}
		g.hosts = append(g.hosts, hostname.Canonical(a))
	}
	return g, nil
}

// named reports whether the operator allowed a host by its name.
func (g *guard) named(host string) bool {
	for _, h := range g.hosts {
		if Matches(h, host) {
			return true
		}
	}
	return false
}

// open reports whether an address may be dialled.
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

// allowed reports whether the operator allowed an address or a network that contains it.
func (g *guard) allowed(a netip.Addr) bool {
	return slices.ContainsFunc(g.networks, func(p netip.Prefix) bool { return p.Contains(a) })
}

// interfaces returns the addresses this machine has at present.
func interfaces() []netip.Addr {
	var out []netip.Addr
	list, _ := net.InterfaceAddrs() // without them, the closed networks still apply
	for _, a := range list {
		if p, err := netip.ParsePrefix(a.String()); err == nil {
			out = append(out, p.Addr().Unmap().WithZone(""))
		}
	}
	return out
}

// closed returns the networks that are not the public internet, and those whose addresses embed or
// lead to an IPv4 address that would then go unchecked.
func closed() []netip.Prefix {
	var out []netip.Prefix
	for _, p := range []string{
		"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
		"192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24",
		"203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
		"168.63.129.16/32",  // a cloud's internal services behind a public address
		"2001::/23",         // Teredo and other protocol assignments
		"2001:db8::/32",     // documentation
		"2002::/16",         // 6to4
		"3fff::/20",         // documentation
		"2620:4f:8000::/48", // a sink for reverse lookups
	} {
		out = append(out, netip.MustParsePrefix(p))
	}
	return out
}
