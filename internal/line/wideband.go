package line

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
)

// WidebandRate is the sample rate in Hz of what a Wideband gives.
const WidebandRate = 16000

// The measures of wideband speech. Places are reckoned as on the telephone, in
// ticks of 8000 Hz, so that both share what finds them; each tick holds wide samples.
const (
	wide = 2
	// wideClock is how many units of the RTP clock (48 kHz) a tick takes.
	wideClock = 6
	wideFrame = wide * frameSize
	// widePayload is the largest packet that is decoded, widePacket the most that one may hold: 120 ms.
	widePayload = 1275
	widePacket  = 120 * WidebandRate / 1000
	// heldMost is how many packets wait for one that comes after them.
	heldMost = 16
	// meant is how many frames in a row nothing may come before that is taken for silence.
	meant = 10
	// longestSilence bounds how much silence is laid on a tape at once (ticks).
	longestSilence = 4 * 3600 * telephoneRate
)

// Decoder turns packets into speech at WidebandRate. It may keep what it needs from
// one packet to the next.
type Decoder interface {
	// Decode writes the samples of a packet into pcm, which has room for 120 ms,
	// and returns how many there are. The packet may be anything.
	Decode(pcm []int16, packet []byte) (int, error)
}

// Wideband places speech with 48 kHz timestamps in packets of any length, as they
// come from a room: on the tape where it was said, and a little later into the
// frames that a Party hears. Packets are decoded in the order in which they were
// sent, so one that comes too early waits until its sound is wanted.
//
// What is missing between two packets that follow each other was silence that
// nobody sent (discontinuous transmission, a microphone that was switched off).
// Its methods belong to one thread at a time.
type Wideband struct {
	tape    *leg.Tape
	channel int
	fresh   func() Decoder
	decoder Decoder
	// delay is how much later (ticks) the codec gives sound than it took it.
	delay int64

	seq  sequence
	clk  clockMap
	play playout

	pcm   [wide * ringSamples]int16
	there marks
	lost  marks // of what is not there: whether it is lost, and not silence

	open    bool
	first   bool  // the next sound is the first of all
	clock   int64 // the newest timestamp, unwrapped
	clockAt int64 // when (ns) the newest packet came
	stamp   int64 // of the newest packet
	next    int64 // where the packet after the newest decoded one begins
	nextSeq uint16
	head    int64
	flushed int64
	tapeEnd int64

	held   [heldMost]held
	nHeld  int
	broken int64
	muted  bool
	limit  int64 // where the call has ended, and with it the tape; 0 while it lasts
	// sounded says that a packet with something in it has come.
	sounded bool
	blank   int
	misses  int

	lastFrom  int64
	lastWhole bool
	last      [wideFrame]int16
	room      [widePacket]int16
}

// held is a packet that waits for its turn.
type held struct {
	stamp, at int64
	seq       uint16
	n         int
	payload   [widePayload]byte
}

// Init makes the receiver ready for a call. fresh makes a decoder; delay is how
// much later the codec gives sound than it was said, which is taken back.
func (w *Wideband) Init(tape *leg.Tape, channel int, fresh func() Decoder, delay time.Duration) {
	w.tape, w.channel, w.fresh, w.decoder = tape, channel, fresh, fresh()
	w.delay = int64(delay) * telephoneRate / int64(time.Second)
	w.first = true
	w.play.init()
}

// mostBlank is how many frames of silence a server may put in the place of a
// microphone that gives nothing: it does so for five seconds.
const mostBlank = 300

// isBlank says whether a packet is the one that stands for 20 ms of nothing,
// which may be padded.
func isBlank(payload []byte) bool {
	if len(payload) < 3 || payload[0] != 0xf8 || payload[1] != 0xff || payload[2] != 0xfe {
		return false
	}
	for _, b := range payload[3:] {
		if b != 0 {
			return false
		}
	}
	return true
}

// Mute says whether the far end has switched its microphone off.
func (w *Wideband) Mute(off bool) { w.muted = off }

// Started says whether any sound has come yet.
func (w *Wideband) Started() bool { return w.sounded }

// Broken is how many packets could not be decoded.
func (w *Wideband) Broken() int64 { return w.broken }

