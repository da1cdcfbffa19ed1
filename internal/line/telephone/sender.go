package telephone

import (
	"cmp"
	"crypto/rand"
	"encoding/binary"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/g711"
	"github.com/ringtrue/ringtrue/internal/line/keys"
	"github.com/ringtrue/ringtrue/internal/line/loss"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// sender turns the Party's frames into packets and records them on its channel of the tape.
type sender struct {
	stream *Stream
	memory *scratch
	loss   *loss.Draws
	ssrc   uint32
	stamp0 uint32
	seq    uint16
	marked bool // the next packet begins a stretch of speech

	packets, octets uint32
	sent, late      int64
	lateMax         time.Duration
	gone            int64
	keys            keys.Pad
	unsent          byte // the key being pressed, until a part of its press is sent; 0 for none
}

func (o *sender) init(s *Stream, to Setup) {
	var seed [10]byte
	_, _ = rand.Read(seed[:]) // never fails (package crypto/rand)
	o.stream, o.marked = s, true
	o.loss = to.Loss.Begin(binary.BigEndian.Uint64(seed[:8]))
	o.ssrc = binary.BigEndian.Uint32(seed[:])
	o.seq = binary.BigEndian.Uint16(seed[4:]) >> 1
	o.stamp0 = binary.BigEndian.Uint32(seed[6:])
}

// harmlessNS is the lateness (ns) from which silent frames are not counted as late, since
// nobody missed them.
const harmlessNS = 3 * frameNS

// frame sends one frame. After a delay a few frames are sent at once: the listener then gets
// all of the speech, and jitter buffers can handle that many. Missed frames beyond that are not
// sent, so that a long burst does not delay everything after it; their timestamps are skipped.
func (o *sender) frame(f *leg.Frame, now int64, missed bool) {
	s := o.stream
	stamp := o.stamp0 + uint32(s.next)*frameSize
	o.keys.Push(f.Digits)
	o.unsent = cmp.Or(o.keys.Begin(stamp), o.unsent)
	behind := now - (s.zero + s.next*frameNS)
	heard := behind <= harmlessNS && !missed || o.keys.Active() || !quietThroughout(f.PCM)
	switch {
	case s.setup.SendOff: // as the far end requested; nobody hears us, and so it is recorded
		o.hush()
		o.marked = true
		o.skipKey()
		return
	case missed:
		// Silence that is not sent is silence all the same, on the recording too: only audible
		// frames count as lost.
		if heard {
			o.gone++
		} else {
			o.hush()
		}
		o.marked = true
		o.skipKey()
		return
	}
	o.noteKey()
	if o.keys.Active() && s.setup.EventType != 0 {
		o.event(o.keys.Step())
		clear(o.memory.plain[:])
		codes := o.memory.packet[rtp.HeaderSize:]
		g711.PCMU().Encode(codes, o.memory.plain[:])
		s.setup.Tape.WriteCoded(s.setup.OwnChannel, s.next*frameSize, codes)
	} else {
		o.audio(f, stamp)
	}
	o.clock(behind, heard)
}

// noteKey notes a key with the first part of its press that is sent.
func (o *sender) noteKey() {
	if o.keys.Active() && o.unsent != 0 {
		o.stream.note(call.KindDigitSent, map[string]any{"digit": string(o.unsent)})
		o.unsent = 0
	}
}

// hush records a frame of silence.
func (o *sender) hush() {
	s := o.stream
	codes, silence := o.memory.packet[rtp.HeaderSize:rtp.HeaderSize+frameSize], s.setup.Codec.Silence()
	for i := range codes {
		codes[i] = silence
	}
	s.setup.Codec.Record(s.setup.Tape, s.setup.OwnChannel, s.next*frameSize, codes, o.memory.plain[:])
}

// quietThroughout reports whether nothing in the frame would be audible.
func quietThroughout(pcm []int16) bool {
	const audible = 32 // about -60 dBFS
	for _, v := range pcm {
		if v > audible || v < -audible {
			return false
		}
	}
	return true
}

func (o *sender) skipKey() {
	if o.keys.Active() {
		o.keys.Step()
		return
	}
	o.keys.Rest()
}

func (o *sender) audio(f *leg.Frame, stamp uint32) {
	s := o.stream
	if o.keys.Active() {
		o.keys.Sound(f.PCM)
		o.keys.Step()
	} else {
		o.keys.Rest()
	}
	buf := o.memory.packet[:]
	payload := buf[rtp.HeaderSize:]
	o.encode(payload, f.PCM)
	if s.setup.Pieces > 1 {
		o.pieces(payload, int(s.setup.Pieces), stamp, f.Missing)
	} else {
		o.send(buf, stamp, f.Missing)
	}
	s.setup.Codec.Record(s.setup.Tape, s.setup.OwnChannel, s.next*frameSize, payload, o.memory.plain[:])
}

// send sends an audio packet whose payload is in place.
func (o *sender) send(buf []byte, stamp uint32, lose bool) {
	rtp.WriteHeader(buf, rtp.Packet{Type: o.stream.setup.audioType(), Marker: o.marked, Sequence: o.seq, Timestamp: stamp, SSRC: o.ssrc})
	o.push(buf, lose)
	o.marked = false
}

// pieces sends a frame in several packets.
func (o *sender) pieces(payload []byte, n int, stamp uint32, lose bool) {
	size := len(payload) / n
	buf := o.memory.piece[:rtp.HeaderSize+size]
	for at := 0; at < len(payload); at += size {
		copy(buf[rtp.HeaderSize:], payload[at:])
		o.send(buf, stamp+uint32(at), lose)
	}
}

// encode encodes a frame in the codec of the line. It is fast for silence, since a listening
// Party says nothing.
func (o *sender) encode(payload []byte, pcm []int16) {
	codec := o.stream.setup.Codec
	if len(pcm) != frameSize || [frameSize]int16(pcm) != [frameSize]int16{} {
		codec.Encode(payload, pcm)
		return
	}
	silence := codec.Silence()
	for i := range payload {
		payload[i] = silence
	}
}

func (o *sender) event(e rtp.KeyEvent) {
	repeats := 1
	if e.End {
		repeats = keys.EndRepeats
	}
	buf := o.memory.packet[:]
	for range repeats {
		rtp.WriteHeader(buf, rtp.Packet{
			Type: o.stream.setup.EventType, Marker: e.Duration == frameSize,
			Sequence: o.seq, Timestamp: o.keys.Stamp(), SSRC: o.ssrc,
		})
		e.Write(buf[rtp.HeaderSize:])
		o.push(buf[:rtp.HeaderSize+4], false)
	}
}

// push sends a packet unless it is to be lost, because of Setup.Loss or because the Party wants it so.
func (o *sender) push(b []byte, lose bool) {
	// A packet dropped on purpose counts as sent.
	if !o.loss.Next() && !lose {
		o.stream.sock.Send(b, o.stream.remote)
	}
	o.seq++
	o.packets++
	o.octets += uint32(len(b) - rtp.HeaderSize)
	o.sent++
}

// clock records how late (ns) a frame was sent; heard is false if its lateness did not matter.
func (o *sender) clock(behind int64, heard bool) {
	if behind > lateNS {
		o.late++
	}
	if heard {
		o.lateMax = max(o.lateMax, time.Duration(behind))
	}
}

func (o *sender) info(now int64) rtp.Sender {
	s := o.stream
	return rtp.Sender{
		SSRC: o.ssrc, NTP: rtp.NTP(s.media.wall(now)),
		Timestamp: o.stamp0 + uint32(s.position(now)),
		Packets:   o.packets, Octets: o.octets,
	}
}

func (o *sender) into(out *call.LineStats) {
	out.Sent, out.SendLate, out.SendLateMax, out.SendMissed = o.sent, o.late, o.lateMax, o.gone
}
