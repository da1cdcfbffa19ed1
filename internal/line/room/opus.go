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
	// opusClock is the RTP clock rate (Hz) of Opus, whatever its audio bandwidth.
	opusClock = 48000
	// opusBits is the bit rate used for 16 kHz speech, in bits per second.
	opusBits = 32000
	// opusEffort is the encoder's complexity (0 to 10). At this bit rate the least and the greatest
	// give no measurable difference on speech, but differ by a factor of three in time.
	opusEffort = 1
	// stillFrames is how many silent frames are encoded before the last packet is repeated
	// instead: by then the codec's state holds nothing of what was said.
	stillFrames = 10
	// opusDelay is the delay of the codec with any encoder for speech (RFC 6716 section 2.1.9:
	// 6.5 ms in all).
	opusDelay = 6500 * time.Microsecond
	// maxOpus is the largest packet of one frame (RFC 6716 section 3.4).
	maxOpus = 1275
	// shortestOpus is the number of samples in the shortest frame: 2.5 ms.
	shortestOpus = jitter.WidebandRate / 400
	// longestOpus is the largest number of samples in a packet: 120 ms.
	longestOpus = 120 * jitter.WidebandRate / 1000
)

// codec is an Opus encoder and decoder at jitter.WidebandRate, for one end of a call.
type codec interface {
	// Encode encodes a 20 ms frame into dst and returns the size of the packet.
	Encode(dst []byte, pcm []int16) (int, error)
	jitter.Decoder
}

// opus implements codec in pure Go.
type opus struct {
	encoder *gopus.Encoder
	decoder *gopus.Decoder
	before  []float32 // buffer for the audio that a packet holds of its predecessor
	// still counts consecutive silent frames; silence is the packet of the last one that was encoded.
	still   int
	silence [maxOpus]byte
	size    int
}

// newOpus returns a codec.
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

// newDecoder returns a decoder alone.
func newDecoder() jitter.Decoder { return &opus{decoder: newOpusDecoder()} }

func newOpusDecoder() *gopus.Decoder {
	d, err := gopus.NewDecoder(gopus.DecoderConfig{
		SampleRate: jitter.WidebandRate, Channels: 1, MaxPacketSamples: longestOpus, MaxPacketBytes: maxOpus,
	})
	if err != nil {
		return nil // cannot happen, as the configuration is constant; tested
	}
	return d
}

// Encode implements codec. A caller listens for more than half of the time, and sends the same
// packet over and over meanwhile.
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

// silent reports whether all samples of a frame are 0.
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

// Decode implements jitter.Decoder. Packets come from strangers, so a panic of the decoder is
// recovered from and costs only the packet.
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
	if o.before == nil { // allocated on demand, as few packets are lost
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

// bridge makes the decoder conceal lost audio, as any receiver would. The result is not used, but a decoder that does
// not know of a loss would decode the next packet as a continuation of what came before it; its first frame would then
// be further from what was said than silence is, and sometimes far louder.
func (o *opus) bridge(pcm []int16, lost int) {
	lost = min(lost, len(pcm))
	if lost -= lost % shortestOpus; lost > 0 {
		_, _ = o.decoder.DecodeInt16(nil, pcm[:lost])
	}
}
