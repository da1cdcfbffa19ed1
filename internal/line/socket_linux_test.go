package line

import (
	"net/netip"
	"testing"
)

var loopback = netip.AddrFrom4([4]byte{127, 0, 0, 1})

func pairHere(t *testing.T) *rawPair {
	t.Helper()
	s, err := openRaw(loopback, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.close)
	return s.(*rawPair)
}

func where(r *rawPair) netip.AddrPort { return netip.AddrPortFrom(loopback, r.port()) }

// TestALoosenedSocketHearsEverybody, however its port came about: of the ports that the
// system gives about half are even.
func TestALoosenedSocketHearsEverybody(t *testing.T) {
	t.Parallel()
	peer, stranger := pairHere(t), pairHere(t)
	for range 16 {
		own := pairHere(t)
		own.settle(where(peer))
		own.loosen()
		stranger.send([]byte("stranger"), where(own))
		var in mail
		in.init()
		if n := own.receive(own.rtp, &in, batch); n != 1 || in.from(0) != where(stranger) {
			t.Fatalf("%d packets came at port %d", n, own.port())
		}
	}
}

// TestASocketIsEmptiedBeforeItsPeerIsTakenAtItsWord sends something before the
// socket belongs to somebody: it must not be taken for what that one sent.
func TestASocketIsEmptiedBeforeItsPeerIsTakenAtItsWord(t *testing.T) {
	t.Parallel()
	own, peer, stranger := pairHere(t), pairHere(t), pairHere(t)
	var in mail
	in.init()
	if !own.sure() {
		t.Error("a socket that hears everybody is asked for more than the usual")
	}
	stranger.send([]byte("stranger"), where(own))
	own.settle(where(peer))
	peer.send([]byte("peer"), where(own))
	if own.sure() {
		t.Error("a socket that holds something of somebody else is sure of its peer")
	}
	if n := own.receive(own.rtp, &in, batch); n != 2 || in.from(0) != where(stranger) || in.from(1) != where(peer) {
		t.Errorf("%d packets, the first from %s, the second from %s", n, in.from(0), in.from(1))
	}
	if !own.sure() {
		t.Error("an empty socket is not sure of its peer")
	}
	own.loosen()
	own.settle(where(peer))
	if own.sure() {
		t.Error("a socket that has heard everybody in between is sure of its peer")
	}
}
