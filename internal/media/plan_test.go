package media

import (
	"net"
	"net/netip"
	"testing"
)

// TestAnAddressThatIsLedToTheLoopbackInterfaceIsNamedToAgents: the server passes such an address by
// unless it is told, and then no agent can be connected.
func TestAnAddressThatIsLedToTheLoopbackInterfaceIsNamedToAgents(t *testing.T) {
	t.Parallel()
	own := []net.Addr{
		&net.IPNet{IP: net.IPv4(127, 0, 0, 1), Mask: net.CIDRMask(8, 32)},
		&net.IPNet{IP: net.IPv4(203, 0, 113, 7), Mask: net.CIDRMask(32, 32)},
		&net.IPNet{IP: net.ParseIP("2001:db8::7"), Mask: net.CIDRMask(128, 128)},
	}
	for address, want := range map[string]bool{
		"127.0.0.1": true, "127.0.0.2": true, "203.0.113.7": true, "2001:db8::7": true,
		"203.0.113.8": false, "2001:db8::8": false,
	} {
		if got := isLoopback(netip.MustParseAddr(address), own); got != want {
			t.Errorf("%s: %v, want %v", address, got, want)
		}
	}
	if len(loopbacks()) == 0 {
		t.Error("this machine's loopback interface is not known")
	}
}
