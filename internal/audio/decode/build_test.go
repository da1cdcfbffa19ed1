package decode_test

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
	"testing"

	"github.com/thesyncim/gopus"

	"github.com/ringtrue/ringtrue/internal/audio"
)

// tone returns a sine of amplitude 8000.
func tone(rate int, hz, seconds float64) []int16 {
	pcm := make([]int16, int(float64(rate)*seconds))
	for i := range pcm {
		pcm[i] = int16(8000 * math.Sin(2*math.Pi*hz*float64(i)/float64(rate)))
	}
	return pcm
}

// power returns the share of pcm's power at a frequency: 1 for that tone alone.
func power(pcm []int16, rate int, hz float64) float64 {
	return audio.Goertzel(pcm, rate, hz) * float64(len(pcm)) / max(audio.Energy(pcm), 1)
}

func rms(pcm []int16) float64 { return math.Sqrt(audio.Energy(pcm) / float64(len(pcm))) }

// length returns the number of samples in each channel: 0 if nothing was decoded.
func length(got audio.Sound) int {
	if len(got.Channels) == 0 {
		return 0
	}
	return len(got.Channels[0])
}

// oggWriter writes Ogg pages.
type oggWriter struct {
	out      []byte
	serial   uint32
	sequence uint32
}

// page writes whole packets as one page.
func (w *oggWriter) page(flags byte, granule int64, packets ...[]byte) {
	var lacing, body []byte
	for _, p := range packets {
		for n := len(p); ; n -= 255 {
			lacing = append(lacing, byte(min(n, 255)))
			if n < 255 {
				break
			}
		}
		body = append(body, p...)
	}
	w.raw(flags, granule, lacing, body)
}

// heads writes the first pages of a stereo Opus stream.
func (w *oggWriter) heads(skip uint16) {
	w.page(2, 0, append([]byte("OpusHead\x01\x02"), byte(skip), byte(skip>>8), 0x80, 0xbb, 0, 0, 0, 0, 0))
	w.page(0, 0, []byte("OpusTags\x00\x00\x00\x00\x00\x00\x00\x00"))
}

// long writes one packet on as many pages as it needs.
func (w *oggWriter) long(p []byte) {
	const most = 255 * 255
	for flags := byte(0); ; flags = 1 {
		if len(p) < most {
			w.raw(flags, 0, append(bytes.Repeat([]byte{255}, len(p)/255), byte(len(p)%255)), p)
			return
		}
		w.raw(flags, -1, bytes.Repeat([]byte{255}, 255), p[:most])
		p = p[most:]
	}
}

// raw writes a page with the given segment table.
func (w *oggWriter) raw(flags byte, granule int64, lacing, body []byte) {
	le := binary.LittleEndian
	b := append([]byte("OggS\x00"), flags)
	b = le.AppendUint64(b, uint64(granule))
	b = le.AppendUint32(b, w.serial)
	b = le.AppendUint32(b, w.sequence)
	b = append(b, 0, 0, 0, 0, byte(len(lacing)))
	b = append(append(b, lacing...), body...)
	le.PutUint32(b[22:], oggSum(b))
	w.sequence++
	w.out = append(w.out, b...)
}

// oggSum calculates the checksum bit by bit, as RFC 3533 describes it.
func oggSum(b []byte) uint32 {
	var c uint32
	for _, x := range b {
		c ^= uint32(x) << 24
		for range 8 {
			if c&(1<<31) != 0 {
				c = c<<1 ^ 0x04c11db7
			} else {
				c <<= 1
			}
		}
	}
	return c
}

// opusStream describes an Ogg Opus file.
type opusStream struct {
	channels int
	skip     int
	gain     int16
	first    int64 // granule position at the beginning
	trim     int   // samples at 48 kHz to cut off at the end
	hole     map[int]int64
	slow     int64 // samples per unit of the granule position, if that does not count samples
	serial   uint32
	comment  int            // size in bytes of a comment, which may contain a picture
	least    int            // minimum size of a packet in bytes, reached by padding
	spoilt   map[int][]byte // replacements of packets, by their number
	few      int            // packets per page, 10 if 0
	lost     int            // the last packet of each so many is missing from the file, though its time passes; 0 means none
	waver    int64          // how far every other granule position is ahead
	// layout follows the header: mapping family, number of streams, of coupled streams, and the
	// channel mapping.
	layout []byte
}

type opusEncoder interface {
	Encode(pcm []float32, data []byte) (int, error)
}

func (o opusStream) encoder(t testing.TB) opusEncoder {
	t.Helper()
	if len(o.layout) > 0 {
		enc, err := gopus.NewMultistreamEncoder(48000, o.channels, int(o.layout[1]), int(o.layout[2]), o.layout[3:], gopus.ApplicationAudio)
		if err != nil {
			t.Fatal(err)
		}
		return enc
	}
	enc, err := gopus.NewEncoder(gopus.EncoderConfig{SampleRate: 48000, Channels: o.channels, Application: gopus.ApplicationAudio})
	if err != nil {
		t.Fatal(err)
	}
	return enc
}

// write encodes interleaved 48 kHz audio.
func (o opusStream) write(t testing.TB, pcm []int16) []byte {
	t.Helper()
	w := &oggWriter{serial: o.serial}
	head := append([]byte("OpusHead\x01"), byte(o.channels))
	head = binary.LittleEndian.AppendUint16(head, uint16(o.skip))
	head = binary.LittleEndian.AppendUint32(head, 48000)
	head = binary.LittleEndian.AppendUint16(head, uint16(o.gain))
	if o.layout == nil {
		head = append(head, 0)
	}
	w.page(2, 0, append(head, o.layout...))
	w.long(append([]byte("OpusTags\x04\x00\x00\x00test\x00\x00\x00\x00"), make([]byte, o.comment)...))
	enc := o.encoder(t)
	position := o.first
	const frame = 960
	count := len(pcm) / (frame * o.channels)
	var batch [][]byte
	for i := range count {
		in := make([]float32, frame*o.channels)
		for j := range in {
			in[j] = float32(pcm[i*frame*o.channels+j]) / 32768
		}
		out := make([]byte, 4000)
		n, err := enc.Encode(in, out)
		if err != nil {
			t.Fatal(err)
		}
		position += frame
		if o.lost == 0 || i%o.lost != o.lost-1 {
			batch = append(batch, o.put(t, i, out, n))
		}
		if few := cmp.Or(o.few, 10); len(batch) < few && i < count-1 {
			continue
		}
		position += o.hole[int(w.sequence)]
		flags, at := byte(0), position
		if i == count-1 {
			flags, at = 4, position-int64(o.trim)
		}
		at = (at + int64(w.sequence%2)*o.waver) / max(o.slow, 1)
		w.page(flags, at, batch...)
		batch = nil
	}
	return w.out
}

// put returns the packet with this number as it is written to the file.
func (o opusStream) put(t testing.TB, number int, b []byte, n int) []byte {
	t.Helper()
	if p, ok := o.spoilt[number]; ok {
		return p
	}
	if n >= o.least {
		return b[:n]
	}
	if err := gopus.PacketPad(b, n, o.least); err != nil {
		t.Fatal(err)
	}
	return b[:o.least]
}
