package jitter

import (
	"fmt"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// TestASlowFarEnd plays a far end that sleeps a little longer than a frame after each packet, as
// many without a schedule do, over a network with some jitter. Once this is known, its words must
// be placed where they were said.
func TestASlowFarEnd(t *testing.T) {
	t.Parallel()
	for _, longer := range []time.Duration{100 * time.Microsecond, 200 * time.Microsecond, 400 * time.Microsecond} {
		for _, jitter := range []time.Duration{0, 3 * time.Millisecond} {
			t.Run(fmt.Sprintf("by %v, jitter of %v", longer, jitter), func(t *testing.T) {
				t.Parallel()
				inBothEars(t, func(t *testing.T, e ear, perTick int) {
					for word, off := range slowWords(e, perTick, leg.FrameTime+longer, jitter) {
						if word >= 4 && (off < -9*time.Millisecond || off > 3*time.Millisecond) {
							t.Errorf("word %d stands off by %v", word, off)
						}
					}
				})
			})
		}
	}
}

// slowWords sends words of 1.2 s with pauses of 0.8 s, one packet per pace, and returns how far a
// sound within each is from its place.
func slowWords(e ear, perTick int, pace, jitter time.Duration) (off []time.Duration) {
	const every, long, many = 100, 60, 10
	size := perTick * frameSize
	said := make([]int16, many*every*size)
	audio.NewNoise(5).Pink(said, -20)
	heard := 0
	for n := range many * every {
		pcm := said[n*size : (n+1)*size]
		if n%every >= long {
			clear(pcm)
		}
		p := rtp.Packet{Sequence: uint16(n), Timestamp: uint32(n * frameSize), SSRC: 1, Payload: e.code(pcm)}
		at := time.Duration(n)*pace + transit + time.Duration(n*3%7)*jitter/7
		for ; time.Duration(heard)*leg.FrameTime < at; heard++ {
			e.hear(heard)
		}
		e.take(p, at)
	}
	for range 60 {
		e.hear(heard)
		heard++
	}
	tape := e.recording(heard)
	for word := range many {
		n := word*every + 10
		at := perTick * int((time.Duration(n)*pace+transit)*telephoneRate/time.Second)
		d, ok := standsOff(tape, said[n*size:][:50*perTick], at, 0)
		if !ok {
			d = 1 << 30
		}
		off = append(off, time.Duration(d)*time.Second/time.Duration(telephoneRate*perTick))
	}
	return off
}
