package app

import (
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/ringtrue/ringtrue/internal/line/sip"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// lineOptions turns the operator's addresses into the line's options. All wrong fields are reported
// together.
func lineOptions(o Options) (sip.Options, error) {
	var fields []problem.Field
	address := func(flag, text string) netip.Addr {
		ip, err := netip.ParseAddr(text)
		if err != nil {
			fields = append(fields, problem.Field{Path: flag, Message: "is not an IP address: " + text})
		}
		return ip
	}
	options := sip.Options{Trunks: o.Trunks, Portable: o.Portable, Log: o.Log, Now: o.Now}
	if o.SIPBind != "" {
		bind := address("--sip-bind", o.SIPBind)
		options.Bind = netip.AddrPortFrom(bind, 0)
		fields = append(fields, outOfReach(bind, o)...)
	} else {
		options.Bind, options.Beside = listening(o.Trunks)
	}
	if o.SIPAdvertise != "" {
		options.Advertise = address("--sip-advertise", o.SIPAdvertise)
		fields = append(fields, ofNoUse(options)...)
	}
	if o.RTPPorts != "" {
		ports, ok := portRange(o.RTPPorts)
		if !ok {
			fields = append(fields, problem.Field{Path: "--rtp-ports", Message: "must be FIRST-LAST, as in 20000-20999, with an even port and the one behind it, not " + o.RTPPorts})
		}
		options.RTPPorts = ports
	}
	if len(fields) > 0 {
		return sip.Options{}, problem.Invalid(fields...)
	}
	return options, nil
}

// openLine opens the line. bind is the address that the operator gave for it, "" for none.
func openLine(options sip.Options, bind string) (*sip.Line, error) {
	line, err := sip.New(options)
	if bind != "" && problem.Is(err, problem.Unavailable) {
		return nil, problem.New(problem.Unavailable, "the telephone line could not be opened on %s", bind).
			WithHint("--sip-bind must be an IP address that this machine has; without it the one that faces the trunk is taken").Because(err)
	}
	return line, err
}

// listening is where the line listens when no address is given. beside is a second address, for
// trunks of which some are IPv6 addresses and others are not.
func listening(trunks []sip.Trunk) (bind, beside netip.AddrPort) {
	by4, by6 := netip.IPv4Unspecified(), netip.IPv6Unspecified()
	if allOnThisMachine(trunks) {
		by4, by6 = netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()
	}
	switch six := slices.ContainsFunc(trunks, sip.Trunk.ByIPv6); {
	case !six:
		return netip.AddrPortFrom(by4, 0), beside
	case allByIPv6(trunks):
		return netip.AddrPortFrom(by6, 0), beside
	}
	return netip.AddrPortFrom(by4, 0), netip.AddrPortFrom(by6, 0)
}

// outOfReach names the trunks that an address to bind to cannot reach.
func outOfReach(bind netip.Addr, o Options) (fields []problem.Field) {
	for _, t := range o.Trunks {
		if bind.Is4() && t.ByIPv6() || bind.Is6() && t.ByIPv4() {
			fields = append(fields, problem.Field{Path: "--sip-bind", Message: bind.String() + " cannot reach trunk " + t.Name + " at " + t.Host + ": one is an IPv4 address and the other an IPv6 one"})
		}
	}
	return fields
}

// ofNoUse reports an advertised address of an IP family for which the line has no socket: nobody
// could send anything there.
func ofNoUse(o sip.Options) []problem.Field {
	if len(o.Trunks) == 0 || !o.Advertise.IsValid() || !o.Bind.Addr().IsValid() || o.Beside.IsValid() || o.Advertise.Unmap().Is6() == o.Bind.Addr().Unmap().Is6() {
		return nil
	}
	family := "IPv4"
	if o.Bind.Addr().Is6() {
		family = "IPv6"
	}
	return []problem.Field{{Path: "--sip-advertise", Message: o.Advertise.String() + " is of no use to trunks that are reached by " + family + ": name an address of that family"}}
}

// allOnThisMachine reports whether every trunk is a loopback address, so that the line need not
// listen to the network.
func allOnThisMachine(trunks []sip.Trunk) bool {
	for _, t := range trunks {
		host, _, err := net.SplitHostPort(t.Host)
		if err != nil {
			return false
		}
		if ip, err := netip.ParseAddr(host); host != "localhost" && (err != nil || !ip.IsLoopback()) {
			return false
		}
	}
	return true
}

// allByIPv6 reports whether there are trunks and every one is an IPv6 address: nothing
// else reaches those.
func allByIPv6(trunks []sip.Trunk) bool {
	return len(trunks) > 0 && !slices.ContainsFunc(trunks, func(t sip.Trunk) bool { return !t.ByIPv6() })
}

// portRange parses a range of ports that has room for at least one call: an even port and the one
// after it.
func portRange(text string) (ports [2]uint16, ok bool) {
	first, last, ok := strings.Cut(text, "-")
	if !ok {
		return ports, false
	}
	for i, part := range []string{first, last} {
		n, err := strconv.ParseUint(part, 10, 16)
		if err != nil || n < 1024 {
			return ports, false
		}
		ports[i] = uint16(n)
	}
	return ports, sip.CallsOn(ports) > 0
}
