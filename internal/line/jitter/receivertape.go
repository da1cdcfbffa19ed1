package jitter

import "github.com/ringtrue/ringtrue/internal/call"

// Settle lays everything on the tape that has waited long enough, a piece at a time
// while the map stays as it is. It is called once per frame.
func (r *Receiver) Settle() {
	if !r.open {
		return
	}
	r.giveWay(&r.reel, r.flushed+r.clk.offset)
	if r.clk.drifts() {
		r.flush(r.settled)
		r.drift(&r.reel, r.flushed+r.clk.offset)
	}
	if r.settled = r.head - settleSamples; r.settled-r.flushed >= pieceSamples {
		r.flush(r.settled)
	}
}

// flush lays every sample below end on the tape, run by run.
func (r *Receiver) flush(end int64) {
	end = min(end, r.head)
	for r.flushed < end {
		n, there := r.ring.run(r.flushed, end)
		r.flushed += n
		if there {
			at := (r.flushed - n) & (ringSamples - 1)
			r.lay(r.flushed-n+r.clk.offset, r.ring.codes[at:at+n])
		}
	}
}

// flushBy is flush by another offset than the present one.
func (r *Receiver) flushBy(offset, end int64) {
	keep := r.clk.offset
	r.clk.offset = offset
	r.flush(end)
	r.clk.offset = keep
}

// flushOld lays down what was said by the old clock; the offset has already
// moved, so it is laid where the tape ended.
func (r *Receiver) flushOld(stamp int64) {
	if r.flushed >= r.head {
		r.flushed = max(r.flushed, min(stamp, r.head))
		return
	}
	r.flushBy(r.tapeEnd-r.flushed, r.head)
}

// hurry follows a packet that has come sooner than any before, as far as there is nothing on the
// tape yet that would be covered.
func (r *Receiver) hurry() {
	if r.clk.behind() > 0 {
		r.flush(r.settled)
		r.catchUp(&r.reel, r.flushed+r.clk.offset)
	}
}

// lay writes a run. When drift has just moved the map by a sample, the hole is closed with the
// last sample instead of a click, or that one makes room. Nothing else that was said makes room.
func (r *Receiver) lay(pos int64, codes []byte) {
	pos += r.giveWay(&r.reel, pos)
	if pos == r.tapeEnd+1 && pos > 1 {
		r.memory.tip[0] = r.tapeTip
		r.write(r.tapeEnd, r.memory.tip[:])
	}
	r.write(pos, codes)
	r.tapeEnd, r.tapeTip = pos+int64(len(codes)), codes[len(codes)-1]
}

// writeLate writes what comes too late for the ring into the hole that was left for it.
func (r *Receiver) writeLate(pos int64, codes []byte) {
	from, to := r.tape.Vacant(r.channel, pos, len(codes))
	if from < to {
		r.write(pos+int64(from), codes[from:to])
		r.tapeEnd = max(r.tapeEnd, pos+int64(to))
	}
}

// write puts samples in the law of the ring on the tape.
func (r *Receiver) write(pos int64, codes []byte) {
	r.ring.law.Record(r.tape, r.channel, pos, codes, r.memory.plain[:])
}

// Finish lays the rest on the tape and gives the statistics of this direction.
func (r *Receiver) Finish(out *call.LineStats) {
	r.flush(r.head)
	r.into(out)
}
