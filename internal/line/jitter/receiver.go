package jitter

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/g711"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// The receiver's memory, in samples of 8000 Hz.
const (
	ringSamples = 8192
	// settleSamples is how long audio waits before it is written to the tape, so that the map
	// of the far end's clock is based on enough packets by then.
	settleSamples = 4000
	// Settles is the same as a time.
	Settles = settleSamples * time.Second / g711.Rate
	// pieceSamples is how much is written to the tape at a time: eight frames in a row cost
	// little more than one, since the tape's memory is in no processor's cache.
	pieceSamples = 8 * frameSize
)

// Receiver places the audio of a telephone line by its timestamps: on the tape where it was said, and a
// little later, from a ring, into the frames played to the Party. It uses two units: stamps (the far end's
// timestamps, unwrapped) and positions (samples since the answer). It is not safe for concurrent use.
type Receiver struct {
	// The fields needed for every packet and frame come first, so that they share cache lines.
	memory  *Scratch
	open    bool
	stamp   int64 // of the newest packet
	head    int64 // one past the newest sample
	flushed int64 // every stamp below is on the tape or never came
	settled int64 // every stamp below has its final place on the tape, by the current map
	// lastFrom is the stamp of the last frame played, if lastWhole is true: it was complete and
	// is still in the ring.
	lastFrom  int64
	lastWhole bool

	tapeTip byte // the last sample written to the tape, in the law of the ring
	codec   g711.Codec
	course

	reel

	ring ring
	// doubtful holds packets that may be repetitions, nil if there were none.
	doubtful *doubtful
}

// Scratch is memory that a thread lends to the Receiver it is running, so that it stays in the
// processor's cache. Nothing in it outlives the turn.
type Scratch struct {
	plain [frameSize]int16
	hush  [g711.MostPayload]byte
	tip   [1]byte
}

// Lend sets the scratch memory of the thread that runs the receiver. It must be called first in every turn.
func (r *Receiver) Lend(m *Scratch) { r.memory = m }

// Init prepares the receiver for a call with the given codec, to be recorded on a channel of the tape.
func (r *Receiver) Init(codec g711.Codec, tape *leg.Tape, channel int) {
	r.codec, r.reel = codec, reel{tape: tape, channel: channel, perTick: 1, kept: true}
	r.ring.law = codec
	g711.Prepare(tape)
	r.play.init()
}

// Switch changes the codec after a renegotiation.
func (r *Receiver) Switch(codec g711.Codec) { r.codec = codec }

// Open reports whether packets are being placed.
func (r *Receiver) Open() bool { return r.open }

// Source returns the source (SSRC) that is heard, and whether anything has arrived at all.
func (r *Receiver) Source() (ssrc uint32, started bool) { return r.seq.ssrc, r.seq.started }

// Repeats reports whether a packet of the current source has come before, or is too old to tell.
func (r *Receiver) Repeats(p rtp.Packet) bool { return r.seq.repeats(p) }

// Delay adds so many samples to the playout delay, because packets are not taken in as soon as they arrive.
func (r *Receiver) Delay(samples int64) { r.play.later = samples }

// Report returns the report block for the time since the last one. It is empty before the first packet.
func (r *Receiver) Report() rtp.Block { return r.seq.block() }

// Excuse declares that nothing was expected before engine time ns, for example because the far
// end held the call: missing packets then count neither as a gap nor as lost, and where the far
// end's clock stood still, the time of the next packet is taken from its arrival alone.
func (r *Receiver) Excuse(ns int64) {
	r.seq.excuse(ns)
	r.times.excused = true
}

// Steady reports whether packets arrive at an even pace, so that none is waiting soon after one was received.
func (r *Receiver) Steady() bool {
	const even = 1e6 // ns
	return r.seq.hasLast && r.seq.jitter < even
}

// Audio processes a packet of speech that arrived at position at; ns is the same time in engine time.
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

// sound processes the audio of a packet and returns its position.
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

// Comfort processes a comfort noise packet, which also means that the silence is intended. Its
// arguments are those of Audio.
func (r *Receiver) Comfort(p rtp.Packet, at, ns int64) {
	if kind := r.arrive(p, at, ns); kind != repeated {
		r.admit(p, kind, at, ns)
	}
}

// Count counts a packet without speech that arrived at engine time ns, and reports whether it
// has come before.
func (r *Receiver) Count(p rtp.Packet, ns int64) (again bool) { return r.seq.arrive(p, ns) == repeated }

// Silence marks so many samples from a timestamp near the newest one as silence, because a key
// was pressed instead. This says little about the far end's clock, as a press has one timestamp
// throughout: only that it will have advanced beyond the press when speech resumes.
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

// arrive counts the packet and returns what its sequence number says.
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

// admit updates the clock map and returns the unwrapped timestamp.
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
	case mapStood: // what the ring holds has come since
		r.seal()
	case mapAhead:
		r.flushBy(before, r.said.now.begun)
		r.seal()
	case mapHitch:
		r.flushBy(before, r.clk.hitch.stamp)
		r.seal()
	case mapEased: // only for a far end whose audio was requested
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

// jump handles a timestamp far from the previous one, after a long silence or when the far end
// restarted its clock.
func (r *Receiver) jump(stamp int64) {
	r.flush(r.head)
	r.emptyRing()
	r.begin(stamp)
}

// forget starts again with another source.
func (r *Receiver) forget() {
	r.flush(r.head)
	r.emptyRing()
	r.open = false
	r.forgetClock()
	r.seal()
}

// TakeBack drops what has not been recorded yet of the present source: another takes over, and it should not have been heard.
func (r *Receiver) TakeBack() {
	r.flushed = r.head
	r.emptyRing()
}

// speak changes the law of the ring to that of the packets. What was there before is first
// written to the tape as it came.
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

// place stores samples in the ring, in its law.
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

// emptyRing clears the ring except for the last frame played.
func (r *Receiver) emptyRing() {
	r.keepLast()
	r.ring.clear()
}

// hush records the silence of a key press in place of speech.
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
