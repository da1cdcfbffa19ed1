package sip

import (
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/ringtrue/ringtrue/internal/line/g711"
	"github.com/ringtrue/ringtrue/internal/line/sip/locate"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// Transport is the transport protocol of SIP messages.
type Transport string

// The transports.
const (
	UDP Transport = "udp"
	TCP Transport = "tcp"
)

// Trunk is an access to the telephone network, or to one agent directly.
type Trunk struct {
	// Name is the name used in Dial.Trunk.
	Name string
	// Host is "host:port" of the far end's SIP.
	Host string
	// AnyPort means that no port was specified: the SRV records of the domain determine server
	// and port, and Host is the default.
	AnyPort   bool
	Transport Transport
	// User and Password answer digest challenges; both may be "".
	User, Password string
	// From is the caller number (E.164) of calls that specify none.
	From string
	// CallsPerSecond and ConcurrentCalls are the trunk's limits, 0 for no limit. The line does
	// not enforce them; package experiment does, across all processes.
	CallsPerSecond  float64
	ConcurrentCalls int
	// Codecs are offered in this order; empty means PCMU, then PCMA.
	Codecs []g711.Codec
}

// String returns a description without secrets.
func (t Trunk) String() string {
	return t.Name + "=sip://" + t.Host + ";transport=" + string(t.Transport)
}

// ByIPv6 reports whether the trunk can be reached over IPv6 only.
func (t Trunk) ByIPv6() bool {
	to, err := netip.ParseAddrPort(t.Host)
	return err == nil && to.Addr().Unmap().Is6()
}

// ByIPv4 reports whether the trunk can be reached over IPv4 only.
func (t Trunk) ByIPv4() bool {
	to, err := netip.ParseAddrPort(t.Host)
	return err == nil && to.Addr().Unmap().Is4()
}

// place returns the destination of requests to the trunk.
func (t Trunk) place() string {
	if host, _, err := net.SplitHostPort(t.Host); err == nil && t.AnyPort {
		return net.JoinHostPort(host, locate.NoPort)
	}
	return t.Host
}

// GoString keeps the password out of %#v.
func (t Trunk) GoString() string { return "sip.Trunk(" + t.String() + ")" }

// LogValue implements slog.LogValuer. It contains no secrets.
func (t Trunk) LogValue() slog.Value {
	return slog.GroupValue(slog.String("name", t.Name), slog.String("host", t.Host),
		slog.String("transport", string(t.Transport)))
}

// Default limits of a trunk: those of the smallest plans of the largest providers.
const (
	usualCallsPerSecond  = 1
	usualConcurrentCalls = 10
)

// ParseTrunk parses a trunk of the form
//
//	name=sip://user:password@host:port;transport=tcp?from=%2B15550001111&calls_per_second=1&concurrent_calls=10&codecs=PCMU,PCMA
//
// Everything but name and host is optional. The defaults are UDP, the port of the host's SRV records or 5060, and limits of
// calls_per_second 1 and concurrent_calls 10; 0 means no limit. Errors never contain the password.
func ParseTrunk(text string) (Trunk, error) {
	name, rest, ok := strings.Cut(text, "=")
	if !ok || name == "" || strings.ContainsAny(name, ":/@ ") {
		return Trunk{}, trunkError("a trunk must begin with its name and =, as in main=sip://host:5060")
	}
	t := Trunk{Name: name, Transport: UDP, CallsPerSecond: usualCallsPerSecond, ConcurrentCalls: usualConcurrentCalls}
	rest, ok = strings.CutPrefix(rest, "sip://")
	if !ok {
		return Trunk{}, trunkError("the address of trunk %q does not begin with sip://", name)
	}
	rest, query, _ := strings.Cut(rest, "?")
	if strings.ContainsRune(query, '@') {
		// Most likely the password contains the "?", so nothing around it may be shown.
		return Trunk{}, trunkError("trunk %q has an @ after its first ?; in user and password write ? as %%3F, in an option @ as %%40", name)
	}
	// The last @ ends the user part, so that a password may contain one.
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		if err := t.readUser(rest[:at]); err != nil {
			return Trunk{}, err
		}
		rest = rest[at+1:]
	}
	host, params, _ := strings.Cut(rest, ";")
	if err := t.readHost(strings.TrimSuffix(host, "/")); err != nil {
		return Trunk{}, err
	}
	if err := t.readParams(params); err != nil {
		return Trunk{}, err
	}
	if err := t.readQuery(query); err != nil {
		return Trunk{}, err
	}
	return t, nil
}

