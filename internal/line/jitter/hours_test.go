package jitter

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// TestHoursOfSilenceCostNothing checks that hours of silence, from a microphone that is switched
// off, say, cost no more than seconds when the far end speaks again or the call ends: the thread
// carries other calls as well.
//
//nolint:paralleltest // memory is counted
func TestHoursOfSilenceCostNothing(t *testing.T) {
	const most = 50
	for _, speaks := range []bool{false, true} {
		many := testing.AllocsPerRun(1, func() {
			e := newRoomEar()
			e.tape = leg.NewTape(3 * time.Hour)
			e.tape.Begin(WidebandRate)
			e.w.tape = e.tape
			word := e.code(make([]int16, wideFrame))
			e.take(rtp.Packet{SSRC: 1, Payload: word}, 0)
			e.hear(0)
			if speaks {
				e.take(rtp.Packet{Sequence: 1, Timestamp: 3600 * telephoneRate, SSRC: 1, Payload: word}, time.Hour)
			}
			var s call.LineStats
			e.w.Finish(2*time.Hour, true, &s)
			if said := e.tape.Written(leg.AgentChannel); said < 7199*WidebandRate || said > 7201*WidebandRate {
				t.Errorf("%d samples are on the recording", said)
			}
		})
		if many > most {
			t.Errorf("two hours of silence (words within them: %v) take %v pieces of memory", speaks, many)
		}
	}
}
