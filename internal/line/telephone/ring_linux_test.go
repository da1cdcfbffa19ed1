package telephone

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/line/g711"
)

// TestALongRingingIsNotCountedAsDropped checks that what did not fit into the socket while it rang, where nobody was to
// take it, does not count as packets of the call that this machine threw away.
func TestALongRingingIsNotCountedAsDropped(t *testing.T) {
	t.Parallel()
	h, s, talks, remote := lineByHand(t)
	for n := 0; s.sock.Dropped() == 0; n++ {
		if n == 1<<20 {
			t.Fatal("six hours of ringing fit into the socket")
		}
		talks.say()
	}
	s.Start(Setup{Codec: g711.PCMU(), Party: quietParty{}, Remote: remote, Since: time.Now()})
	h.takeIn(h.slot())
	for range 20 {
		talks.say()
		h.frame()
	}
	s.Stop(ByOrder)
	h.frame()
	if r := s.Result().Stats; r.ReceiveDropped != 0 || r.Received < 20 {
		t.Errorf("%d packets are heard and %d were dropped, want 20 and none", r.Received, r.ReceiveDropped)
	}
}
