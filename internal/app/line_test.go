package app

import (
	"net/netip"
	"testing"

	"github.com/ringtrue/ringtrue/internal/line/sip"
	"github.com/ringtrue/ringtrue/internal/problem"
)

func TestLineListensToTheOutsideOnlyWhenATrunkIsThere(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		o    Options
		want string
		also string
	}{
		{"no trunk", Options{}, "127.0.0.1:0", ""},
		{"a trunk on this machine", Options{Trunks: []sip.Trunk{{Host: "127.0.0.1:5070"}, {Host: "localhost:5060"}}}, "127.0.0.1:0", ""},
		{"a trunk elsewhere", Options{Trunks: []sip.Trunk{{Host: "127.0.0.1:5070"}, {Host: "sip.example.com:5060"}}}, "0.0.0.0:0", ""},
		{"a trunk on this machine by IPv6", Options{Trunks: []sip.Trunk{{Host: "[::1]:5070"}}}, "[::1]:0", ""},
		{"trunks elsewhere by IPv6", Options{Trunks: []sip.Trunk{{Host: "[::1]:5070"}, {Host: "[2001:db8::1]:5060"}}}, "[::]:0", ""},
		{"trunks by IPv4 and IPv6", Options{Trunks: []sip.Trunk{{Host: "192.0.2.1:5060"}, {Host: "[2001:db8::1]:5060"}}}, "0.0.0.0:0", "[::]:0"},
		{"trunks on this machine by IPv4 and IPv6", Options{Trunks: []sip.Trunk{{Host: "127.0.0.1:5060"}, {Host: "[::1]:5060"}}}, "127.0.0.1:0", "[::1]:0"},
		{"as told", Options{SIPBind: "192.0.2.7"}, "192.0.2.7:0", ""},
	} {
		got, err := lineOptions(tt.o)
		var also netip.AddrPort
		if tt.also != "" {
			also = netip.MustParseAddrPort(tt.also)
		}
		if err != nil || got.Bind != netip.MustParseAddrPort(tt.want) || got.Beside != also {
			t.Errorf("%s: bound to %s and %s (%v), want %s and %s", tt.name, got.Bind, got.Beside, err, tt.want, also)
		}
	}
}

func TestEveryWrongAddressOfTheLineIsNamed(t *testing.T) {
	t.Parallel()
	_, err := lineOptions(Options{SIPBind: "here", SIPAdvertise: "there", RTPPorts: "900-10"})
	if p := problem.As(err); p == nil || len(p.Fields) != 3 {
		t.Errorf("got %v, want three fields", err)
	}
	for ports, ok := range map[string]bool{"20000-20001": true, "20001-20003": true, "20001-20002": false, "20000-20000": false, "65534-65535": true} {
		if _, err := lineOptions(Options{RTPPorts: ports}); (err == nil) != ok {
			t.Errorf("%s: %v", ports, err)
		}
	}
	got, err := lineOptions(Options{SIPAdvertise: "203.0.113.5", RTPPorts: "20000-20999"})
	if err != nil || got.RTPPorts != [2]uint16{20000, 20999} || got.Advertise != netip.MustParseAddr("203.0.113.5") {
		t.Errorf("got %v, %v", got, err)
	}
}

// TestATrunkThatCannotBeReachedIsSaidAtOnce, and not by every call.
func TestATrunkThatCannotBeReachedIsSaidAtOnce(t *testing.T) {
	t.Parallel()
	four, six := sip.Trunk{Name: "four", Host: "192.0.2.1:5060"}, sip.Trunk{Name: "six", Host: "[2001:db8::1]:5060"}
	for bind, want := range map[string]string{
		"192.0.2.7":   "192.0.2.7 cannot reach trunk six at [2001:db8::1]:5060: one is an IPv4 address and the other an IPv6 one",
		"2001:db8::7": "2001:db8::7 cannot reach trunk four at 192.0.2.1:5060: one is an IPv4 address and the other an IPv6 one",
	} {
		_, err := lineOptions(Options{SIPBind: bind, Trunks: []sip.Trunk{four, {Host: "sip.example.com:5060"}, six}})
		if p := problem.As(err); p == nil || len(p.Fields) != 1 || p.Fields[0].Message != want {
			t.Errorf("%s: %v", bind, err)
		}
	}
}

// TestAnAddressThatNobodyCanUseIsSaidAtOnce: with it no call would ever hear anything.
func TestAnAddressThatNobodyCanUseIsSaidAtOnce(t *testing.T) {
	t.Parallel()
	four, six := sip.Trunk{Name: "four", Host: "192.0.2.1:5060"}, sip.Trunk{Name: "six", Host: "[2001:db8::1]:5060"}
	named := sip.Trunk{Name: "named", Host: "sip.example.com:5060"}
	for _, tt := range []struct {
		advertise, bind string
		trunks          []sip.Trunk
		wrong           bool
	}{
		{"2001:db8::7", "", []sip.Trunk{four, named}, true},
		{"203.0.113.5", "", []sip.Trunk{six}, true},
		{"203.0.113.5", "2001:db8::7", []sip.Trunk{named}, true},
		{"2001:db8::7", "192.0.2.7", []sip.Trunk{named}, true},
		{"203.0.113.5", "", []sip.Trunk{four, named}, false},
		{"2001:db8::7", "", []sip.Trunk{six}, false},
		{"203.0.113.5", "", []sip.Trunk{four, six}, false},
		{"2001:db8::7", "", []sip.Trunk{four, six}, false},
		{"2001:db8::7", "2001:db8::8", []sip.Trunk{named}, false},
		{"2001:db8::7", "", nil, false},
	} {
		_, err := lineOptions(Options{SIPAdvertise: tt.advertise, SIPBind: tt.bind, Trunks: tt.trunks})
		p := problem.As(err)
		if named := p != nil && len(p.Fields) == 1 && p.Fields[0].Path == "--sip-advertise"; named != tt.wrong || !tt.wrong && err != nil {
			t.Errorf("%+v: %v", tt, err)
		}
	}
}
