package line

import (
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// The receiver's memory, in samples of 8000 Hz.
const (
	ringSamples = 8192
	// settleSamples is how long audio waits before it is laid on the tape, so
	// that the map of the far end's clock has seen enough packets by then.
	settleSamples = 4000
	// pieceSamples is how much of it is laid down at a time: eight frames in a row cost
	// little more than one, whose places on the tape no processor has in its cache.
	pieceSamples = 8 * frameSize
)

// receiver places what arrives by its timestamp: on the tape where it was said,
// and from a ring, a little later, into the frames that the Party hears.
// It works in two units: stamps (the far end's timestamps, unwrapped) and
// positions (samples since the answer).
type receiver struct {
	// What every packet and every frame needs stands first, the course included, for the
	// sake of the processor's cache.
	memory  *scratch
	open    bool
	stamp   int64 // of the newest packet
	head    int64 // one past the newest sample
	flushed int64 // every stamp below is on the tape or never came
	settled int64 // every stamp below has its place on the tape, by the map as it is
	// lastFrom is the stamp of the frame that was heard last, when lastWhole says
	// that it was whole and is still in the ring.
	lastFrom  int64
	lastWhole bool

	tapeTip byte // the last sample that was laid on the tape, in the law of the ring
	codec   Codec
	keys    keyEars
	course

	tape    *leg.Tape
	channel int
	tapeEnd int64 // position after that sample

	ring ring
}

func (r *receiver) init(codec Codec, tape *leg.Tape, channel int) {
	r.codec, r.tape, r.channel = codec, tape, channel
	r.ring.law = codec
	prepare(tape)
	r.play.init()
}

// steady says that packets come at an even pace, so that after a young one there is none waiting.
func (r *receiver) steady() bool {
	const even = 1e6 // ns
	return r.seq.hasLast && r.seq.jitter < even
}

// audio takes a packet of speech that arrived at position at; ns is the same instant in engine time.
func (r *receiver) audio(p rtp.Packet, at, ns int64) {
	n := len(p.Payload)
	if n == 0 || n > maxPayload {
		return
	}
	stamp, ok := r.admit(p, at, ns)
	if !ok {
		return
	}
	law := r.codec
	if p.Type == PCMU().Type || p.Type == PCMA().Type {
		law = Codec{Type: p.Type}
	}
	r.speak(law)
	r.place(stamp, p.Payload)
	r.play.arrived(stamp+r.clk.offset, int64(n), at)
}

// admit counts the packet, keeps the clock map up to date and unwraps the timestamp.
func (r *receiver) admit(p rtp.Packet, at, ns int64) (stamp int64, ok bool) {
	changed := r.seq.started && r.seq.ssrc != p.SSRC
	kind := r.seq.arrive(p, ns)
	if kind == repeated {
		return 0, false
	}
	if changed {
		r.forget()
	}
	if !r.open {
		r.begin(r.times.begin(p, r.seq.highest))
	}
	n := int64(len(p.Payload))
	if p.Type == comfortNoise {
		n = 0
	}
	stamp = r.stampOf(p, kind, n, at)
	if kind != older && farOff(stamp, r.head) {
		r.jump(stamp)
	}
	before := r.clk.offset
	means := r.follow(stamp, at, ns)
	if r.clk.offset != before {
		r.flushBy(before, r.settled)
	}
	switch means {
	case mapStall:
		r.flush(stamp)
	case mapNew:
		if stamp > r.head {
			r.flushOld(stamp)
		}
	case mapKept:
	}
	r.stamp = max(r.stamp, stamp)
	return stamp, true
}

func (r *receiver) begin(stamp int64) {
	r.open, r.stamp, r.head, r.flushed, r.settled = true, stamp, stamp, stamp, stamp
}

// jump follows a timestamp that lies far from what came before, after a long
// silence or when the far end restarted its clock.
func (r *receiver) jump(stamp int64) {
	r.flush(r.head)
	r.emptyRing()
	r.begin(stamp)
}

// flushOld lays down what was said by the old clock; the offset has already
// moved, so it is laid where the tape ended.
func (r *receiver) flushOld(stamp int64) {
	if r.flushed >= r.head {
		r.flushed = max(r.flushed, min(stamp, r.head))
		return
	}
	r.flushBy(r.tapeEnd-r.flushed, r.head)
}

// flushBy is flush by another offset than the present one.
func (r *receiver) flushBy(offset, end int64) {
	keep := r.clk.offset
	r.clk.offset = offset
	r.flush(end)
	r.clk.offset = keep
}

// forget begins anew with another source.
func (r *receiver) forget() {
	r.flush(r.head)
	r.emptyRing()
	r.open = false
	r.clk = clockMap{}
	r.keys.reset()
}

// speak changes the law of the ring when that of the packets changes. The tape
// takes what was there before as it came.
func (r *receiver) speak(law Codec) {
	if law.Type == r.ring.law.Type {
		return
	}
	r.flush(r.head)
	var tip [1]int16
	r.ring.law.decode(tip[:], []byte{r.tapeTip})
	r.ring.translate(law)
	r.tapeTip = law.byteOf(tip[0])
}

// place lays samples into the ring, in its law.
func (r *receiver) place(stamp int64, codes []byte) {
	if stamp < r.settled {
		r.flush(r.settled)
	}
	if stamp < r.flushed {
		// Too late for the ring; the tape still takes it.
		r.write(stamp+r.clk.offset, codes)
		return
	}
	end := stamp + int64(len(codes))
	if over := end - ringSamples; over > r.flushed {
		r.flush(over)
	}
	if stamp > r.head {
		r.ring.mark(r.head, stamp, false)
	}
	r.ring.put(stamp, codes)
	r.head = max(r.head, end)
}

// emptyRing forgets what the ring holds, but for the frame that was heard last.
func (r *receiver) emptyRing() {
	r.keepLast()
	r.ring.clear()
}

// keepLast takes the frame that was heard last out of the ring before something
// else stands in its place.
func (r *receiver) keepLast() {
	if r.lastWhole {
		r.lastWhole = false
		r.ring.get(r.lastFrom, r.play.last[:])
	}
}

// hush lays down the silence of a key press, which stands in the place of speech.
func (r *receiver) hush(stamp int64, samples int) {
	n := min(samples, len(r.memory.hush))
	if end := stamp + int64(n); end > r.head {
		from := max(stamp, r.head)
		codes := r.memory.hush[:end-from]
		silence := r.ring.law.silence()
		for i := range codes {
			codes[i] = silence
		}
		r.place(from, codes)
	}
}

// settle lays everything on the tape that has waited long enough, a piece at a time
// while the map stays as it is. It is called once per frame.
func (r *receiver) settle() {
	if !r.open {
		return
	}
	if r.clk.drifts() {
		r.flush(r.settled)
		r.clk.follow()
	}
	if r.settled = r.head - settleSamples; r.settled-r.flushed >= pieceSamples {
		r.flush(r.settled)
	}
}

// flush lays every sample below end on the tape, run by run.
func (r *receiver) flush(end int64) {
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

// lay writes a run; when drift has just moved the map by a sample, the hole is
// closed with the last sample instead of a click.
func (r *receiver) lay(pos int64, codes []byte) {
	if pos == r.tapeEnd+1 && pos > 1 {
		r.memory.tip[0] = r.tapeTip
		r.write(r.tapeEnd, r.memory.tip[:])
	}
	r.write(pos, codes)
	r.tapeEnd, r.tapeTip = pos+int64(len(codes)), codes[len(codes)-1]
}

// write puts samples in the law of the ring on the tape.
func (r *receiver) write(pos int64, codes []byte) {
	r.ring.law.record(r.tape, r.channel, pos, codes, r.memory.plain[:])
}

// hearFrame fills in with the frame that is due at position pos.
func (r *receiver) hearFrame(in *leg.Frame, pos int64) {
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
		r.play.heard(in.PCM, from+n+r.clk.offset, true)
		return
	}
	r.keepLast()
	got := r.conceal(in, from)
	in.Missing = got == 0
	r.play.heard(in.PCM, from+n+r.clk.offset, false)
}

// conceal takes what there is of a frame and fills what is missing with the last
// frame that was there, fainter and fainter: good enough for the ear, and
// flagged when it is all there is. It returns how many samples were there.
func (r *receiver) conceal(in *leg.Frame, from int64) (got int) {
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

// finish lays the rest on the tape and gives the statistics of this direction.
func (r *receiver) finish(out *call.LineStats) {
	r.flush(r.head)
	r.into(out)
}
