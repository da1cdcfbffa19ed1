package main

import (
	"slices"

	"github.com/ringtrue/ringtrue/internal/audio"
)

// trail is where the frames of a call were found so far, which lie one behind the other.
type trail struct {
	known bool // one was found
	shift int  // position on the tape less that by the schedule of the far end
	after int  // where the last one that was found ends on the tape
	since int  // how many were not found since then
	lost  int
	// strange are frames of something else that stood before a frame, and that count as lost: the frames that
	// are missing later on may be those.
	strange int
}

// misses takes note of a frame that is not there.
func (t *trail) misses() {
	t.since++
	if t.strange > 0 {
		t.strange--
		return
	}
	t.lost++
}

// finds takes note of frame i at a position, with so many samples cut out of it. Between the one before and it
// there may be nothing, or what is not as it was sent; anything more was not said there.
func (t *trail) finds(pcm []int16, i, pos, cut int) {
	if t.known {
		n := max(0, sounding(pcm, t.after, pos)-t.since*frameSize+frameSize/2) / frameSize
		t.strange += n
		t.lost += n
	}
	t.known, t.since, t.shift, t.after = true, 0, pos-i*frameSize, pos+frameSize-cut
}

// sounding is how many samples from one position to another are no silence.
func sounding(pcm []int16, from, to int) (n int) {
	for _, v := range pcm[min(from, to):to] {
		if v != 0 {
			n++
		}
	}
	return n
}

// place finds frame i of the far end of call n on the recording, behind those before it: near where they were,
// or, since packets that were all late may turn out to have been spoken sooner than was thought,
// further away with the next one behind it. One of a pause may have given way by so many samples.
func (c *comparison) place(pcm []int16, n, i int, t *trail) (pos, cut int, ok bool) {
	want, around := c.said(n, i), i*frameSize+t.shift
	if !t.known {
		pos, ok = seek(pcm, want, around, 400)
		return pos, 0, ok
	}
	from := t.after - edge // following the far end's clock covers a sample
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

// said is frame i of the far end of call n.
func (c *comparison) said(n, i int) []int16 {
	var code [frameSize]byte
	pcm := make([]int16, frameSize)
	c.content.frame(code[:], n, i)
	audio.DecodeMuLaw(pcm, code[:])
	return pcm
}

// edge are samples at either end of a frame that may differ: following the far
// end's clock by a sample covers one of them.
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

// seekPair looks for two frames in a row. One alone that stands elsewhere is out of its place.
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

// most samples (2 ms) may be missing of a frame that is there.
const most = 16

// seekCut looks around a position for a frame of which a few samples in one place are missing, and says how many.
// How many are missing at its end nobody can tell: it says that as many are as there may be.
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
