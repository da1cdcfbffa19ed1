package telephone

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/line/g711"
	"github.com/ringtrue/ringtrue/internal/line/jitter"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// TestNoPacketIsLeftThatIsHeardBeforeTheNextTurn checks that a packet left in the socket until the
// next turn is not due before: turns are 20 ms apart, and playback is 30 ms behind.
func TestNoPacketIsLeftThatIsHeardBeforeTheNextTurn(t *testing.T) {
	const heardAfter = (jitter.LeastDelay - frameSize) * int64(1e9/g711.Rate)
	for _, ptime := range []time.Duration{2500 * time.Microsecond, 5 * time.Millisecond, 10 * time.Millisecond, 20 * time.Millisecond, 30 * time.Millisecond, 60 * time.Millisecond} {
		packet := make([]byte, rtp.HeaderSize+int(ptime/(time.Second/g711.Rate)))
		// The oldest waiting packet is just young enough for the socket not to be read again.
		if left := nextWithin(packet) - int64(ptime); left > heardAfter {
			t.Errorf("%s: a packet of %s is left where it is heard after %s", ptime, time.Duration(left), time.Duration(heardAfter))
		}
		if ptime >= 20*time.Millisecond && nextWithin(packet) < frameNS {
			t.Errorf("%s: another packet is looked for in every turn that comes late in the packet's own time", ptime)
		}
	}
	if nextWithin(make([]byte, rtp.HeaderSize+4)) > frameNS/4 {
		t.Error("a key press keeps the speech behind it waiting")
	}
}
