package decode_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/audio"
)

// wavFile describes a WAV file of one encoding, built from interleaved samples of ±1.
type wavFile struct {
	tag, bits, channels, rate int
	extensible                bool
	// riff and data are the lengths that the file claims: 0 means the true ones, −1 all bits set,
	// −2 zero.
	riff, data int
	before     []byte // chunks before fmt
}

func (w wavFile) build(samples []float64) []byte {
	le := binary.LittleEndian
	var body []byte
	for _, x := range samples {
		v := int64(math.Round(x * (math.Exp2(float64(w.bits-1)) - 1)))
		switch {
		case w.tag == 3 && w.bits == 32:
			body = le.AppendUint32(body, math.Float32bits(float32(x)))
		case w.tag == 3:
			body = le.AppendUint64(body, math.Float64bits(x))
		case w.tag == 6 || w.tag == 7:
			var b [1]byte
			if w.tag == 6 {
				audio.EncodeALaw(b[:], []int16{int16(x * 32767)})
			} else {
				audio.EncodeMuLaw(b[:], []int16{int16(x * 32767)})
			}
			body = append(body, b[0])
		case w.bits == 8:
			body = append(body, byte(v+128))
		default:
			for i := range w.bits / 8 {
				body = append(body, byte(v>>(8*i)))
			}
		}
	}
	tag, format := w.tag, []byte(nil)
	if w.extensible {
		tag = 0xFFFE
	}
	format = le.AppendUint16(format, uint16(tag))
	format = le.AppendUint16(format, uint16(w.channels))
	format = le.AppendUint32(format, uint32(w.rate))
	format = le.AppendUint32(format, uint32(w.rate*w.channels*w.bits/8))
	format = le.AppendUint16(format, uint16(w.channels*w.bits/8))
	format = le.AppendUint16(format, uint16(w.bits))
	if w.extensible {
		format = le.AppendUint16(format, 22)
		format = le.AppendUint16(format, uint16(w.bits))
		format = le.AppendUint32(format, 3)
		format = le.AppendUint16(format, uint16(w.tag))
		format = append(format, "\x00\x00\x00\x00\x10\x00\x80\x00\x00\xaa\x00\x38\x9b\x71"...)
	}
	out := append([]byte("RIFF\x00\x00\x00\x00WAVE"), w.before...)
	out = append(out, "fmt "...)
	out = append(le.AppendUint32(out, uint32(len(format))), format...)
	out = append(out, "data"...)
	out = append(le.AppendUint32(out, claim(w.data, len(body))), body...)
	le.PutUint32(out[4:], claim(w.riff, len(out)-8))
	return out
}

func claim(n, truth int) uint32 {
	switch n {
	case 0:
		return uint32(truth)
	case -1:
		return math.MaxUint32
	case -2:
		return 0
	}
	return uint32(n) // values below −2 count down from the largest
}

func TestEveryWAV(t *testing.T) {
	t.Parallel()
	for _, w := range []wavFile{
		{tag: 1, bits: 8}, {tag: 1, bits: 16}, {tag: 1, bits: 24}, {tag: 1, bits: 32}, {tag: 3, bits: 32}, {tag: 3, bits: 64}, {tag: 6, bits: 8}, {tag: 7, bits: 8},
	} {
		for _, extensible := range []bool{false, true} {
			for _, rate := range []int{6000, 8000, 44100, 96000} {
				w.rate, w.channels, w.extensible = rate, 2, extensible
				got, err := read(t, w.build(weave(sine(rate, 440, 0.3), sine(rate, 1000, 0.3))))
				if err != nil {
					t.Errorf("%+v: %v", w, err)
					continue
				}
				l, r := power(got.Channels[0], rate, 440), power(got.Channels[1], rate, 1000)
				if got.Rate != rate || len(got.Channels) != 2 || l < 0.98 || r < 0.98 || got.Note != "" || !strings.HasPrefix(got.Format, "wav/") {
					t.Errorf("%+v: %d channels at %d, %.3f and %.3f of the power, %q %q", w, len(got.Channels), got.Rate, l, r, got.Format, got.Note)
				}
			}
		}
	}
}

