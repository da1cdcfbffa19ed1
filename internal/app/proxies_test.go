package app

import (
	"net/netip"
	"testing"
)

// A proxy whose IPv4 address is written in IPv6 is believed like any other.
func TestProxiesThatAreWrittenInIPv6(t *testing.T) {
	t.Parallel()
	for text, inside := range map[string]string{
		"::ffff:10.0.0.0/104": "10.1.2.3", "::ffff:10.0.0.1": "10.0.0.1", "10.0.0.0/8": "10.1.2.3", "fd00::/8": "fd00::1", "::/0": "fd00::1", "::ffff:0:0/96": "192.0.2.1",
	} {
		list, err := prefixes("--trusted-proxies", []string{text})
		if err != nil || !list[0].Contains(netip.MustParseAddr(inside)) {
			t.Errorf("%s: %v does not hold %s, %v", text, list, inside, err)
		}
	}
}
