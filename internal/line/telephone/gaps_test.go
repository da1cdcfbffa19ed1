package telephone

import (
	"bytes"
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// TestGapsAreNotedWhereSomethingIsMissing has packets come in the far end's own pace, and one be late or none come for a while.
func TestGapsAreNotedWhereSomethingIsMissing(t *testing.T) {
	t.Parallel()
	const ms = int64(1e6)
	for name, c := range map[string]struct {
		kind   byte // of the packet before the wait
		length int  // samples of every packet
		wait   int64
		gaps   int
	}{
		"packets of 20 ms, nothing for 150 ms":             {0, frameSize, 150 * ms, 0},
		"packets of 20 ms, nothing for 260 ms":             {0, frameSize, 260 * ms, 1},
		"packets of 200 ms, one late by 20 ms":             {0, 10 * frameSize, 220 * ms, 0},
		"packets of 200 ms, one and another missing":       {0, 10 * frameSize, 600 * ms, 1},
		"silence that was announced":                       {13, frameSize, 3000 * ms, 0},
		"packets of 20 ms, nothing for a while, but no CN": {0, frameSize, 3000 * ms, 1},
	} {
		e := newEars()
		e.setup.Party = quietParty{}
		send := func(n int, kind byte) {
			b := make([]byte, rtp.HeaderSize, rtp.HeaderSize+c.length)
			rtp.WriteHeader(b, rtp.Packet{Type: kind, Sequence: uint16(n), Timestamp: uint32(n * c.length), SSRC: 7})
			e.receive(append(b, bytes.Repeat([]byte{lowSample}, c.length)...), e.from, e.now)
		}
		for n := range 10 {
			send(n, 0)
			e.now += int64(c.length) * frameNS / frameSize
		}
		send(10, c.kind)
		e.now += c.wait
		send(11, 0)
		gaps := 0
		for _, event := range e.Stream.result.Timeline {
			if event.Kind == call.KindMediaGap {
				gaps++
			}
		}
		if gaps != c.gaps {
			t.Errorf("%s: %d gaps, want %d", name, gaps, c.gaps)
		}
	}
}
