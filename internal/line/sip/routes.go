package sip

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/line/sip/screen"
)

// escaped is a name or number as the user of an address holds it: what may not stand there as it is is written
// by its bytes (RFC 3261 section 25.1).
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

// bare is an address without what the one of a request may not have: headers and a method
// (RFC 3261 table 1). sipgo reads headers into the last parameter, too.
func bare(uri msg.Uri) msg.Uri {
	params := slices.DeleteFunc(slices.Clone(uri.UriParams), func(p msg.HeaderKV) bool { return strings.EqualFold(p.K, "method") })
	for i, p := range params {
		params[i].K, _, _ = strings.Cut(p.K, "?")
		params[i].V, _, _ = strings.Cut(p.V, "?")
	}
	uri.Headers, uri.UriParams = nil, params
	return uri
}

// loose says whether a proxy on the way leaves the request's address alone.
func loose(hop msg.Uri) bool {
	_, ok := paramOf(hop, "lr")
	return ok
}

// placeOf is the machine that an address names beside its host, "" for none (RFC 3261
// section 19.1.1).
func placeOf(hop msg.Uri) string {
	place, _ := paramOf(hop, "maddr")
	return strings.Trim(place, "[]")
}

// paramOf is a parameter of an address, whose name may be written in either case.
func paramOf(uri msg.Uri, name string) (value string, ok bool) {
	for _, p := range uri.UriParams {
		if strings.EqualFold(p.K, name) {
			return p.V, true
		}
	}
	return "", false
}

// contactIn is the first address of Contact headers, nil for none: sipgo knows the last. A
// star is no address.
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

// preferredIn is the address of Contact headers that whoever redirects a call would have tried
// first, nil for none (RFC 3261 section 16.5): one without q counts as 1.
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

// transportTo is how an address wants to be reached, usual where it does not say
// (RFC 3263 section 4.1, but for numeric addresses: whoever was called over TCP is
// reached that way).
func transportTo(hop msg.Uri, usual Transport) Transport {
	wanted, _ := paramOf(hop, "transport")
	switch t := Transport(strings.ToLower(wanted)); t {
	case UDP, TCP:
		return t
	}
	return usual
}
