package jitter

import "github.com/ringtrue/ringtrue/internal/call"

// Settle lays everything on the tape that has waited long enough, a piece at a time
// while the map stays as it is. It is called once per frame.
func (r *Receiver) Settle() {
	if !r.open {
		return
	}
	if r.clk.drifts() {
		r.flush(r.settled)
		r.drift()
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

// pull moves the newest of what is on the tape to where it was said by so many samples
// sooner, so that what follows does not cover its end.
func (r *Receiver) pull(sooner int64) {
	if by := min(sooner, r.tapeEnd-r.flushed-r.clk.offset); by > 0 {
		r.tape.Pull(r.channel, r.tapeEnd, by)
		r.tapeEnd -= by
	}
}

// lay writes a run; when drift has just moved the map by a sample, the hole is
// closed with the last sample instead of a click.
func (r *Receiver) lay(pos int64, codes []byte) {
	if pos == r.tapeEnd+1 && pos > 1 {
		r.memory.tip[0] = r.tapeTip
		r.write(r.tapeEnd, r.memory.tip[:])
	}
	r.write(pos, codes)
	r.tapeEnd, r.tapeTip = pos+int64(len(codes)), codes[len(codes)-1]
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
