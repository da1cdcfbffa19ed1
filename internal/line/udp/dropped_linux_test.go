package udp

import (
	"net"
	"net/netip"
	"testing"
)

// TestWhatNobodyTakesIsCounted checks that packets that nobody reads are counted as dropped here,
// not as lost in the network.
func TestWhatNobodyTakesIsCounted(t *testing.T) {
	t.Parallel()
	s, err := Open(netip.MustParseAddr("127.0.0.1"), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if n := s.Dropped(); n != 0 {
		t.Errorf("%d packets were thrown away before any came", n)
	}
	from, err := net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), s.Port())))
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	packet := make([]byte, 1000)
	for sent := range 100_000 {
		if _, err := from.Write(packet); err != nil {
			t.Fatal(err)
		}
		if sent%1000 == 999 && s.Dropped() > 0 {
			return
		}
	}
	t.Error("a hundred thousand packets that nobody took were not missed")
}
