package jitter

import "github.com/ringtrue/ringtrue/internal/leg"

// Hear fills in with the frame that is due at position pos.
func (r *Receiver) Hear(in *leg.Frame, pos int64) {
	r.play.next = pos + int64(len(in.PCM))
	if !r.open || !r.clk.set {
		in.Missing = true
		return
	}
	from := pos - r.play.delay - r.play.later - r.clk.offset
	n := int64(len(in.PCM))
	if from >= r.head-ringSamples && from+n <= r.head && r.ring.whole(from, from+n) {
		r.ring.get(from, in.PCM)
		r.lastFrom, r.lastWhole = from, true
		r.play.heard(in.PCM, from+n+r.clk.offset)
		return
	}
	r.keepLast()
	got := r.conceal(in, from)
	in.Missing = got == 0
	r.play.heardInPart(from + n + r.clk.offset)
}

// conceal copies what there is of a frame and fills in the rest from the last frame played, fading out:
// good enough for the ear, and flagged if nothing else is there. It returns the number of real samples.
func (r *Receiver) conceal(in *leg.Frame, from int64) (got int) {
	for i := range in.PCM {
		s := from + int64(i)
		if s < r.head && s >= r.head-ringSamples && r.ring.has(s) {
			r.ring.get(s, in.PCM[i:i+1])
			got++
			continue
		}
		in.PCM[i] = r.play.stopgap(i)
	}
	return got
}

// keepLast saves the last frame played before its place in the ring is overwritten.
func (r *Receiver) keepLast() {
	if r.lastWhole {
		r.lastWhole = false
		r.ring.get(r.lastFrom, r.play.last[:])
	}
}
