package jitter

import "github.com/ringtrue/ringtrue/internal/call"

// Settle writes everything to the tape that has waited long enough, in larger pieces while the
// map does not change. It is called once per frame.
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

// flush writes every sample below end to the tape, run by run.
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

// flushBy is flush with another offset.
func (r *Receiver) flushBy(offset, end int64) {
	keep := r.clk.offset
	r.clk.offset = offset
	r.flush(end)
	r.clk.offset = keep
}

// flushOld writes what was said by the old clock. The offset has already changed, so it is
// written where the tape ended.
func (r *Receiver) flushOld(stamp int64) {
	if r.flushed >= r.head {
		r.flushed = max(r.flushed, min(stamp, r.head))
		return
	}
	r.flushBy(r.tapeEnd-r.flushed, r.head)
}

// hurry moves the map to a packet that came earlier than any before, as far as that overwrites
// nothing on the tape.
func (r *Receiver) hurry() {
	if r.clk.behind() > 0 {
		r.flush(r.settled)
		r.catchUp(&r.reel, r.flushed+r.clk.offset)
	}
}

// lay writes a run. If drift has just moved the map by a sample, the gap is filled with the last
// sample to avoid a click, or that sample is overwritten. Nothing else that was said is overwritten.
func (r *Receiver) lay(pos int64, codes []byte) {
	pos += r.giveWay(&r.reel, pos)
	if pos == r.tapeEnd+1 && pos > 1 {
		r.memory.tip[0] = r.tapeTip
		r.write(r.tapeEnd, r.memory.tip[:])
	}
	r.write(pos, codes)
	r.tapeEnd, r.tapeTip = pos+int64(len(codes)), codes[len(codes)-1]
}

// writeLate writes audio that is too late for the ring into the gap left for it.
func (r *Receiver) writeLate(pos int64, codes []byte) {
	from, to := r.tape.Vacant(r.channel, pos, len(codes))
	if from < to {
		r.write(pos+int64(from), codes[from:to])
		r.tapeEnd = max(r.tapeEnd, pos+int64(to))
	}
}

// write writes samples in the law of the ring to the tape.
func (r *Receiver) write(pos int64, codes []byte) {
	r.ring.law.Record(r.tape, r.channel, pos, codes, r.memory.plain[:])
}

// Finish writes the rest to the tape and fills in the statistics of this direction.
func (r *Receiver) Finish(out *call.LineStats) {
	r.flush(r.head)
	r.into(out)
}
