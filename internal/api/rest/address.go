package rest

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// maxHops is how many addresses of X-Forwarded-For are looked at.
const maxHops = 32

// clientAddress is where a request came from: the far end of the connection, or
// what trusted proxies say of it. Each proxy adds the address that it was asked
// from at the end of X-Forwarded-For, so the last one that is no trusted proxy
// is the client's; what stands before it anybody may have written.
func (s *Server) clientAddress(r *http.Request) string {
	peer := hostOf(r.RemoteAddr)
	known, ok := addressIn(peer)
	if !ok || !s.trusts(known) {
		return peer
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= max(0, len(hops)-maxHops); i-- {
		hop, ok := addressIn(strings.TrimSpace(hops[i]))
		if !ok {
			break
		}
		if known = hop; !s.trusts(hop) {
			break
		}
	}
	return known.String()
}

// trusts reports whether the address is one of a proxy that is believed.
func (s *Server) trusts(a netip.Addr) bool {
	return slices.ContainsFunc(s.TrustedProxies, func(p netip.Prefix) bool { return p.Contains(a) })
}

// addressIn reads an address, with or without a port.
func addressIn(text string) (netip.Addr, bool) {
	if a, err := netip.ParseAddr(text); err == nil {
		return a.Unmap().WithZone(""), true
	}
	a, err := netip.ParseAddrPort(text)
	return a.Addr().Unmap().WithZone(""), err == nil
}

// hostOf is the address without the port.
func hostOf(remote string) string {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		return remote
	}
	return host
}
