package media

import (
	"net"
	"testing"
	"time"

	"github.com/pion/ice/v4"
)

// heldSocket makes a packet wait before it is sent.
type heldSocket struct {
	net.PacketConn

	begun, release chan struct{}
}

func (s *heldSocket) WriteTo(b []byte, to net.Addr) (int, error) {
	close(s.begun)
	<-s.release
	return s.PacketConn.WriteTo(b, to)
}

// TestOneWhoLeavesTakesNoPacketOfOthers checks that a participant that leaves while a packet to
// another one is being sent does not cut that short, which would cost another call 20 ms of audio:
// all participants of the media server share its socket.
func TestOneWhoLeavesTakesNoPacketOfOthers(t *testing.T) {
	t.Parallel()
	socket := &heldSocket{PacketConn: loopback(t), begun: make(chan struct{}), release: make(chan struct{})}
	all := ice.NewUDPMuxDefault(ice.UDPMuxParams{UDPConn: socket})
	t.Cleanup(func() { _ = all.Close() })
	leaving := connected(t, all)
	staying, err := all.GetConn("staying", socket.LocalAddr())
	if err != nil {
		t.Fatal(err)
	}
	ear := loopback(t)
	sent := make(chan error, 1)
	go func() {
		_, err := staying.WriteTo([]byte("sound"), ear.LocalAddr())
		sent <- err
	}()
	<-socket.begun
	if err := leaving.Close(); err != nil {
		t.Fatal(err)
	}
	close(socket.release)
	if err := <-sent; err != nil {
		t.Fatalf("a packet was not sent, since somebody else left: %v", err)
	}
	var b [16]byte
	_ = ear.SetReadDeadline(time.Now().Add(5 * time.Second))
	if n, _, err := ear.ReadFrom(b[:]); err != nil || string(b[:n]) != "sound" {
		t.Fatalf("%q came, %v", b[:n], err)
	}
}

func loopback(t *testing.T) net.PacketConn {
	t.Helper()
	c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// connected returns one end of a connection that uses the shared socket.
func connected(t *testing.T, all ice.UDPMux) *ice.Agent {
	t.Helper()
	a, err := ice.NewAgentWithOptions(ice.WithUDPMux(all), ice.WithIncludeLoopback(),
		ice.WithNetworkTypes([]ice.NetworkType{ice.NetworkTypeUDP4}), ice.WithCandidateTypes([]ice.CandidateType{ice.CandidateTypeHost}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	gathered := make(chan struct{})
	found := 0
	if err := a.OnCandidate(func(c ice.Candidate) {
		if c == nil {
			close(gathered)
			return
		}
		found++
	}); err != nil {
		t.Fatal(err)
	}
	if err := a.GatherCandidates(); err != nil {
		t.Fatal(err)
	}
	<-gathered
	if found == 0 {
		t.Fatal("there is nothing to connect to")
	}
	return a
}
