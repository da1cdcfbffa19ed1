package telephone

import (
	"testing"
	"time"
)

// TestAPortRestsAfterACall takes ports out of a range, one call after the other.
func TestAPortRestsAfterACall(t *testing.T) {
	t.Parallel()
	for _, portable := range []bool{false, true} {
		const first, pairs = 21070, 20
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
	m := NewMedia(MediaOptions{Ports: [2]uint16{21071, 21072}, Now: time.Now})
	defer m.Close()
	if s, err := m.Open(); err == nil {
		s.Close()
		t.Error("a range without an even port and its successor has one all the same")
	}
}
