package jitter

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// TestAWordAfterALateBeginningIsWhole delays the first packets of a call a little, until a frame
// before its first word or within it, as programs do that have just answered. The silence before
// the word must make up for it, without losing a sample of the word.
func TestAWordAfterALateBeginningIsWhole(t *testing.T) {
	t.Parallel()
	const frames, from, to = 150, 25, 60
	for _, late := range []time.Duration{time.Millisecond, 2 * time.Millisecond, 5 * time.Millisecond, 10 * time.Millisecond, 15 * time.Millisecond} {
		for _, until := range []int{1, 3, 10, 20, 40, 55} {
			for where, e := range map[string]ear{"on the telephone": telephoneEar{newWire()}, "in a room": newRoomEar()} {
				per := 1
				if where == "in a room" {
					per = wide
				}
				size := frameSize * per
				said := make([]int16, frames*size)
				audio.NewNoise(7).Pink(said[from*size:to*size], -30)
				for n := range frames {
					at := time.Duration(n) * leg.FrameTime
					if n >= until {
						at -= late
					}
					e.take(rtp.Packet{Sequence: uint16(n), Timestamp: uint32(n * frameSize), Payload: e.code(said[n*size : (n+1)*size])}, at)
					e.hear(n + 1)
				}
				due := from*size - per*int(late*telephoneRate/time.Second)
				if off, ok := seek(e.recording(frames), said[from*size:to*size], due, 0); !ok || off > 0 {
					t.Errorf("%v late until frame %d, %s: the word is whole: %v, %d samples off", late, until, where, ok, off)
				}
			}
		}
	}
}
