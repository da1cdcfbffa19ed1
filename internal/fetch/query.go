package fetch

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// with returns a query with the values of more, which replace those of the same names.
// The rest is left exactly as it was, because it may be signed.
func with(query string, more url.Values) string {
	parts := slices.DeleteFunc(strings.Split(query, "&"), func(part string) bool {
		name, _, _ := strings.Cut(part, "=")
		plain, err := url.QueryUnescape(name)
		return part == "" || err == nil && more.Has(plain)
	})
	return strings.Join(append(parts, more.Encode()), "&")
}

// sendable escapes what may not stand in a request's query as browsers do: spaces,
// control characters, non-ASCII and "<>. url.Parse lets these through.
func sendable(query string) string {
	var out strings.Builder
	for i := range len(query) {
		c := query[i]
		if c <= ' ' || c > '~' || strings.IndexByte(`"<>`, c) >= 0 {
			fmt.Fprintf(&out, "%%%02X", c)
			continue
		}
		out.WriteByte(c)
	}
	return out.String()
}
