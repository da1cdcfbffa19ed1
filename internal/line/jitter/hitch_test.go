package jitter

import (
	"fmt"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// TestAClockThatStandsStillInShortPauses plays a far end whose timestamps only advance while it
// speaks, over a network with jitter. The words must be placed where they were said.
func TestAClockThatStandsStillInShortPauses(t *testing.T) {
	t.Parallel()
	for _, pause := range []int{2, 3, 5, 9} { // frames
		for _, jitter := range []time.Duration{0, 3 * time.Millisecond} {
			t.Run(fmt.Sprintf("pauses of %d frames, jitter of %v", pause, jitter), func(t *testing.T) {
				t.Parallel()
				inBothEars(t, func(t *testing.T, e ear, perTick int) {
					for word, off := range hitches(e, perTick, pause, jitter) {
						if off < -3*time.Millisecond || off > 3*time.Millisecond {
							t.Errorf("word %d stands off by %v", word, off)
						}
					}
				})
			})
		}
	}
}

// hitches sends words of 0.8 s and returns how far the beginning of each is from its place.
func hitches(e ear, perTick, pause int, jitter time.Duration) (off []time.Duration) {
	const long, many = 40, 8
	size := perTick * frameSize
	said := make([]int16, many*long*size)
	audio.NewNoise(5).Pink(said, -20)
	sent, i := 0, 0
	for n := range many*(long+pause) + 60 {
		if n%(long+pause) < long && sent < many*long {
			pcm := said[sent*size : (sent+1)*size]
			p := rtp.Packet{Sequence: uint16(sent), Timestamp: uint32(sent * frameSize), SSRC: 1, Payload: e.code(pcm)}
			i = (i + 3) % 7
			e.take(p, time.Duration(n)*leg.FrameTime+transit+time.Duration(i)*jitter/7)
			sent++
		}
		e.hear(n + 3)
	}
	tape := e.recording(many*(long+pause) + 63)
	for word := range many {
		from := perTick*begin + word*(long+pause)*size
		d, ok := standsOff(tape, said[word*long*size:][:size], from, perTick)
		if !ok {
			d = 1 << 30
		}
		off = append(off, time.Duration(d)*time.Second/time.Duration(telephoneRate*perTick))
	}
	return off
}
