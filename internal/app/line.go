package app

import (
	"net"
	"net/netip"
	"strconv"
	"strings"

	"github.com/ringtrue/ringtrue/internal/line/sip"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// lineOptions turn what the operator said about addresses into the line's
// options. All wrong fields are reported together.
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
	everywhere, here := netip.IPv4Unspecified(), netip.AddrFrom4([4]byte{127, 0, 0, 1})
	if allByIPv6(o.Trunks) {
		everywhere, here = netip.IPv6Unspecified(), netip.IPv6Loopback()
	}
	bind := everywhere
	switch {
	case o.SIPBind != "":
		bind = address("--sip-bind", o.SIPBind)
	case allOnThisMachine(o.Trunks):
		bind = here
	}
	options.Bind = netip.AddrPortFrom(bind, 0)
	if o.SIPAdvertise != "" {
		options.Advertise = address("--sip-advertise", o.SIPAdvertise)
	}
	if o.RTPPorts != "" {
		ports, ok := portRange(o.RTPPorts)
		if !ok {
			fields = append(fields, problem.Field{Path: "--rtp-ports", Message: "must be FIRST-LAST, as in 20000-20999, not " + o.RTPPorts})
		}
		options.RTPPorts = ports
	}
	if len(fields) > 0 {
		return sip.Options{}, problem.Invalid(fields...)
	}
	return options, nil
}

// allOnThisMachine reports whether every trunk is a loopback address, so that
// nothing needs to listen to the outside.
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
	for _, t := range trunks {
		if to, err := netip.ParseAddrPort(t.Host); err != nil || !to.Addr().Unmap().Is6() {
			return false
		}
	}
	return len(trunks) > 0
}

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
	return ports, ports[1] > ports[0]
}
