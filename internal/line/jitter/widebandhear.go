package jitter

import "github.com/ringtrue/ringtrue/internal/leg"

// Hear fills in the frame that is due at a media time.
func (w *Wideband) Hear(in *leg.Frame) {
	pos := Position(int64(in.At))
	if !w.open || !w.clk.set {
		w.miss(in)
		return
	}
	from := pos - w.play.delay - w.clk.offset
	for w.nHeld > 0 && w.held[0].stamp < from+frameSize {
		w.decodeFirst()
	}
	if from >= w.head-ringSamples && from+frameSize <= w.head && w.there.whole(from, from+frameSize) {
		w.get(from, in.PCM)
		w.lastFrom, w.lastWhole, w.misses = from, true, 0
		w.play.heard(in.PCM, from+frameSize+w.clk.offset)
		return
	}
	w.keepLast()
	w.conceal(in, from)
	w.play.heardInPart(from + frameSize + w.clk.offset)
}

// conceal takes what there is of a frame and fills in what was lost with the last
// frame that was there, fainter and fainter.
func (w *Wideband) conceal(in *leg.Frame, from int64) {
	got := 0
	for i := range in.PCM {
		s := from + int64(i/wide)
		switch known := s < w.head && s >= w.head-ringSamples; {
		case known && w.there.has(s):
			in.PCM[i] = w.pcm[(wide*s+int64(i%wide))&(wide*ringSamples-1)]
			got++
		case known && !w.lost.has(s), w.muted:
			got++ // silence that was meant
		case w.misses < fadeFrames:
			in.PCM[i] = w.last[i] >> (w.misses + 1)
		}
	}
	if got == 0 {
		w.miss(in)
		return
	}
	w.misses = 0
}

// miss says that nothing came for a frame. After a while that is silence: many far
// ends send nothing while they have nothing to say, and a person on the line
// would not know either.
func (w *Wideband) miss(in *leg.Frame) {
	w.misses++
	in.Missing = w.misses <= meant && !w.muted
}

// keepLast takes the frame that was heard last out of the ring.
func (w *Wideband) keepLast() {
	if w.lastWhole {
		w.lastWhole = false
		w.get(w.lastFrom, w.last[:])
	}
}

// get copies samples out from a stamp on, whether they are there or not.
func (w *Wideband) get(stamp int64, pcm []int16) {
	n := copy(pcm, w.pcm[wide*(stamp&(ringSamples-1)):])
	copy(pcm[n:], w.pcm[:])
}