// Receive takes a whole RTP packet that arrived at a media time, which is a little
// below 0 for what came just before the answer. source tells one track of the far
// end from the next. It says whether the packet was one of sound, and whether
// the silence before it was meant.
func (w *Wideband) Receive(b []byte, source uint32, arrived time.Duration) (sound, meantSilence bool) {
	p, ok := parseRTP(b)
	if !ok || int64(arrived) < -earlyNS || len(p.Payload) > widePayload {
		return false, false
	}
	p.SSRC = source
	if w.seq.started && w.seq.ssrc != source {
		w.release()
		w.forget()
	}
	follows := w.seq.started && w.seq.ssrc == source && p.Sequence == uint16(w.seq.highest)+1
	nothing := len(p.Payload) == 0 || isBlank(p.Payload)
	meant := follows && (nothing || w.paused(p.Timestamp, int64(arrived)))
	longest := w.seq.longest
	if w.seq.arrive(p, int64(arrived)) == repeated {
		return false, false
	}
	if meant {
		w.seq.longest = longest
	}
	if nothing {
		w.pass(p)
		return false, false
	}
	w.sounded = true
	w.admit(p, int64(arrived), follows)
	w.clockAt = int64(arrived)
	return true, meant
}

// paused says that the far end's clock went on while nothing was sent, at least for
// the better part of it.
func (w *Wideband) paused(stamp uint32, ns int64) bool {
	const ms = wideClock * telephoneRate / 1000
	ahead := int64(int32(stamp-uint32(w.clock))) * int64(time.Millisecond) / ms
	gap := ns - w.clockAt
	return w.open && gap > 3*frameNS && ahead > 2*frameNS && ahead > gap/2
}

// pass takes a packet that holds nothing: the server looks how much the network
// carries, or puts silence in the place of a microphone.
func (w *Wideband) pass(p packet) {
	if w.open && p.Sequence == w.nextSeq {
		w.nextSeq++
	}
	if len(p.Payload) > 0 {
		w.blank++
		w.sounded = w.sounded || w.blank > mostBlank
	}
}

// admit places a packet and lets it wait for its turn.
func (w *Wideband) admit(p packet, ns int64, follows bool) {
	at := floorDiv(ns*8, 1e6)
	if !w.open {
		w.clock = int64(p.Timestamp)
		w.begin(floorDiv(w.clock, wideClock), p.Sequence)
	}
	unwrapped := w.clock + int64(int32(p.Timestamp-uint32(w.clock)))
	stamp := floorDiv(unwrapped, wideClock)
	if d := stamp - w.head; d > ringSamples/2 || d < -ringSamples/2 {
		w.jump(stamp, at, p.Sequence, follows)
	}
	w.clock = max(w.clock, unwrapped)
	w.seq.pace(ns - stamp*int64(1e9/telephoneRate))
	switch w.clk.arrive(stamp, at) {
	case mapStall:
		w.release()
		w.flush(min(stamp, w.head))
	case mapNew:
		if stamp > w.head {
			w.release()
			w.flushOld()
		}
	case mapKept:
	}
	w.stamp = max(w.stamp, stamp)
	w.hold(p, stamp, at)
}

func (w *Wideband) begin(stamp int64, seq uint16) {
	w.open, w.stamp, w.next, w.nextSeq = true, stamp, stamp, seq
	w.head, w.flushed = stamp, stamp
}

// jump follows a timestamp that lies far from what came before, in a packet that came
// at a tick of the call. Silence is at most what has passed since, whatever the far end's clock says.
func (w *Wideband) jump(stamp, at int64, seq uint16, follows bool) {
	w.release()
	silent := follows && w.stamp < stamp
	w.flush(w.head)
	w.keepLast()
	w.there.clear()
	if silent {
		w.silence(min(stamp+w.clk.offset-w.delay, at))
	}
	w.clock = stamp * wideClock
	w.begin(stamp, seq)
}

// flushOld lays down what was said by the old clock; the offset has already
// moved, so it is laid where the tape ended.
func (w *Wideband) flushOld() {
	if w.flushed >= w.head {
		return
	}
	keep := w.clk.offset
	w.clk.offset = w.tapeEnd + w.delay - w.flushed
	w.flush(w.head)
	w.clk.offset = keep
}

// forget begins anew with another source.
func (w *Wideband) forget() {
	w.flush(w.head)
	w.keepLast()
	w.there.clear()
	w.open, w.muted = false, false
	w.clk = clockMap{}
	w.decoder = w.fresh()
}

// hold puts a packet among those that wait, by the time at which it was said, and
// decodes at once what follows the last one.
func (w *Wideband) hold(p packet, stamp, at int64) {
	if w.nHeld == heldMost {
		w.decodeFirst()
	}
	i := w.nHeld
	for ; i > 0 && w.held[i-1].stamp > stamp; i-- {
		w.held[i] = w.held[i-1]
	}
	h := &w.held[i]
	h.stamp, h.at, h.seq = stamp, at, p.Sequence
	h.n = copy(h.payload[:], p.Payload)
	w.nHeld++
	for w.nHeld > 0 && (w.held[0].seq == w.nextSeq || w.held[0].stamp < w.next) {
		w.decodeFirst()
	}
}

// release decodes everything that waits.
func (w *Wideband) release() {
	for w.nHeld > 0 {
		w.decodeFirst()
	}
}

