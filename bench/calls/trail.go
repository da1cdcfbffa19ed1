package main

import (
	"slices"

	"github.com/ringtrue/ringtrue/internal/audio"
)

// trail is where the frames of a call, which follow one another, were found so far.
type trail struct {
	known bool // whether one has been found
	shift int  // position on the tape relative to the far end's schedule
	after int  // where the last one found ends on the tape
	since int  // how many were not found since then
	lost  int
	// strange is how many frames of other audio were before a frame; they count as lost, and frames
	// that are missing later may be those.
	strange int
}

// misses records that a frame is missing.
func (t *trail) misses() {
	t.since++
	if t.strange > 0 {
		t.strange--
		return
	}
	t.lost++
}

// finds records that frame i was found at a position, with cut samples removed. Between the
// previous one and it there may be silence, or frames that differ from what was sent; any further
// audio was never sent.
func (t *trail) finds(pcm []int16, i, pos, cut int) {
	if t.known {
		n := max(0, sounding(pcm, t.after, pos)-t.since*frameSize+frameSize/2) / frameSize
		t.strange += n
		t.lost += n
	}
	t.known, t.since, t.shift, t.after = true, 0, pos-i*frameSize, pos+frameSize-cut
}

// sounding returns how many samples between two positions are not silence.
func sounding(pcm []int16, from, to int) (n int) {
	for _, v := range pcm[min(from, to):to] {
		if v != 0 {
			n++
		}
	}
	return n
}

// place finds frame i of the far end of call n on the recording, after those before it: near the
// expected position or, because late packets may later turn out to have been spoken earlier,
// further away if the next one follows it. A frame in a pause may have lost cut samples.
func (c *comparison) place(pcm []int16, n, i int, t *trail) (pos, cut int, ok bool) {
	want, around := c.said(n, i), i*frameSize+t.shift
	if !t.known {
		pos, ok = seek(pcm, want, around, 400)
		return pos, 0, ok
	}
	from := t.after - edge // following the far end's clock may cover a sample
	if pos, ok = seek(pcm[from:], want, around-from, 40); ok {
		return from + pos, 0, true
	}
	if pos, ok = seekPair(pcm[from:], want, c.said(n, i+1), around-from, 1600); ok {
		return from + pos, 0, true
	}
	if pos, cut, ok = seekCut(pcm[from:], want, around-from); ok && !speaks(n, i) {
		return from + pos, cut, true
	}
	return 0, 0, false
}

// said returns frame i of the far end of call n.
func (c *comparison) said(n, i int) []int16 {
	var code [frameSize]byte
	pcm := make([]int16, frameSize)
	c.content.frame(code[:], n, i)
	audio.DecodeMuLaw(pcm, code[:])
	return pcm
}

// edge is how many samples at either end of a frame may differ: following the far end's clock by a
// sample covers one of them.
const edge = 4

// seek looks for a frame around a position.
func seek(pcm, want []int16, around, reach int) (int, bool) {
	for d := 0; d <= reach; d++ {
		for _, pos := range [2]int{around + d, around - d} {
			if isAt(pcm, want, pos) {
				return pos, true
			}
		}
	}
	return 0, false
}

// seekPair looks for two consecutive frames. A single frame found elsewhere is out of place.
func seekPair(pcm, want, next []int16, around, reach int) (int, bool) {
	for d := 0; d <= reach; d++ {
		for _, pos := range [2]int{around + d, around - d} {
			if isAt(pcm, want, pos) && isAt(pcm, next, pos+frameSize) {
				return pos, true
			}
		}
	}
	return 0, false
}

// most is how many samples (2 ms) may be missing from a frame that counts as found.
const most = 16

// seekCut looks around a position for a frame that lacks a few samples in one place, and returns
// how many. If they are missing at its end, the number cannot be determined, and the maximum is
// returned.
func seekCut(pcm, want []int16, around int) (pos, cut int, ok bool) {
	for pos := max(around-most, 0); pos <= around+most && pos+frameSize <= len(pcm); pos++ {
		head := 0
		for head < frameSize && pcm[pos+head] == want[head] {
			head++
		}
		for cut := 1; cut <= most; cut++ {
			rest := head + cut
			if rest >= frameSize-edge {
				return pos, most, true
			}
			if slices.Equal(pcm[pos+rest-cut:pos+frameSize-edge-cut], want[rest:frameSize-edge]) {
				return pos, cut, true
			}
		}
	}
	return 0, 0, false
}

func isAt(pcm, want []int16, pos int) bool {
	return pos >= 0 && pos+frameSize <= len(pcm) && slices.Equal(pcm[pos+edge:pos+frameSize-edge], want[edge:frameSize-edge])
}
