package jitter

import (
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/g711"
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

// Receiver places what arrives on a telephone line by its timestamp: on the tape where
// it was said, and from a ring, a little later, into the frames that the Party hears.
// It works in two units: stamps (the far end's timestamps, unwrapped) and
// positions (samples since the answer). Its methods belong to one thread at a time.
type Receiver struct {
	// What every packet and every frame needs stands first, the course included, for the
	// sake of the processor's cache.
	memory  *Scratch
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
	codec   g711.Codec
	course

	reel

	ring ring
	// doubtful are packets that may be repetitions, nil as long as there were none.
	doubtful *doubtful
}

// Scratch is memory that a thread lends to the Receiver whose turn it is, so that it
// stays in the processor's cache. Nothing in it outlives the turn.
type Scratch struct {
	plain [frameSize]int16
	hush  [g711.MostPayload]byte
	tip   [1]byte
}

// Lend gives it the memory of the thread that runs it, before anything else is asked of it.
func (r *Receiver) Lend(m *Scratch) { r.memory = m }

// Init makes it ready for a call in which codec was agreed, to be recorded on a channel of the tape.
func (r *Receiver) Init(codec g711.Codec, tape *leg.Tape, channel int) {
	r.codec, r.reel = codec, reel{tape: tape, channel: channel, perTick: 1, kept: true}
	r.ring.law = codec
	g711.Prepare(tape)
	r.play.init()
}

// Switch takes over a codec that was agreed anew.
func (r *Receiver) Switch(codec g711.Codec) { r.codec = codec }

// Open says that packets have begun to be placed.
func (r *Receiver) Open() bool { return r.open }

// Source is the source (SSRC) that is heard, and whether anything came at all.
func (r *Receiver) Source() (ssrc uint32, started bool) { return r.seq.ssrc, r.seq.started }

// Repeats says that a packet of the source that is heard has come before, or too long ago to tell.
func (r *Receiver) Repeats(p rtp.Packet) bool { return r.seq.repeats(p) }

// Delay has the Party hear so many samples later, because packets are not taken in as they come.
func (r *Receiver) Delay(samples int64) { r.play.later = samples }

// Report is the report block about what came since the last one. It says nothing
// before anything came.
func (r *Receiver) Report() rtp.Block { return r.seq.block() }

// Excuse says that nothing had to come before engine time ns, because the far end held the
// call, say: what did not is neither a gap nor lost, and when the next packet was said,
// nothing but its arrival tells where its clock has stood still.
func (r *Receiver) Excuse(ns int64) {
	r.seq.excuse(ns)
	r.times.excused = true
}

// Steady says that packets come at an even pace, so that after a young one there is none waiting.
func (r *Receiver) Steady() bool {
	const even = 1e6 // ns
	return r.seq.hasLast && r.seq.jitter < even
}

// Audio takes a packet of speech that arrived at position at; ns is the same instant in engine time.
func (r *Receiver) Audio(p rtp.Packet, at, ns int64) {
	n := len(p.Payload)
	if n == 0 || n > g711.MostPayload {
		return
	}
	if kind := r.arrive(p, at, ns); kind != repeated {
		pos := r.sound(p, kind, at, ns)
		r.play.arrived(pos, int64(n), at)
	}
}

// sound takes the sound of a packet, and gives its place.
func (r *Receiver) sound(p rtp.Packet, kind novelty, at, ns int64) (pos int64) {
	stamp := r.admit(p, kind, at, ns)
	law := r.codec
	if p.Type == g711.PCMU().Type || p.Type == g711.PCMA().Type {
		law = g711.Codec{Type: p.Type}
	}
	r.speak(law)
	r.place(stamp, p.Payload)
	return stamp + r.clk.offset
}

// Comfort takes a packet that says how silence sounds, and so that it is meant, like Audio.
func (r *Receiver) Comfort(p rtp.Packet, at, ns int64) {
	if kind := r.arrive(p, at, ns); kind != repeated {
		r.admit(p, kind, at, ns)
	}
}

// Count counts a packet that holds no speech, which arrived at engine time ns. It says
// whether the packet had come before.
func (r *Receiver) Count(p rtp.Packet, ns int64) (again bool) { return r.seq.arrive(p, ns) == repeated }

// Silence has so many samples from a timestamp near the newest one on be silence, because a
// key was pressed instead. Of the far end's clock that tells no more than that it is to be
// farther on than this when it speaks again: a press has one timestamp throughout.
func (r *Receiver) Silence(timestamp uint32, samples int) {
	if !r.open {
		return
	}
	stamp := r.times.of(timestamp)
	if d := stamp - r.head; d < ringSamples/4 && d > -ringSamples/4 {
		r.hush(stamp, samples)
		r.times.press(stamp, int64(samples))
	}
}

// arrive counts the packet and says what its number tells.
func (r *Receiver) arrive(p rtp.Packet, at, ns int64) novelty {
	if r.doubtful != nil && r.seq.revokes(p, ns) {
		r.believeDoubtful()
	}
	changed := r.seq.started && r.seq.ssrc != p.SSRC
	kind := r.seq.arrive(p, ns)
	switch {
	case changed:
		r.forget()
	case kind == repeated:
		r.doubt(p, at, ns)
	}
	return kind
}

// admit keeps the clock map up to date and unwraps the timestamp.
func (r *Receiver) admit(p rtp.Packet, kind novelty, at, ns int64) (stamp int64) {
	if !r.open {
		r.begin(r.times.begin(p, r.seq.highest))
	}
	n := int64(len(p.Payload))
	if p.Type == g711.ComfortNoise {
		n = 0
	}
	stamp = r.stampOf(p, kind, n, at)
	if farOff(stamp, r.head) && (kind != older || stamp > r.head) {
		r.jump(stamp)
	}
	before := r.clk.offset
	means := r.follow(stamp, kind, at, ns)
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
		r.seal()
	case mapAhead:
		r.flushBy(before, r.said.now.begun)
		r.seal()
	case mapHitch:
		r.flushBy(before, r.clk.hitch.stamp)
		r.seal()
	case mapEased: // only of a far end whose sound was asked for
		r.flush(stamp)
		r.seal()
	case mapKept:
		r.hurry()
	}
	r.stamp = max(r.stamp, stamp)
	return stamp
}

