package jitter

import (
	"encoding/binary"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// ear is a receiver with its recording, for the telephone or for a room.
type ear interface {
	// code returns the payload for samples, and replaces them with what the codec leaves of them.
	code(pcm []int16) []byte
	// take receives a packet whose timestamp counts ticks (1/8000 s).
	take(p rtp.Packet, at time.Duration)
	// hear takes the frame at n·20 ms and reports whether it is missing.
	hear(n int) bool
	// recording ends the call of n frames and returns what was recorded.
	recording(n int) []int16
}

// telephoneEar receives mu-law.
type telephoneEar struct{ *wire }

func (telephoneEar) code(pcm []int16) []byte {
	codes := make([]byte, len(pcm))
	audio.EncodeMuLaw(codes, pcm)
	audio.DecodeMuLaw(pcm, codes)
	return codes
}

func (e telephoneEar) take(p rtp.Packet, at time.Duration) {
	e.r.Audio(p, int64(at)*8/1e6, int64(at))
}

func (e telephoneEar) hear(n int) bool {
	_, missing := e.wire.hear(n)
	return missing
}

func (e telephoneEar) recording(int) []int16 {
	_, tape := e.finish()
	return tape
}

// roomEar receives uncompressed samples.
type roomEar struct {
	w    *Wideband
	tape *leg.Tape
}

func newRoomEar() roomEar {
	e := roomEar{w: &Wideband{}, tape: leg.NewTape(time.Minute)}
	e.tape.Begin(WidebandRate)
	e.w.Init(e.tape, leg.AgentChannel, func() Decoder { return samples{} }, 0)
	return e
}

// samples is the codec of a roomEar.
type samples struct{}

func (samples) Samples(packet []byte) int { return len(packet) / 2 }

func (samples) Reset() {}

func (samples) Before([]int16, []byte, int) int { return 0 }

func (samples) Decode(pcm []int16, packet []byte) (int, error) {
	n := min(len(pcm), len(packet)/2)
	for i := range n {
		pcm[i] = int16(binary.LittleEndian.Uint16(packet[2*i:]))
	}
	return n, nil
}

func (roomEar) code(pcm []int16) (b []byte) {
	for _, v := range pcm {
		b = binary.LittleEndian.AppendUint16(b, uint16(v))
	}
	return b
}

func (e roomEar) take(p rtp.Packet, at time.Duration) {
	b := []byte{2 << 6, 111}
	b = binary.BigEndian.AppendUint16(b, p.Sequence)
	b = binary.BigEndian.AppendUint32(b, p.Timestamp*wideClock)
	b = binary.BigEndian.AppendUint32(b, p.SSRC)
	e.w.Receive(append(b, p.Payload...), p.SSRC, at)
}

func (e roomEar) hear(n int) bool {
	f := leg.Frame{At: time.Duration(n) * leg.FrameTime, PCM: make([]int16, wideFrame)}
	e.w.Hear(&f)
	e.w.Settle()
	return f.Missing
}

func (e roomEar) recording(n int) []int16 {
	var s call.LineStats
	e.w.Finish(time.Duration(n)*leg.FrameTime, true, &s)
	return e.tape.Channel(leg.AgentChannel)
}
