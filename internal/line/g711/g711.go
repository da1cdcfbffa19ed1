package g711

import (
	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/leg"
)

// The measures of speech on a telephone line.
const (
	// Rate is the sample rate of G.711 in Hz; all RTP clocks here run at it.
	Rate = 8000
	// FrameSize is how many samples there are in a frame of 20 ms.
	FrameSize = 160
	// MostPayload is the most audio one packet may hold: 200 ms of G.711.
	MostPayload = 1600
)

// ComfortNoise is the payload type of packets that say how silence sounds (RFC 3389).
const ComfortNoise = 13

// Codec is a way to carry speech over RTP: one byte per sample at 8000 Hz.
type Codec struct {
	// Name is that of RFC 3551: "PCMU" or "PCMA".
	Name string
	// Type is the static RTP payload type.
	Type uint8
}

// PCMU is G.711 with mu-law, the codec of North America and Japan.
func PCMU() Codec { return Codec{Name: "PCMU", Type: 0} }

// PCMA is G.711 with A-law, the codec of the rest of the world.
func PCMA() Codec { return Codec{Name: "PCMA", Type: 8} }

// Named returns the codec of the given name; false when it is not spoken here.
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

// Silence is the code of sample 0.
func (c Codec) Silence() byte {
	if c.Type == PCMA().Type {
		return audio.SilenceALaw
	}
	return audio.SilenceMuLaw
}

// Prepare has a tape keep what comes in mu-law as it comes. A-law has no code for
// sample 0, which is what was never written, and is kept as samples.
func Prepare(tape *leg.Tape) { tape.Coded(audio.DecodeMuLaw, audio.SilenceMuLaw) }

// Record puts codes on a prepared tape, A-law piece by piece by way of plain.
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
