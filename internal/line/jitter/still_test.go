package jitter

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// TestAClockThatStoodStillKeepsNobodyBehind plays a far end that sends nothing in long pauses and
// whose timestamps only advance while it speaks, like a browser whose sound comes from a program.
// Its packets are as prompt as ever, so every word must be heard whole, and with less delay than on
// a network that holds packets up.
func TestAClockThatStoodStillKeepsNobodyBehind(t *testing.T) {
	t.Parallel()
	inBothEars(t, func(t *testing.T, e ear, perTick int) {
		const every, long, words = 150, 50, 4
		size := perTick * frameSize
		said := make([]int16, long*size)
		audio.NewNoise(5).Pink(said, -20)
		for n := range words * every {
			if frame := n % every; frame < long {
				sent := n/every*long + frame
				e.take(rtp.Packet{
					Sequence: uint16(sent), Timestamp: uint32(sent * frameSize), SSRC: 1, Payload: e.code(said[frame*size : (frame+1)*size]),
				}, time.Duration(n)*leg.FrameTime)
			}
			e.hear(n)
			play := &courseOf(e).play
			if behind := play.delay * 1000 / telephoneRate; n%every == long-1 && behind > 140 {
				t.Errorf("word %d is heard %d ms behind", n/every, behind)
			}
			if n == words*every-1 && play.late > 0 {
				t.Errorf("%d packets are counted as late", play.late)
			}
		}
	})
}

func courseOf(e ear) *course {
	if room, ok := e.(roomEar); ok {
		return &room.w.course
	}
	return &e.(telephoneEar).r.course
}
