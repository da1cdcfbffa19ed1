package jitter

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// Settle lays everything on the tape that has waited long enough. It is called
// once per frame.
func (w *Wideband) Settle() {
	if !w.open {
		return
	}
	next := w.flushed + w.clk.offset - w.delay
	next += w.giveWay(&w.reel, next)
	w.drift(&w.reel, next)
	w.flush(w.head - settleSamples)
}

// flush lays every sample below end on the tape, run by run.
func (w *Wideband) flush(end int64) {
	end = min(end, w.head)
	for w.flushed < end {
		n, there := w.there.run(w.flushed, end)
		from := w.flushed
		if !there {
			var lost bool
			if n, lost = w.lost.run(from, from+n); !lost {
				w.silence(from + n + w.clk.offset - w.delay)
			}
		} else {
			at := wide * (from & (ringSamples - 1))
			w.lay(from+w.clk.offset-w.delay, w.pcm[at:at+wide*n])
		}
		w.flushed += n
	}
}

// lay writes a run. Before the very first one there was silence. When drift has moved the map by a
// tick, the hole is closed with the last samples, or those make room; nothing else that was said does.
func (w *Wideband) lay(pos int64, pcm []int16) {
	pos += w.giveWay(&w.reel, pos)
	switch {
	case w.first:
		w.first = false
		w.silence(pos)
	case pos == w.tapeEnd+1:
		w.tape.Write(w.channel, wide*w.tapeEnd, pcm[:wide])
	}
	// The last words were said within the call, however much later they are placed.
	if over := pos + int64(len(pcm)/wide) - w.limit - w.clk.behind(); w.limit > 0 && over > 0 {
		if pcm = pcm[:max(0, len(pcm)-int(wide*over))]; len(pcm) == 0 {
			return
		}
	}
	w.tape.Write(w.channel, wide*pos, pcm)
	w.tapeEnd = pos + int64(len(pcm)/wide)
}

// writeLate writes what comes too late for the ring into the hole that was left for it.
func (w *Wideband) writeLate(pos int64, pcm []int16) {
	from, to := w.tape.Vacant(w.channel, wide*pos, len(pcm))
	if from < to {
		w.tape.Write(w.channel, wide*pos+int64(from), pcm[from:to])
		w.tapeEnd = max(w.tapeEnd, pos+int64(to)/wide)
	}
}

// silence writes silence from the end of what was laid down to a position.
func (w *Wideband) silence(to int64) {
	to = min(to, w.tapeEnd+longestSilence)
	if w.limit > 0 {
		to = min(to, w.limit)
	}
	if n := to - w.tapeEnd; n > 0 {
		w.tape.Hush(w.channel, wide*w.tapeEnd, wide*n)
		w.tapeEnd = to
	}
}

// flushOld lays down what was said by the old clock; the offset has already
// moved, so it is laid where the tape ended.
func (w *Wideband) flushOld() {
	if w.flushed >= w.head {
		return
	}
	w.flushBy(w.tapeEnd+w.delay-w.flushed, w.head)
}

// flushBy is flush by another offset than the present one.
func (w *Wideband) flushBy(offset, end int64) {
	keep := w.clk.offset
	w.clk.offset = offset
	w.flush(end)
	w.clk.offset = keep
}

// endMost is by how much (ticks) the last words may reach beyond the end of the call: placed too late by more they were
// sent ahead, and nobody has heard them.
const endMost = 1600

// Finish lays the rest on the tape and gives the statistics of this direction.
// present says that the far end was there until the end of the call, so that what
// it did not send was silence.
func (w *Wideband) Finish(end time.Duration, present bool, out *call.LineStats) {
	w.limit = Position(int64(end))
	w.release()
	w.flush(w.head)
	if present && w.seq.started {
		w.silence(w.limit)
	}
	w.tape.Cut(w.channel, wide*(w.limit+min(w.clk.behind(), endMost)))
	w.into(out)
}