func trunkError(format string, args ...any) *problem.Error {
	return problem.Invalid(problem.Field{Path: "--trunk", Message: fmt.Sprintf(format, args...)})
}

func (t *Trunk) readUser(text string) error {
	user, password, _ := strings.Cut(text, ":")
	var err1, err2 error
	t.User, err1 = url.PathUnescape(user)
	t.Password, err2 = url.PathUnescape(password)
	if err1 != nil || err2 != nil {
		return trunkError("user or password of trunk %q has a percent sign not followed by two hexadecimal digits", t.Name)
	}
	return nil
}

func (t *Trunk) readHost(text string) error {
	if text == "" {
		return trunkError("trunk %q has no host", t.Name)
	}
	host, port, err := net.SplitHostPort(text)
	if err != nil {
		host, port = strings.Trim(text, "[]"), locate.UsualPort
		_, err = netip.ParseAddr(host)
		t.AnyPort = err != nil
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return trunkError("the port of trunk %q is not between 1 and 65535", t.Name)
	}
	if !validHost(host) {
		return trunkError("trunk %q has no valid host", t.Name)
	}
	t.Host = net.JoinHostPort(host, port)
	return nil
}

// validHost reports whether the text can be a host name or address.
func validHost(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	for _, r := range host {
		if r != '-' && r != '.' && r != '_' && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z') {
			return false
		}
	}
	return host != ""
}

func (t *Trunk) readParams(text string) error {
	for param := range strings.SplitSeq(text, ";") {
		if param == "" {
			continue
		}
		key, value, _ := strings.Cut(param, "=")
		if key != "transport" {
			return trunkError("trunk %q has an unknown parameter %q; the only one is transport", t.Name, key)
		}
		switch Transport(strings.ToLower(value)) {
		case UDP:
			t.Transport = UDP
		case TCP:
			t.Transport = TCP
		default:
			return trunkError("the transport %q of trunk %q is neither udp nor tcp", value, t.Name)
		}
	}
	return nil
}

func (t *Trunk) readQuery(text string) error {
	values, err := url.ParseQuery(text)
	if err != nil {
		return trunkError("what follows the ? of trunk %q must have the form key=value&key=value", t.Name)
	}
	for key := range values {
		value := values.Get(key)
		if err := t.readOption(key, value); err != nil {
			return err
		}
	}
	return nil
}

func (t *Trunk) readOption(key, value string) error {
	switch key {
	case "from":
		// An unescaped + is decoded as a blank.
		t.From = strings.TrimSpace(value)
		if strings.HasPrefix(value, " ") {
			t.From = "+" + t.From
		}
	case "calls_per_second":
		n, err := strconv.ParseFloat(value, 64)
		if err != nil || !(n >= 0 && n <= 1000) {
			return trunkError("calls_per_second of trunk %q is not a number from 0 to 1000", t.Name)
		}
		t.CallsPerSecond = n
	case "concurrent_calls":
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 {
			return trunkError("concurrent_calls of trunk %q is not a whole number of 0 or more", t.Name)
		}
		t.ConcurrentCalls = n
	case "codecs":
		t.Codecs = nil
		for name := range strings.SplitSeq(value, ",") {
			c, ok := g711.Named(strings.TrimSpace(name))
			if !ok {
				return trunkError("trunk %q names the codec %q; use PCMU or PCMA", t.Name, name)
			}
			t.Codecs = append(t.Codecs, c)
		}
	default:
		return trunkError("trunk %q has an unknown option %q; the options are from, calls_per_second, concurrent_calls and codecs", t.Name, key)
	}
	return nil
}

func (t *Trunk) codecs() []g711.Codec {
	if len(t.Codecs) == 0 {
		return []g711.Codec{g711.PCMU(), g711.PCMA()}
	}
	return t.Codecs
}
