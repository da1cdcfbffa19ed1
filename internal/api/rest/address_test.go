package rest

import (
	"net/http"
	"net/netip"
	"strings"
	"testing"
)

func TestOnlyTrustedProxiesAreBelieved(t *testing.T) {
	t.Parallel()
	s := &Server{Options: Options{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}}}
	for name, c := range map[string]struct {
		peer, forwarded, want string
	}{
		"no proxy":                               {"203.0.113.9:443", "", "203.0.113.9"},
		"somebody who says to be another":        {"203.0.113.9:443", "198.51.100.1", "203.0.113.9"},
		"a proxy":                                {"10.0.0.2:5000", "198.51.100.1", "198.51.100.1"},
		"a proxy that says nothing":              {"10.0.0.2:5000", "", "10.0.0.2"},
		"a client that says to be another":       {"10.0.0.2:5000", "192.0.2.66, 198.51.100.1", "198.51.100.1"},
		"two proxies":                            {"10.0.0.2:5000", "198.51.100.1, 10.0.0.3", "198.51.100.1"},
		"only proxies":                           {"10.0.0.2:5000", "10.0.0.4, 10.0.0.3", "10.0.0.4"},
		"nonsense before the client":             {"10.0.0.2:5000", "<script>, 198.51.100.1", "198.51.100.1"},
		"nonsense where the client should be":    {"10.0.0.2:5000", "198.51.100.1, unknown, 10.0.0.3", "10.0.0.3"},
		"ports and the other family":             {"[fd00::1]:80", "[2001:db8::7]:1234", "2001:db8::7"},
		"an IPv4 address written as one of IPv6": {"[::ffff:10.0.0.2]:80", "::ffff:198.51.100.1", "198.51.100.1"},
		"more hops than there are":               {"10.0.0.2:5000", "198.51.100.1" + strings.Repeat(", 10.0.0.3", 1000), "10.0.0.3"},
		"a zone is nobody's business":            {"[fe80::1%eth0]:80", "198.51.100.1", "fe80::1%eth0"},
	} {
		r := &http.Request{RemoteAddr: c.peer, Header: http.Header{}}
		if c.forwarded != "" {
			first, rest, _ := strings.Cut(c.forwarded, ", ")
			r.Header["X-Forwarded-For"] = []string{first}
			if rest != "" {
				r.Header["X-Forwarded-For"] = []string{first, rest} // as two proxies may send it
			}
		}
		if got := s.clientAddress(r); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
