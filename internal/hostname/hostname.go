// Package hostname normalises host names for comparison. People type names in their own script,
// while links contain the ASCII form that is looked up. Packages credential and fetch, which are
// above it, compare names by it. It does no I/O.
package hostname

import (
	"strings"
	"unicode"

	"golang.org/x/net/idna"
)

// Canonical returns a host in lower case, without a trailing dot and in its ASCII form
// (xn--bcher-kva.example). A leading dot is kept: it stands for all hosts below a domain. Text that
// is not a valid name is only lower-cased and loses its trailing dot.
func Canonical(host string) string {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if !strings.ContainsFunc(host, func(r rune) bool { return r > unicode.MaxASCII }) {
		return host
	}
	name := strings.TrimPrefix(host, ".")
	ascii, err := idna.Lookup.ToASCII(name)
	if err != nil {
		return host
	}
	return host[:len(host)-len(name)] + strings.TrimSuffix(ascii, ".")
}
