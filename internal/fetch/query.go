package fetch

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// with is a query with more, in place of what it has by the same names. The rest of it
// stays as it came, for it may be signed.
func with(query string, more url.Values) string {
	parts := slices.DeleteFunc(strings.Split(query, "&"), func(part string) bool {
		name, _, _ := strings.Cut(part, "=")
		plain, err := url.QueryUnescape(name)
		return part == "" || err == nil && more.Has(plain)
	})
	return strings.Join(append(parts, more.Encode()), "&")
}

// sendable is a query as it can stand in a request: what would end it there, or is no
// ASCII, is escaped as browsers do. An address may be parsed without that.
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
