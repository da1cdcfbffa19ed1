package telephone

import (
	"net"
	"testing"
	"time"
)

// TestAPortRestsAfterACall takes ports from a range for one call after the other.
func TestAPortRestsAfterACall(t *testing.T) {
	t.Parallel()
	for _, portable := range []bool{false, true} {
		const pairs = 20
		first := freeRange(t, 2*pairs)
		m := NewMedia(MediaOptions{Ports: [2]uint16{first, first + 2*pairs - 1}, Portable: portable, Now: time.Now})
		defer m.Close()
		last := map[uint16]int{}
		for i := range 2 * pairs {
			s, err := m.Open()
			if err != nil {
				t.Fatal(err)
			}
			port := s.LocalPort()
			if port%2 != 0 || port < first || port >= first+2*pairs {
				t.Errorf("port %d is not an even one of the range", port)
			}
			if before, ok := last[port]; ok && i-before < pairs/2 {
				t.Errorf("port %d was used again after %d calls", port, i-before)
			}
			last[port] = i
			s.Close()
		}
	}
	for ports, want := range map[[2]uint16]int{{}: 0, {20000, 20009}: 5, {20001, 20009}: 4, {20000, 20010}: 5, {20001, 20002}: 0, {65534, 65535}: 1} {
		if got := Pairs(ports); got != want {
			t.Errorf("%v has %d pairs, want %d", ports, got, want)
		}
	}
	m := NewMedia(MediaOptions{Ports: [2]uint16{21071, 21072}, Now: time.Now})
	defer m.Close()
	if s, err := m.Open(); err == nil {
		s.Close()
		t.Error("a range without an even port and its successor has one all the same")
	}
}

// freeRange returns the first, even one of so many adjacent free ports, taken from below the range
// that the system allocates from.
func freeRange(t *testing.T, ports uint16) uint16 {
	t.Helper()
	for first := uint16(21000); first < 31000; first += ports {
		if allFree(first, ports) {
			return first
		}
	}
	t.Fatalf("no %d ports one behind the other are free", ports)
	return 0
}

func allFree(first, ports uint16) bool {
	for port := first; port < first+ports; port++ {
		conn, err := net.ListenUDP("udp", &net.UDPAddr{Port: int(port)})
		if err != nil {
			return false
		}
		defer conn.Close() //nolint:errcheck // nothing was sent
	}
	return true
}
