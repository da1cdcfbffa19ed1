package telephone

import (
	"slices"
	"testing"

	"github.com/ringtrue/ringtrue/internal/leg"
)

// TestAHoldIsNoGap checks that whatever the far end's clock and sequence numbers do during a hold,
// its audio afterwards is recorded when it came, and nothing counts as late or lost.
func TestAHoldIsNoGap(t *testing.T) {
	t.Parallel()
	const held, resumed, end = 100, 250, 350 // frames
	const away = resumed - held
	for name, back := range map[string]func(n int) (seq uint16, stamp uint32){
		"its clock goes on":          func(n int) (uint16, uint32) { return uint16(n - away), uint32(n * frameSize) },
		"its clock stands still":     func(n int) (uint16, uint32) { return uint16(n - away), uint32((n - away) * frameSize) },
		"its clock is slow":          func(n int) (uint16, uint32) { return uint16(n - away), uint32((n - away/2) * frameSize) },
		"its clock is hardly slow":   func(n int) (uint16, uint32) { return uint16(n - away), uint32((n - 5) * frameSize) },
		"its clock begins anew":      func(n int) (uint16, uint32) { return uint16(n - away), 1<<31 + uint32(n*frameSize) },
		"its clock goes back":        func(n int) (uint16, uint32) { return uint16(n - away), uint32((n - away - 50) * frameSize) },
		"its numbers begin anew":     func(n int) (uint16, uint32) { return uint16(n + 40000), uint32((n - away) * frameSize) },
		"somebody kept it back":      func(n int) (uint16, uint32) { return uint16(n), uint32(n * frameSize) },
		"only its numbers were kept": func(n int) (uint16, uint32) { return uint16(n), uint32((n - away) * frameSize) },
	} {
		for _, mute := range []bool{false, true} {
			e := newEars()
			e.starts(t, quietParty{}, 0)
			for n := range end {
				e.now = int64(n) * frameNS
				if n == held || n == resumed {
					to := e.setup
					to.SendOff, to.Mute = n == held, n == held && mute
					e.Retarget(to)
				}
				if e.tick(e.now) {
					t.Fatalf("%s: the call is over", name)
				}
				switch seq, stamp := back(n); {
				case n < held:
					e.hears(0, 7, uint16(n), uint32(n*frameSize), lowSample)
				case n >= resumed:
					e.hears(0, 7, seq, stamp, highSample)
				}
			}
			stats, heard := e.result()
			first := slices.Index(e.tape.Channel(leg.AgentChannel), decoded(highSample))
			if stats.Late != 0 || stats.Lost != 0 || stats.Received != end-away {
				t.Errorf("%s: %d received, %d late, %d lost", name, stats.Received, stats.Late, stats.Lost)
			}
			if stats.LongestGap > 2*leg.FrameTime || stats.JitterMax > leg.FrameTime {
				t.Errorf("%s: the longest gap is %v, the jitter %v", name, stats.LongestGap, stats.JitterMax)
			}
			if want := (end - resumed) * frameSize; first != resumed*frameSize || heard[decoded(highSample)] != want {
				t.Errorf("%s: %d samples of %d are recorded, the first at %d in place of %d", name,
					heard[decoded(highSample)], want, first, resumed*frameSize)
			}
		}
	}
}

// TestMusicOnHoldWithAPause checks that a far end on hold may play music, and may pause it.
func TestMusicOnHoldWithAPause(t *testing.T) {
	t.Parallel()
	e := newEars()
	e.setup.SendOff = true
	e.starts(t, quietParty{}, 0)
	for n := range 300 {
		e.now = int64(n) * frameNS
		e.tick(e.now)
		switch {
		case n < 100:
			e.hears(0, 7, uint16(n), uint32(n*frameSize), lowSample)
		case n >= 200: // its clock stood still
			e.hears(0, 7, uint16(n-100), uint32((n-100)*frameSize), highSample)
		}
	}
	stats, heard := e.result()
	if stats.Late != 0 || stats.LongestGap > 2*leg.FrameTime || heard[decoded(highSample)] != 100*frameSize {
		t.Errorf("%d late, the longest gap %v, %d samples are recorded", stats.Late, stats.LongestGap, heard[decoded(highSample)])
	}
}
