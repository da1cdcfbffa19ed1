package room

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/line/jitter"
)

// laborious makes decoders, and counts them and how much they decode.
type laborious struct {
	made    int
	decoded time.Duration
}

// toil is one of its decoders.
type toil struct {
	jitter.Decoder

	of *laborious
}

func (l *laborious) fresh() jitter.Decoder {
	l.made++
	return toil{newDecoder(), l}
}

func (d toil) Decode(pcm []int16, packet []byte) (int, error) {
	n, err := d.Decoder.Decode(pcm, packet)
	d.of.decoded += time.Duration(n) * time.Second / jitter.WidebandRate
	return n, err
}

// TestAFloodOfLongPacketsTakesNoLongerThanOthers floods a stream with packets of the maximum
// duration, numbered and timestamped so that none counts as later audio. No turn may decode more
// than in a flood of ordinary packets; nor may the first turn, in which up to two seconds of audio
// pass, or the last.
func TestAFloodOfLongPacketsTakesNoLongerThanOthers(t *testing.T) {
	t.Parallel()
	const most, first = (inboxTurn + 16) * 20 * time.Millisecond, earlyPackets * 20 * time.Millisecond
	long := append([]byte{31<<3 | 3, 6 | 1<<7, 3, 3, 3, 3, 3}, make([]byte, 20)...) // six frames of 20 ms, the first five of three bytes
	for name, p := range map[string]func(n int) (seq uint16, stamp uint32){
		"one after the other": func(n int) (uint16, uint32) { return uint16(n), uint32(n) * 5760 },
		"of jumping clocks":   func(n int) (uint16, uint32) { return uint16(n), uint32(n) * 1 << 28 },
		"in pairs, reversed":  func(n int) (uint16, uint32) { return uint16(n ^ 1), uint32(n^1) * 5760 },
		"half of them late":   func(n int) (uint16, uint32) { return uint16(n/64*64 + (n%64+32)%64), uint32(n) * 960 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var l laborious
			b := newBeginning(t, nil)
			b.far.Init(b.tape, 1-b.own, l.fresh, opusDelay)
			worst := time.Duration(0)
			turn := func(f func()) {
				before := l.decoded
				f()
				worst = max(worst, l.decoded-before)
			}
			n := 0
			flood := func(many int) {
				for range many {
					seq, stamp := p(n)
					b.arrive(rtpOf(seq, stamp, long), 1, beginsAt+int64(n)*1e5)
					n++
				}
			}
			flood(earlyPackets)
			b.Begin(beginsAt)
			turn(func() { b.Tick(beginsAt) })
			if worst > first+most {
				t.Errorf("the first turn decodes %v, want at most %v", worst, first+most)
			}
			worst = 0
			for frame := range int64(20) {
				flood(inboxPackets)
				turn(func() { b.Tick(beginsAt + (frame+1)*frameNS) })
			}
			flood(inboxPackets)
			b.end(ending{})
			turn(b.Finish)
			if l.decoded == 0 || worst > most {
				t.Errorf("one turn decodes %v, want at most %v", worst, most)
			}
			if l.made > 2 {
				t.Errorf("%d decoders are made for one track", l.made)
			}
		})
	}
}
