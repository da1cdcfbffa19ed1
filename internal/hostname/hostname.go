// Package hostname writes the names of hosts as they are compared. People type the
// letters of their language where links have what those are looked up as. Package
// credential and package fetch, which stand above it, compare names by it. It does no I/O.
package hostname

import (
	"strings"
	"unicode"

	"golang.org/x/net/idna"
)

// Canonical is a host in lower case, without a dot at its end and in the letters in which
// it is looked up (xn--bcher-kva.example). A dot before it stays: that is the beginning of
// all hosts below. What is no name stays as it is.
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
