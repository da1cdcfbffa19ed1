package telephone

import (
	"slices"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/keys"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// presses receives a packet of a key press that has lasted for so many frames.
func (e *ears) presses(seq uint16, stamp uint32, frames int, end bool) {
	b := make([]byte, rtp.HeaderSize+4)
	rtp.WriteHeader(b, rtp.Packet{Type: 101, Sequence: seq, Timestamp: stamp, SSRC: 7})
	rtp.KeyEvent{Code: 5, Duration: uint16(frames * frameSize), End: end}.Write(b[rtp.HeaderSize:])
	e.receive(b, e.from, e.now)
}

// TestTheVoiceIsWhereItWasBehindAKeyPress checks the position of the voice after a key press during
// which the far end's clock goes on or stops, and its voice is sent as well or not.
func TestTheVoiceIsWhereItWasBehindAKeyPress(t *testing.T) {
	t.Parallel()
	const from, until, end = 100, 110, 300 // frames
	for name, c := range map[string]struct{ stands, beside bool }{
		"its clock goes on": {}, "its clock stands": {stands: true},
		"beside the voice": {beside: true},
	} {
		e := newEars()
		seq, stamp := uint16(0), uint32(0)
		for n := range end {
			e.now = int64(n)*frameNS + int64(n%3)*5e6
			if n == until-3 { // a packet may be late during a press, too
				e.now += 100e6
			}
			sample := byte(lowSample)
			if n >= until {
				sample = highSample
			}
			pressed, times := n >= from && n < until, 1
			if n == until-1 {
				times = 3 // the end is sent three times
			}
			for ; pressed && times > 0; times-- {
				e.presses(seq, from*frameSize, n-from+1, n == until-1)
				seq++
			}
			if !pressed || c.beside {
				e.hears(0, 7, seq, stamp, sample)
				seq++
			}
			if !pressed || !c.stands {
				stamp += frameSize
			}
		}
		stats, heard := e.result()
		if keys := string(e.digitsIn[:e.nDigits]); keys != "5" || stats.Lost != 0 || stats.Late != 0 || heard[decoded(highSample)] != (end-until)*frameSize {
			t.Errorf("%s: heard the keys %q and %d samples, %d late, %d lost", name, keys, heard[decoded(highSample)], stats.Late, stats.Lost)
		}
		first := slices.Index(e.tape.Channel(leg.AgentChannel), decoded(highSample))
		if off := first - until*frameSize; off < 0 || off > frameSize {
			t.Errorf("%s: the voice goes on %d samples from where it did", name, off)
		}
	}
}

// TestAFloodOfKeysLeavesRoomForOurs checks that a far end that keeps pressing keys leaves room on
// the timeline for what our own side does.
func TestAFloodOfKeysLeavesRoomForOurs(t *testing.T) {
	t.Parallel()
	var s Stream
	for range 2 * maxTimeline {
		s.heardDigit('1', keys.ByEvent, 0)
		s.note(call.KindReinvited, nil)
	}
	s.note(call.KindDigitSent, nil)
	if n := len(s.result.Timeline); n >= maxTimeline || s.result.Timeline[n-1].Kind != call.KindDigitSent {
		t.Errorf("the last of %d events is %s", n, s.result.Timeline[n-1].Kind)
	}
}

// TestAKeyIsHeardOnceThoughTheVoiceChanges has another source take over the voice while the end of a press is repeated, or while a
// key is pressed whose end never comes.
func TestAKeyIsHeardOnceThoughTheVoiceChanges(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]byte{"its end is repeated": 0x80, "its end is lost": 0} {
		e := newEars()
		for n := range 100 {
			e.now = int64(n) * frameNS
			if n < 50 {
				e.hears(0, 7, uint16(n), uint32(n*frameSize), lowSample)
			} else {
				e.hears(0, 8, 5000+uint16(n), 1<<31+uint32(n*frameSize), highSample)
			}
			if n == 49 || n == 52 && end != 0 {
				b := make([]byte, rtp.HeaderSize, rtp.HeaderSize+4)
				rtp.WriteHeader(b, rtp.Packet{Type: 101, Sequence: uint16(n), Timestamp: 8000, SSRC: 9})
				e.receive(append(b, 5, end, 0, 160), e.from, e.now)
			}
			if key := e.pressed.Idle(e.now); key != 0 {
				e.heardDigit(key, keys.ByEvent, e.now)
			}
		}
		if keys := string(e.digitsIn[:e.nDigits]); keys != "5" {
			t.Errorf("%s: heard the keys %q, want one 5", name, keys)
		}
	}
}

// TestAKeyInTheMediaAndInTheSignallingIsOne has a far end send each press as an event and as a notice.
func TestAKeyInTheMediaAndInTheSignallingIsOne(t *testing.T) {
	t.Parallel()
	e := newEars()
	e.starts(t, quietParty{}, 0)
	for n := range 100 {
		e.now = int64(n) * frameNS
		switch {
		case n == 20 || n == 60:
			e.Press("5")
		case n > 20 && n < 26, n > 50 && n < 56:
			first := n / 10 * 10
			e.presses(uint16(n), uint32(first*frameSize), n-first, n%10 == 5)
		}
		if e.tick(e.now) {
			t.Fatal("the call is over")
		}
	}
	var heard []string
	for _, event := range e.Result().Timeline {
		if event.Kind == call.KindDigitReceived {
			heard = append(heard, event.Data["digit"].(string))
		}
	}
	if strings.Join(heard, "") != "55" {
		t.Errorf("heard the keys %v, want 55: the notice comes first once, and the event once", heard)
	}
}
