package jitter

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/rtp"
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
	// bridged is how much lost sound (ticks) a decoder is told of at most: beyond, there is nothing to go on with.
	bridged = 800
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
	// Samples is how many samples a packet says that it holds, 0 when it says nothing.
	// It changes nothing: packets come here before it is their turn to be decoded.
	Samples(packet []byte) int
	// Before writes the samples of what was sent right before a packet into pcm, which has room for 120 ms, as
	// far as the packet tells of it (forward error correction), and returns how many there are, 0 when it tells
	// nothing. So many samples are lost, which the decoder goes on over. It is called only where something is
	// lost, and before the packet is decoded.
	Before(pcm []int16, packet []byte, lost int) int
	// Reset has it forget what it kept.
	Reset()
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
	reel
	fresh   func() Decoder
	decoder Decoder
	aside   Decoder // for packets whose turn is over, nil when there were none
	// delay is how much later (ticks) the codec gives sound than it took it.
	delay int64

	course

	pcm   [wide * ringSamples]int16
	there marks
	lost  marks // of what is not there: whether it is lost, and not silence

	open    bool
	first   bool  // the next sound is the first of all
	clockAt int64 // when (ns) the newest packet came
	stamp   int64 // of the newest packet
	next    int64 // where the packet after the newest decoded one begins
	nextSeq uint16
	head    int64
	flushed int64

	held   [heldMost]held
	nHeld  int
	broken int64
	done   int64 // how much (ticks) has been decoded, a frame at least of each packet
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

// Init makes the receiver ready for a call. fresh makes a decoder; delay is how
// much later the codec gives sound than it was said, which is taken back.
func (w *Wideband) Init(tape *leg.Tape, channel int, fresh func() Decoder, delay time.Duration) {
	w.reel = reel{tape: tape, channel: channel, perTick: wide}
	w.fresh, w.decoder = fresh, fresh()
	w.delay = int64(delay) * telephoneRate / int64(time.Second)
	w.first, w.times.wide = true, true
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

// Asked says when (media time) the far end's first sound was asked for: of what was sent before that nothing comes.
func (w *Wideband) Asked(at time.Duration) { w.said.asked, w.said.since = true, Position(int64(at)) }

// mostAhead is how much sound (ticks) may be there that is to be heard later on: what is lies in
// the ring with it must be there as well.
const mostAhead = 4000

// Full says that there is as much sound as there may be that is to be heard after a media time.
func (w *Wideband) Full(at time.Duration) bool {
	return w.open && w.clk.set && w.head+w.clk.offset-Position(int64(at)) > mostAhead
}

// Started says whether any sound has come yet.
func (w *Wideband) Started() bool { return w.sounded }

// Frames is how many frames have been decoded, one at least of each packet: what a far end has cost.
func (w *Wideband) Frames() int { return int(w.done / frameSize) }

// Broken is how many packets could not be decoded.
func (w *Wideband) Broken() int64 { return w.broken }

// Receive takes a whole RTP packet that arrived at a media time, which is a little
// below 0 for what came just before the answer. source tells one track of the far
// end from the next. It says whether the packet was one of sound, and whether
// the silence before it was meant.
func (w *Wideband) Receive(b []byte, source uint32, arrived time.Duration) (sound, meantSilence bool) {
	p, ok := rtp.Parse(b)
	if !ok || int64(arrived) < -EarlyNS || len(p.Payload) > widePayload {
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
	kind := w.seq.arrive(p, int64(arrived))
	if kind == repeated {
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
	w.admit(p, kind, int64(arrived), follows)
	w.clockAt = int64(arrived)
	return true, meant
}

// paused says that the far end's clock went on while nothing was sent, at least for
// the better part of it.
func (w *Wideband) paused(stamp uint32, ns int64) bool {
	ahead := (w.times.of(stamp) - w.stamp) * int64(time.Second/telephoneRate)
	gap := ns - w.clockAt
	return w.open && gap > 3*frameNS && ahead > 2*frameNS && ahead > gap/2
}

// pass takes a packet that holds nothing: the server looks how much the network
// carries, or puts silence in the place of a microphone.
func (w *Wideband) pass(p rtp.Packet) {
	if w.open && p.Sequence == w.nextSeq {
		w.nextSeq++
	}
	if w.open && p.Sequence == uint16(w.seq.highest) {
		w.times.skip(w.seq.highest)
	}
	if len(p.Payload) > 0 {
		w.blank++
		w.sounded = w.sounded || w.blank > mostBlank
	}
}

// admit places a packet and lets it wait for its turn.
func (w *Wideband) admit(p rtp.Packet, kind novelty, ns int64, follows bool) {
	at := Position(ns)
	if !w.open {
		w.begin(w.times.begin(p, w.seq.highest), p.Sequence)
	}
	stamp := w.stampOf(p, kind, w.lasts(p.Payload), at)
	if farOff(stamp, w.head) && (kind != older || stamp > w.head) {
		w.jump(stamp, at, p.Sequence, follows)
	}
	before := w.clk.offset
	switch w.follow(stamp, kind, at, ns) {
	case mapStall:
		w.release()
		w.flush(min(stamp, w.head))
	case mapNew:
		if stamp > w.head {
			w.release()
			w.flushOld()
		}
		w.seal()
	case mapStood: // what waits has come since
		w.seal()
	case mapAhead:
		w.release()
		w.flushBy(before, w.said.now.begun)
		w.seal()
	case mapEased:
		w.release()
		w.flush(stamp)
		w.seal()
	case mapHitch:
		w.release()
		w.flushBy(before, w.clk.hitch.stamp)
		w.seal()
	case mapKept:
		w.catchUp(&w.reel, w.flushed+w.clk.offset-w.delay)
	}
	w.stamp = max(w.stamp, stamp)
	w.hold(p, stamp, at)
}

// lasts is how long (ticks) the sound of a packet lasts, a frame when it does not tell.
func (w *Wideband) lasts(packet []byte) int64 {
	n := w.decoder.Samples(packet)
	if n < wide || n > widePacket {
		return frameSize
	}
	return int64(n / wide)
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
	w.begin(stamp, seq)
}

// forget begins anew with another source.
func (w *Wideband) forget() {
	w.flush(w.head)
	w.keepLast()
	w.there.clear()
	w.open, w.muted = false, false
	w.forgetClock()
	w.seal()
	w.decoder = w.fresh()
}
