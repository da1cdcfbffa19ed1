package sip

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/line/sip/screen"
)

// escaped returns a name or number as the user part of an address, with disallowed bytes escaped (RFC 3261 section 25.1).
func escaped(user string) string {
	const plain = "-_.!~*'()&=+$,;?/"
	var out strings.Builder
	for i := range len(user) {
		c := user[i]
		if c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || strings.IndexByte(plain, c) >= 0 {
			out.WriteByte(c)
			continue
		}
		fmt.Fprintf(&out, "%%%02X", c)
	}
	return out.String()
}

func recordRoutes(headers []msg.Header) []msg.Uri {
	var out []msg.Uri
	for _, h := range headers {
		var uri msg.Uri
		text := h.Value()
		if open := screen.Bracket(text); open >= 0 {
			text, _, _ = strings.Cut(text[open+1:], ">")
		}
		if msg.ParseUri(text, &uri) == nil {
			out = append(out, bare(uri))
		}
	}
	return out
}

// bare returns an address without what is not allowed in a request URI: headers and a method
// (RFC 3261 table 1). sipgo also parses headers into the last parameter.
func bare(uri msg.Uri) msg.Uri {
	params := slices.DeleteFunc(slices.Clone(uri.UriParams), func(p msg.HeaderKV) bool { return strings.EqualFold(p.K, "method") })
	for i, p := range params {
		params[i].K, _, _ = strings.Cut(p.K, "?")
		params[i].V, _, _ = strings.Cut(p.V, "?")
	}
	uri.Headers, uri.UriParams = nil, params
	return uri
}

// loose reports whether a proxy on the route is a loose router, which leaves the request URI alone.
func loose(hop msg.Uri) bool {
	_, ok := paramOf(hop, "lr")
	return ok
}

// placeOf returns the machine that an address names in its maddr parameter, "" for none (RFC
// 3261 section 19.1.1).
func placeOf(hop msg.Uri) string {
	place, _ := paramOf(hop, "maddr")
	return strings.Trim(place, "[]")
}

// paramOf returns a parameter of an address. Its name may be in upper or lower case.
func paramOf(uri msg.Uri, name string) (value string, ok bool) {
	for _, p := range uri.UriParams {
		if strings.EqualFold(p.K, name) {
			return p.V, true
		}
	}
	return "", false
}

// contactIn returns the first address of Contact headers, nil if there is none (sipgo returns
// the last). "*" is not an address.
func contactIn(headers []msg.Header) *msg.Uri {
	for _, h := range headers {
		if c, ok := h.(*msg.ContactHeader); ok {
			if c.Address.Wildcard {
				continue
			}
			uri := bare(c.Address)
			return &uri
		}
		if uris := recordRoutes([]msg.Header{h}); len(uris) > 0 {
			return &uris[0]
		}
	}
	return nil
}

// preferredIn returns the address of Contact headers that should be tried first after a
// redirect, nil if there is none (RFC 3261 section 16.5). An address without q has 1.
func preferredIn(headers []msg.Header) (best *msg.Uri) {
	most := -1.0
	for _, h := range headers {
		q := 1.0
		if c, ok := h.(*msg.ContactHeader); ok {
			text, _ := c.Params.Get("q")
			if n, err := strconv.ParseFloat(text, 64); err == nil {
				q = n
			}
		}
		if uri := contactIn([]msg.Header{h}); uri != nil && q > most {
			best, most = uri, q
		}
	}
	return best
}

// transportTo returns the transport for an address, usual if it names none (RFC 3263 section
// 4.1, except for numeric addresses: a far end that was called over TCP is reached over TCP).
func transportTo(hop msg.Uri, usual Transport) Transport {
	wanted, _ := paramOf(hop, "transport")
	switch t := Transport(strings.ToLower(wanted)); t {
	case UDP, TCP:
		return t
	}
	return usual
}
