package credential

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/ringtrue/ringtrue/internal/hostname"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// The longest values, in bytes.
const (
	maxHost  = 253
	maxName  = 128
	maxValue = 8 << 10
)

// check names everything that is wrong with the input.
func (in RecordingInput) check() error {
	var fields []problem.Field
	wrong := func(path, message string) { fields = append(fields, problem.Field{Path: path, Message: message}) }
	if why := checkHost(canonical(in.Host)); why != "" {
		wrong("host", why)
	}
	switch {
	case in.Header == "" && in.Query == "":
		wrong("header", "must name the header that carries the token, or query must name the parameter")
	case in.Header != "" && in.Query != "":
		wrong("query", "must not be given beside header")
	case in.Header != "" && (len(in.Header) > maxName || !isToken(in.Header)):
		wrong("header", "is not the name of a header")
	case slices.Contains(ours(), http.CanonicalHeaderKey(in.Header)):
		wrong("header", "is a header that carries no token")
	case in.Query != "" && (len(in.Query) > maxName || !printable(in.Query)):
		wrong("query", "is not the name of a parameter")
	}
	if err := checkValue("value", in.Value); err != nil {
		fields = append(fields, problem.As(err).Fields...)
	}
	if len(fields) > 0 {
		return problem.Invalid(fields...)
	}
	return nil
}

// ours are the headers that the client itself decides on.
func ours() []string {
	return []string{
		"Host", "Connection", "Content-Length", "Content-Type", "Transfer-Encoding", "Te", "Trailer", "Upgrade", "Keep-Alive", "Proxy-Connection",
		"Proxy-Authorization", "Range", "If-Range", "Accept-Encoding", "User-Agent", "Expect",
	}
}

// checkValue says what is wrong with a token. It never repeats it.
func checkValue(path, value string) error {
	switch {
	case value == "":
		return problem.Invalid(problem.Field{Path: path, Message: "must not be empty"})
	case len(value) > maxValue:
		return problem.Invalid(problem.Field{Path: path, Message: "must not be longer than 8192 bytes"})
	case !printable(value) || strings.TrimSpace(value) != value:
		return problem.Invalid(problem.Field{Path: path, Message: "must be one line of printable ASCII characters without blanks around it"})
	}
	return nil
}

func printable(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
}

func isToken(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
	})
}

// canonical is a host as it is compared, with its port where that is not the one of
// https. An IPv6 address may stand in brackets, as in an address, and can be written
// in many ways.
func canonical(host string) string {
	host, port := cutPort(host)
	host = hostname.Canonical(host)
	if a, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		host = a.String()
	}
	if port == "" || port == "443" {
		return host
	}
	return net.JoinHostPort(host, port)
}

// cutPort takes the port from a host that names one. An IPv6 address without brackets names none.
func cutPort(host string) (bare, port string) {
	if _, err := netip.ParseAddr(host); err == nil {
		return host, ""
	}
	if bare, port, err := net.SplitHostPort(host); err == nil && port != "" {
		return bare, port
	}
	return host, ""
}

// checkHost says what is wrong with a host, "" when nothing is.
func checkHost(host string) string {
	const form = `must be a host such as files.example.com, or .example.com for all hosts below it`
	if strings.ContainsAny(host, "/@?#") { // before the port is looked at: of "https://files.example.com" that would be all behind the colon
		return form + "; without https:// and path"
	}
	host, port := cutPort(host)
	if host == "" || len(host) > maxHost {
		return form
	}
	if n, err := strconv.Atoi(port); port != "" && (err != nil || strconv.Itoa(n) != port || n < 1 || n > 65535 || n == 80) {
		return "must name a port that https is spoken on, or none for 443"
	}
	if a, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil && a.Zone() == "" {
		return ""
	}
	labels := strings.Split(strings.TrimPrefix(host, "."), ".")
	if strings.HasPrefix(host, ".") && len(labels) < 2 {
		return "must have at least two parts after the first dot; a token must not go to everybody below " + host
	}
	if slices.ContainsFunc(labels, func(l string) bool { return !isLabel(l) }) {
		return form
	}
	return ""
}

// isLabel says whether l can stand between the dots of a host. Names in other
// scripts pass as they are, without what cannot be seen: pasted along, it would
// keep the token from every host.
func isLabel(l string) bool {
	return l != "" && len(l) <= 63 && !strings.ContainsFunc(l, func(r rune) bool {
		if r >= 0x80 {
			return !unicode.IsGraphic(r) || unicode.IsSpace(r)
		}
		return (r < '0' || r > '9') && (r < 'a' || r > 'z') && r != '-' && r != '_'
	})
}

// candidates are the host and every suffix it is below.
func candidates(host string) []string {
	out := []string{host}
	for at := strings.IndexByte(host, '.'); at >= 0 && len(out) < 16; {
		out = append(out, host[at:])
		next := strings.IndexByte(host[at+1:], '.')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return out
}
