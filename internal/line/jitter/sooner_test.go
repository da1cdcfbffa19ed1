package jitter

import (
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// TestNothingIsCoveredByWhatComesSooner delays a far end's packets equally for a while, and then no
// longer: what came before was then said earlier, too, and all of it must still be on the
// recording. For a few milliseconds, single samples are removed here and there, for more a pause is
// shortened.
func TestNothingIsCoveredByWhatComesSooner(t *testing.T) {
	t.Parallel()
	for _, late := range []time.Duration{time.Millisecond, 6 * time.Millisecond, 10 * time.Millisecond, 40 * time.Millisecond, 150 * time.Millisecond} {
		for _, until := range []int{20, 50, 150, 210} {
			for where, e := range map[string]ear{"on the telephone": telephoneEar{newWire()}, "in a room": newRoomEar()} {
				c := &lateTalk{ear: e, late: late, until: until}
				if c.wide = 1; where == "in a room" {
					c.wide = wide
				}
				missing, shift := c.play()
				if missing > 0 || shift > late {
					t.Errorf("%v late until frame %d, %s: %d frames are missing, and others lie up to %v off", late, until, where, missing, shift)
				}
				if c.after > 0 {
					t.Errorf("%v late until frame %d, %s: at the end frames still lie %v off", late, until, where, c.after)
				}
			}
		}
	}
}

// lateTalk is a far end that talks with one pause and whose packets are late until a certain frame.
type lateTalk struct {
	ear
	wide  int
	late  time.Duration
	until int
	after time.Duration // how far off is what was said two seconds later
}

func (c *lateTalk) play() (missing int, shift time.Duration) {
	const frames, pauseAt, pauseEnd = 400, 60, 75
	size := frameSize * c.wide
	said := make([]int16, frames*size)
	audio.NewNoise(7).Pink(said, -30)
	clear(said[pauseAt*size : pauseEnd*size])
	for n := range frames {
		under := transit
		if n < c.until {
			under += c.late
		}
		p := rtp.Packet{Sequence: uint16(n), Timestamp: uint32(n * frameSize), Payload: c.code(said[n*size : (n+1)*size])}
		c.take(p, time.Duration(n)*leg.FrameTime+under)
		c.hear(n + 3)
	}
	pcm := c.recording(frames + 5)
	for n := range frames {
		if n >= pauseAt && n < pauseEnd {
			continue
		}
		off, ok := seek(pcm, said[n*size:(n+1)*size], begin*c.wide+n*size, c.wide)
		switch {
		case !ok:
			missing++
		case n > c.until+100:
			c.after = max(c.after, c.time(off))
		default:
			shift = max(shift, c.time(off))
		}
	}
	return missing, shift
}

func (c *lateTalk) time(samples int) time.Duration {
	return time.Duration(samples) * time.Second / telephoneRate / time.Duration(c.wide)
}

// seek searches for samples around a position and returns how far off they are; edge samples at
// either end are not compared.
func seek(pcm, want []int16, at, edge int) (off int, ok bool) {
	for off = range 1300 * max(edge, 1) {
		for _, from := range []int{at + off, at - off} {
			if from >= 0 && from+len(want) <= len(pcm) && slices.Equal(pcm[from+edge:from+len(want)-edge], want[edge:len(want)-edge]) {
				return off, true
			}
		}
	}
	return 0, false
}
