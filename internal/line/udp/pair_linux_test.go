package udp

import (
	"net/netip"
	"testing"
)

var loopback = netip.AddrFrom4([4]byte{127, 0, 0, 1})

func pairHere(t *testing.T) *Pair {
	t.Helper()
	s, err := Open(loopback, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func where(r *Pair) netip.AddrPort { return netip.AddrPortFrom(loopback, r.Port()) }

// TestALoosenedSocketHearsEverybody checks both kinds of ports: about half of those that the system
// assigns are even.
func TestALoosenedSocketHearsEverybody(t *testing.T) {
	t.Parallel()
	peer, stranger := pairHere(t), pairHere(t)
	for range 16 {
		own := pairHere(t)
		own.Settle(where(peer))
		own.Loosen()
		stranger.Send([]byte("stranger"), where(own))
		var in Mail
		in.Init()
		if n := own.Receive(own.RTP, &in, Batch); n != 1 || in.From(0) != where(stranger) {
			t.Fatalf("%d packets came at port %d", n, own.Port())
		}
	}
}

// TestASocketIsEmptiedBeforeItsPeerIsTakenAtItsWord sends something before the socket is connected
// to its peer: it must not be taken for what the peer sent.
func TestASocketIsEmptiedBeforeItsPeerIsTakenAtItsWord(t *testing.T) {
	t.Parallel()
	own, peer, stranger := pairHere(t), pairHere(t), pairHere(t)
	var in Mail
	in.Init()
	if !own.Sure() {
		t.Error("a socket that hears everybody is asked for more than the usual")
	}
	stranger.Send([]byte("stranger"), where(own))
	own.Settle(where(peer))
	peer.Send([]byte("peer"), where(own))
	if own.Sure() {
		t.Error("a socket that holds something of somebody else is sure of its peer")
	}
	if n := own.Receive(own.RTP, &in, Batch); n != 2 || in.From(0) != where(stranger) || in.From(1) != where(peer) {
		t.Errorf("%d packets, the first from %s, the second from %s", n, in.From(0), in.From(1))
	}
	if !own.Sure() {
		t.Error("an empty socket is not sure of its peer")
	}
	own.Loosen()
	own.Settle(where(peer))
	if own.Sure() {
		t.Error("a socket that has heard everybody in between is sure of its peer")
	}
}