// TestLengthsOfNextToNothing checks that a tiny length is ignored if sound plainly follows, and
// believed if the file ends there or another chunk begins.
func TestLengthsOfNextToNothing(t *testing.T) {
	t.Parallel()
	plain := wavFile{tag: 1, bits: 16, channels: 2, rate: 8000}
	for _, data := range []int{-2, 1, 2, 3, 7} {
		for _, riff := range []int{0, -1, -2, 36, 37} {
			w := plain
			w.riff, w.data = riff, data
			got, err := read(t, w.build(weave(sine(8000, 440, 0.5), sine(8000, 1000, 0.5))))
			if err != nil || length(got) != 4000 || power(got.Channels[1], 8000, 1000) < 0.98 || got.Note != "" {
				t.Errorf("riff %d, data %d: %d of 4000 samples, %q, %v", riff, data, length(got), got.Note, err)
			}
		}
	}
	silent := plain
	silent.data = 2
	if got, err := read(t, silent.build(make([]float64, 8000))); err != nil || length(got) != 4000 {
		t.Errorf("silence: %d of 4000 samples, %v", length(got), err)
	}
	chunk := append([]byte("LIST\x1a\x00\x00\x00INFOISFT"), make([]byte, 18)...)
	for name, tail := range map[string][]byte{"nothing": nil, "a byte": {0}, "a chunk": chunk} {
		for _, data := range []int{-2, 4} {
			w := plain
			w.data = data
			head := w.build(make([]float64, 2))[:44]
			body := append(make([]byte, max(data, 0)), tail...)
			binary.LittleEndian.PutUint32(head[4:], uint32(36+len(body)))
			got, err := read(t, append(head, body...))
			if samples := max(data, 0) / 4; samples == 0 && err == nil || samples > 0 && (err != nil || length(got) != samples) {
				t.Errorf("%s behind %d bytes: %d of %d samples, %v", name, data, length(got), samples, err)
			}
		}
	}
}

// TestSeveralChunksOfSound checks that leading empty data chunks, which some programs write, are
// skipped, and that of two non-empty ones the first is read and a note mentions the second.
func TestSeveralChunksOfSound(t *testing.T) {
	t.Parallel()
	pcm := sine(8000, 440, 0.5)
	file := wavFile{tag: 1, bits: 16, channels: 1, rate: 8000}.build(pcm)
	empty, list := []byte("data\x00\x00\x00\x00"), []byte("LIST\x03\x00\x00\x00abc\x00")
	for name, x := range map[string]struct {
		chunks [][]byte
		note   string
	}{
		"an empty one":            {[][]byte{empty, file[36:]}, ""},
		"two empty ones":          {[][]byte{empty, empty, file[36:]}, ""},
		"an empty one and a list": {[][]byte{empty, list, file[36:], list}, ""},
		"one behind":              {[][]byte{file[36:], list, file[36:]}, "more sound stands behind it in the file, which is not read"},
		"an empty one behind":     {[][]byte{file[36:], empty, list}, ""},
		"anything behind":         {[][]byte{file[36:], []byte("data and no chunk")}, ""},
	} {
		for _, riff := range []uint32{0, 36, 1, math.MaxUint32} { // 1 stands for the true length
			got := append(bytes.Clone(file[:36]), bytes.Join(x.chunks, nil)...)
			if riff == 1 {
				riff = uint32(len(got) - 8)
			}
			if riff != uint32(len(got)-8) && name == "an empty one and a list" {
				continue // it cannot be told from sound
			}
			binary.LittleEndian.PutUint32(got[4:], riff)
			sound, err := read(t, got)
			if err != nil || length(sound) != len(pcm) || power(sound.Channels[0], 8000, 440) < 0.98 || riff > 36 && sound.Note != x.note {
				t.Errorf("%s, riff %d: %d of %d samples, %q, want %q, %v", name, riff, length(sound), len(pcm), sound.Note, x.note, err)
			}
		}
	}
}

// TestSoundBehindALengthThatIsTooShort checks that a length that is too short by a second or more
// is noted, unlike the little that programs append to the sound.
func TestSoundBehindALengthThatIsTooShort(t *testing.T) {
	t.Parallel()
	pcm := sine(8000, 440, 3)
	for _, x := range []struct {
		missing int // samples of the 24000 that the length leaves out
		note    string
	}{{0, ""}, {2000, ""}, {8010, "more sound stands behind it in the file, which is not read"}, {23000, "more sound stands behind it in the file, which is not read"}} {
		got, err := read(t, wavFile{tag: 1, bits: 16, channels: 1, rate: 8000, riff: -1, data: 2 * (len(pcm) - x.missing)}.build(pcm))
		if err != nil || length(got) != len(pcm)-x.missing || got.Note != x.note {
			t.Errorf("%d of %d samples, %q, want %q, %v", length(got), len(pcm)-x.missing, got.Note, x.note, err)
		}
	}
}

func TestLengthsThatWereNeverFilledIn(t *testing.T) {
	t.Parallel()
	pcm := sine(8000, 440, 0.5)
	for _, x := range []struct{ riff, data, note int }{{-1, -1, 0}, {-2, -2, 0}, {36, -2, 0}, {0, -1, 0}, {0, 1 << 20, 1}, {-1, 1 << 30, 1}, {-1, 0x7ffff000, 0}, {0, 1<<31 - 1, 0}, {0, 1 << 31, 0}, {-1, -1 - 36, 0}} {
		got, err := read(t, wavFile{tag: 1, bits: 16, channels: 1, rate: 8000, riff: x.riff, data: x.data}.build(pcm))
		if err != nil || length(got) != len(pcm) || (got.Note != "") != (x.note == 1) {
			t.Errorf("%+v: %d of %d samples, %q, %v", x, length(got), len(pcm), got.Note, err)
		}
	}
}