func (r *Receiver) begin(stamp int64) {
	r.open, r.stamp, r.head, r.flushed, r.settled = true, stamp, stamp, stamp, stamp
}

// jump follows a timestamp that lies far from what came before, after a long
// silence or when the far end restarted its clock.
func (r *Receiver) jump(stamp int64) {
	r.flush(r.head)
	r.emptyRing()
	r.begin(stamp)
}

// forget begins anew with another source.
func (r *Receiver) forget() {
	r.flush(r.head)
	r.emptyRing()
	r.open = false
	r.forgetClock()
	r.seal()
}

// speak changes the law of the ring when that of the packets changes. The tape
// takes what was there before as it came.
func (r *Receiver) speak(law g711.Codec) {
	if law.Type == r.ring.law.Type {
		return
	}
	r.flush(r.head)
	var tip [1]int16
	r.ring.law.Decode(tip[:], []byte{r.tapeTip})
	r.ring.translate(law)
	var code [1]byte
	law.Encode(code[:], tip[:])
	r.tapeTip = code[0]
}

// place lays samples into the ring, in its law.
func (r *Receiver) place(stamp int64, codes []byte) {
	if stamp < r.settled {
		r.flush(r.settled)
	}
	if stamp < r.flushed {
		r.writeLate(stamp+r.clk.offset, codes)
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
func (r *Receiver) emptyRing() {
	r.keepLast()
	r.ring.clear()
}

// hush lays down the silence of a key press, which stands in the place of speech.
func (r *Receiver) hush(stamp int64, samples int) {
	n := min(samples, len(r.memory.hush))
	if end := stamp + int64(n); end > r.head {
		from := max(stamp, r.head)
		codes := r.memory.hush[:end-from]
		silence := r.ring.law.Silence()
		for i := range codes {
			codes[i] = silence
		}
		r.place(from, codes)
	}
}
