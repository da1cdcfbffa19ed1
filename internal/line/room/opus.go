package room

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/thesyncim/gopus"

	"github.com/ringtrue/ringtrue/internal/line/jitter"
)

const (
	// opusClock is the rate (Hz) of Opus's timestamps, whatever the speech has.
	opusClock = 48000
	// opusBits is what speech of 16 kHz is sent with, in bits per second.
	opusBits = 32000
	// opusEffort is how hard the encoder tries (0 to 10). With so many bits to spend
	// the least and the most differ by nothing that can be measured on speech, and
	// by a factor of three in time.
	opusEffort = 1
	// stillFrames is how many frames of silence are encoded before the last packet is
	// sent again instead: by then nothing of what was said is left in the codec.
	stillFrames = 10
	// opusDelay is how much later Opus gives sound than it took it, with every
	// encoder that is made for speech (RFC 6716 section 2.1.9: 6.5 ms in all).
	opusDelay = 6500 * time.Microsecond
	// maxOpus is the largest packet of one frame (RFC 6716 section 3.4).
	maxOpus = 1275
	// shortestOpus is how many samples the shortest frame holds: 2.5 ms.
	shortestOpus = jitter.WidebandRate / 400
	// longestOpus is how many samples a packet may hold: 120 ms.
	longestOpus = 120 * jitter.WidebandRate / 1000
)

// codec is Opus at jitter.WidebandRate, both ways, as one end of a call needs it.
type codec interface {
	// Encode writes the packet of a 20 ms frame into dst and returns its size.
	Encode(dst []byte, pcm []int16) (int, error)
	jitter.Decoder
}

// opus is the codec in pure Go.
type opus struct {
	encoder *gopus.Encoder
	decoder *gopus.Decoder
	before  []float32 // room for what a packet tells of the one before it
	// still counts the frames of silence in a row, and silence is the packet that the
	// last of those that were encoded gave.
	still   int
	silence [maxOpus]byte
	size    int
}

// newOpus makes both directions.
func newOpus() (codec, error) {
	e, err := gopus.NewEncoder(gopus.EncoderConfig{SampleRate: jitter.WidebandRate, Channels: 1, Application: gopus.ApplicationVoIP})
	if err != nil {
		return nil, err
	}
	if err := errors.Join(e.SetBitrate(opusBits), e.SetComplexity(opusEffort), e.SetMode(gopus.EncoderModeSILK)); err != nil {
		return nil, err
	}
	return &opus{encoder: e, decoder: newOpusDecoder()}, nil
}

// newDecoder makes the hearing direction alone.
func newDecoder() jitter.Decoder { return &opus{decoder: newOpusDecoder()} }

func newOpusDecoder() *gopus.Decoder {
	d, err := gopus.NewDecoder(gopus.DecoderConfig{
		SampleRate: jitter.WidebandRate, Channels: 1, MaxPacketSamples: longestOpus, MaxPacketBytes: maxOpus,
	})
	if err != nil {
		return nil // the configuration is a constant, and a test makes one
	}
	return d
}

// Encode implements codec. A caller listens for more than half of its time, and what
// it sends meanwhile is the same packet over and over.
func (o *opus) Encode(dst []byte, pcm []int16) (int, error) {
	if !silent(pcm) {
		o.still = 0
		return o.encoder.EncodeInt16(pcm, dst)
	}
	if o.still >= stillFrames {
		return copy(dst, o.silence[:o.size]), nil
	}
	n, err := o.encoder.EncodeInt16(pcm, dst)
	if err == nil {
		o.still++
		o.size = copy(o.silence[:], dst[:n])
	}
	return n, err
}

// silent says that a frame holds nothing at all.
func silent(pcm []int16) bool {
	for _, v := range pcm {
		if v != 0 {
			return false
		}
	}
	return true
}

// Samples implements jitter.Decoder (RFC 6716 section 3.1).
func (o *opus) Samples(packet []byte) int {
	if len(packet) == 0 {
		return 0
	}
	toc := gopus.ParseTOC(packet[0])
	frames := 2
	switch {
	case toc.FrameCode == 0:
		frames = 1
	case toc.FrameCode == 3 && len(packet) == 1:
		return 0
	case toc.FrameCode == 3:
		frames = int(packet[1] & 0x3f)
	}
	return frames * toc.FrameSize * jitter.WidebandRate / opusClock
}

var errEmpty = errors.New("an empty packet")

// Decode implements jitter.Decoder. What comes is anybody's, so that a fault in the
// decoder costs the packet and not the process.
func (o *opus) Decode(pcm []int16, packet []byte) (n int, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			o.decoder = newOpusDecoder()
			n, err = 0, fmt.Errorf("decoding Opus: %v", fault)
		}
	}()
	if len(packet) == 0 {
		return 0, errEmpty
	}
	return o.decoder.DecodeInt16(packet, pcm)
}

// Reset implements jitter.Decoder.
func (o *opus) Reset() { o.decoder.Reset() }

// Before implements jitter.Decoder (RFC 6716 sections 2.1.7 and 4.4).
func (o *opus) Before(pcm []int16, packet []byte, lost int) (n int) {
	defer func() {
		if fault := recover(); fault != nil {
			o.decoder = newOpusDecoder()
			n = 0
		}
	}()
	if !gopus.PacketHasLBRR(packet) {
		o.bridge(pcm, lost)
		return 0
	}
	if o.before == nil { // few are lost, and few are told of again
		o.before = make([]float32, longestOpus)
	}
	size := gopus.ParseTOC(packet[0]).FrameSize * jitter.WidebandRate / opusClock
	n, err := o.decoder.DecodeWithFEC(packet, o.before[:size], true)
	if err != nil || n > len(pcm) {
		return 0
	}
	for i, v := range o.before[:n] {
		pcm[i] = int16(min(max(v, -1)*32768, math.MaxInt16))
	}
	return n
}

// bridge has the decoder make up what is lost, as every listener's does. Nobody hears it here, but a decoder that knows
// of no loss takes what comes next for a continuation of what was before: the first frame is then further from what
// was said than silence is, and now and then far louder.
func (o *opus) bridge(pcm []int16, lost int) {
	lost = min(lost, len(pcm))
	if lost -= lost % shortestOpus; lost > 0 {
		_, _ = o.decoder.DecodeInt16(nil, pcm[:lost])
	}
}
