package g711

import (
	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/leg"
)

// The dimensions of speech on a telephone line.
const (
	// Rate is the sample rate of G.711 in Hz, which is also the rate of its RTP clock.
	Rate = 8000
	// FrameSize is the number of samples in a frame of 20 ms.
	FrameSize = 160
	// MostPayload is the maximum audio in one packet, in bytes: 200 ms of G.711.
	MostPayload = 1600
)

// ComfortNoise is the payload type of comfort noise packets (RFC 3389).
const ComfortNoise = 13

// Codec is an encoding of speech in RTP with one byte per sample at 8000 Hz.
type Codec struct {
	// Name is the name in RFC 3551: "PCMU" or "PCMA".
	Name string
	// Type is the static RTP payload type.
	Type uint8
}

// PCMU returns G.711 with mu-law, used in North America and Japan.
func PCMU() Codec { return Codec{Name: "PCMU", Type: 0} }

// PCMA returns G.711 with A-law, used in the rest of the world.
func PCMA() Codec { return Codec{Name: "PCMA", Type: 8} }

// Named returns the codec with the given name, and false if it is not supported.
func Named(name string) (Codec, bool) {
	switch name {
	case "PCMU", "pcmu":
		return PCMU(), true
	case "PCMA", "pcma":
		return PCMA(), true
	}
	return Codec{}, false
}

// Encode writes one byte per sample of pcm into dst.
func (c Codec) Encode(dst []byte, pcm []int16) {
	if c.Type == PCMA().Type {
		audio.EncodeALaw(dst, pcm)
		return
	}
	audio.EncodeMuLaw(dst, pcm)
}

// Decode writes one sample per byte of payload into dst.
func (c Codec) Decode(dst []int16, payload []byte) {
	if c.Type == PCMA().Type {
		audio.DecodeALaw(dst, payload)
		return
	}
	audio.DecodeMuLaw(dst, payload)
}

// Silence returns the code of sample 0.
func (c Codec) Silence() byte {
	if c.Type == PCMA().Type {
		return audio.SilenceALaw
	}
	return audio.SilenceMuLaw
}

// Prepare makes a tape store mu-law codes as they arrive. A-law has no code for sample 0, which
// stands for what was never written, so A-law is stored as samples.
func Prepare(tape *leg.Tape) { tape.Coded(audio.DecodeMuLaw, audio.SilenceMuLaw) }

// Record writes codes to a prepared tape. It decodes A-law piecewise, using plain as a buffer.
func (c Codec) Record(tape *leg.Tape, channel int, pos int64, codes []byte, plain []int16) {
	if c.Type == PCMU().Type {
		tape.WriteCoded(channel, pos, codes)
		return
	}
	for len(codes) > 0 {
		n := min(len(codes), len(plain))
		c.Decode(plain, codes[:n])
		tape.Write(channel, pos, plain[:n])
		codes, pos = codes[n:], pos+int64(n)
	}
}