// decodeFirst decodes the first of the packets that wait and lays its sound into the ring.
func (w *Wideband) decodeFirst() {
	h := &w.held[0]
	late := h.stamp < w.next
	decoder := w.decoder
	if late {
		decoder = w.fresh() // its turn is over, and the right one's memory is further on
	}
	n, err := decoder.Decode(w.room[:], h.payload[:h.n])
	follows := h.seq == w.nextSeq
	if !late {
		if h.stamp > w.next {
			w.gap(w.next, h.stamp, !follows)
		}
		w.nextSeq = h.seq + 1
	}
	if err != nil || n <= 0 {
		w.broken++
		if !late {
			w.gap(h.stamp, h.stamp+frameSize, true)
			w.next = h.stamp + frameSize
		}
	} else {
		n = min(n, widePacket) &^ (wide - 1)
		w.place(h.stamp, w.room[:n])
		w.next = max(w.next, h.stamp+int64(n/wide))
		w.play.arrived(h.stamp+w.clk.offset, int64(n/wide), h.at)
	}
	w.nHeld--
	copy(w.held[:w.nHeld], w.held[1:w.nHeld+1])
}

// gap says of a stretch that nothing is there, and whether that was meant.
func (w *Wideband) gap(from, to int64, lost bool) {
	w.makeRoom(to)
	from = max(from, to-ringSamples)
	w.there.mark(from, to, false)
	w.lost.mark(from, to, lost)
	w.head = max(w.head, to)
}

// place lays samples into the ring.
func (w *Wideband) place(stamp int64, pcm []int16) {
	if stamp < w.flushed {
		// Too late for the ring; the tape still takes it.
		w.tape.Write(w.channel, wide*(stamp+w.clk.offset-w.delay), pcm)
		return
	}
	end := stamp + int64(len(pcm)/wide)
	w.makeRoom(end)
	n := copy(w.pcm[wide*(stamp&(ringSamples-1)):], pcm)
	copy(w.pcm[:], pcm[n:])
	w.there.mark(stamp, end, true)
	w.head = max(w.head, end)
}

// makeRoom lays on the tape what must leave the ring for it to reach to a stamp.
func (w *Wideband) makeRoom(to int64) {
	if over := to - ringSamples; over > w.flushed {
		w.flush(over)
		w.flushed = max(w.flushed, over)
		w.head = max(w.head, over)
	}
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

// Hear fills in the frame that is due at a media time.
func (w *Wideband) Hear(in *leg.Frame) {
	pos := floorDiv(int64(in.At)*8, 1e6)
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
		w.play.heard(in.PCM, from+frameSize+w.clk.offset, true)
		return
	}
	w.keepLast()
	w.conceal(in, from)
	w.play.heard(in.PCM, from+frameSize+w.clk.offset, false)
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

// Settle lays everything on the tape that has waited long enough. It is called
// once per frame.
func (w *Wideband) Settle() {
	if !w.open {
		return
	}
	w.clk.follow()
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

// lay writes a run. Before the very first one there was silence, and when drift
// has moved the map by a tick the hole is closed with the last samples.
func (w *Wideband) lay(pos int64, pcm []int16) {
	switch {
	case w.first:
		w.first = false
		w.silence(pos)
	case pos == w.tapeEnd+1:
		w.tape.Write(w.channel, wide*w.tapeEnd, pcm[:wide])
	}
	if over := pos + int64(len(pcm)/wide) - w.limit; w.limit > 0 && over > 0 {
		if pcm = pcm[:max(0, len(pcm)-int(wide*over))]; len(pcm) == 0 {
			return
		}
	}
	w.tape.Write(w.channel, wide*pos, pcm)
	w.tapeEnd = pos + int64(len(pcm)/wide)
}

// silence writes silence from the end of what was laid down to a position.
func (w *Wideband) silence(to int64) {
	var none [wideFrame]int16
	to = min(to, w.tapeEnd+longestSilence)
	if w.limit > 0 {
		to = min(to, w.limit)
	}
	for w.tapeEnd < to {
		n := min(to-w.tapeEnd, frameSize)
		w.tape.Write(w.channel, wide*w.tapeEnd, none[:wide*n])
		w.tapeEnd += n
	}
}

// Finish lays the rest on the tape and gives the statistics of this direction.
// present says that the far end was there until the end of the call, so that what
// it did not send was silence.
func (w *Wideband) Finish(end time.Duration, present bool, out *call.LineStats) {
	w.limit = floorDiv(int64(end)*8, 1e6)
	w.release()
	w.flush(w.head)
	if present && w.seq.started {
		w.silence(w.limit)
	}
	w.seq.into(out)
	out.JitterBuffer = time.Duration(w.play.delay) * time.Second / telephoneRate
	out.Concealed = true
	out.Late = w.play.late
}
