package audio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// wavBytes builds a WAV file byte by byte.
func wavBytes(tag, channels, bits, rate int, extensible bool, data []byte) []byte {
	le := binary.LittleEndian
	f := le.AppendUint16(nil, uint16(tag))
	if extensible {
		f = le.AppendUint16(nil, tagExtensible)
	}
	f = le.AppendUint16(f, uint16(channels))
	f = le.AppendUint32(f, uint32(rate))
	f = le.AppendUint32(f, uint32(rate*channels*bits/8))
	f = le.AppendUint16(f, uint16(channels*bits/8))
	f = le.AppendUint16(f, uint16(bits))
	if extensible {
		f = le.AppendUint16(f, 22)
		f = le.AppendUint16(f, uint16(bits))
		f = le.AppendUint32(f, 0)
		f = le.AppendUint16(f, uint16(tag))
		f = append(f, "\x00\x00\x00\x00\x10\x00\x80\x00\x00\xAA\x00\x38\x9B\x71"...)
	}
	out := le.AppendUint32([]byte("RIFF"), uint32(len(data)+len(f)+30))
	out = append(out, "WAVELIST\x03\x00\x00\x00abc\x00fmt "...)
	out = le.AppendUint32(out, uint32(len(f)))
	out = append(out, f...)
	out = append(out, "data"...)
	out = le.AppendUint32(out, uint32(len(data)))
	return append(out, data...)
}

func TestReadWAVEncodings(t *testing.T) {
	t.Parallel()
	le := binary.LittleEndian
	f32 := func(x float32) []byte { return le.AppendUint32(nil, math.Float32bits(x)) }
	f64 := func(x float64) []byte { return le.AppendUint64(nil, math.Float64bits(x)) }
	tests := []struct {
		name      string
		tag, bits int
		data      []byte
		want      []int16
	}{
		{"8 bits", tagPCM, 8, []byte{0, 128, 255}, []int16{-32768, 0, 32512}},
		{"16 bits", tagPCM, 16, []byte{0x34, 0x12, 0xFF, 0xFF}, []int16{0x1234, -1}},
		{"24 bits", tagPCM, 24, []byte{9, 0x34, 0x12, 0, 0, 0x80}, []int16{0x1234, -32768}},
		{"32 bits", tagPCM, 32, []byte{9, 9, 0x34, 0x12}, []int16{0x1234}},
		{"float 32", tagFloat, 32, append(f32(0.5), f32(float32(math.NaN()))...), []int16{16384, 0}},
		{"float 64", tagFloat, 64, append(f64(-2), f64(math.Inf(1))...), []int16{-32768, 32767}},
		{"mu-law", tagMuLaw, 8, []byte{0xFF, 0x80}, []int16{0, 32124}},
		{"A-law", tagALaw, 8, []byte{0xD5, 0xAA}, []int16{8, 32256}},
	}
	for _, tt := range tests {
		for _, ext := range []bool{false, true} {
			w, err := ReadWAV(bytes.NewReader(wavBytes(tt.tag, 1, tt.bits, 8000, ext, tt.data)), 1<<20)
			if err != nil {
				t.Errorf("%s: %v", tt.name, err)
				continue
			}
			if w.Rate != 8000 || len(w.Channels) != 1 || !equal(w.Channels[0], tt.want) {
				t.Errorf("%s (extensible %v): %+v, want %v", tt.name, ext, w, tt.want)
			}
		}
	}
}

// TestBitsThatDoNotFillTheirBytes checks that the bytes per sample decide what the header's bits
// per sample mean.
func TestBitsThatDoNotFillTheirBytes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		tag, bits, says, block int
		data                   []byte
		want                   []int16
	}{
		{tagMuLaw, 8, 16, 1, []byte{0xFF, 0x80}, []int16{0, 32124}},
		{tagMuLaw, 8, 14, 2, []byte{0xFF, 0x80}, []int16{0, 32124}},
		{tagALaw, 8, 0, 0, []byte{0xD5, 0xAA}, []int16{8, 32256}},
		{tagPCM, 16, 12, 2, []byte{0x30, 0x12, 0xF0, 0xFF}, []int16{0x1230, -16}},
		{tagPCM, 24, 20, 3, []byte{0x10, 0x34, 0x12}, []int16{0x1234}},
		{tagPCM, 24, 24, 7, []byte{9, 0x34, 0x12}, []int16{0x1234}},
		{tagPCM, 24, 24, 4, []byte{9, 0x34, 0x12, 0}, nil},
		{tagPCM, 8, 0, 1, []byte{1, 2}, nil},
	} {
		file := wavBytes(tt.tag, 1, tt.bits, 8000, false, tt.data)
		at := bytes.Index(file, []byte("fmt ")) + 8
		binary.LittleEndian.PutUint16(file[at+12:], uint16(tt.block))
		binary.LittleEndian.PutUint16(file[at+14:], uint16(tt.says))
		w, err := ReadWAV(bytes.NewReader(file), 1<<20)
		if tt.want == nil {
			if !errors.Is(err, ErrFormat) {
				t.Errorf("%+v: %+v, %v", tt, w, err)
			}
			continue
		}
		if err != nil || !equal(w.Channels[0], tt.want) {
			t.Errorf("%+v: %+v, %v", tt, w, err)
		}
	}
}

// TestOddChunksThatAreNotFilledUp checks that the chunk after one of odd length is found even if
// the padding byte is missing.
func TestOddChunksThatAreNotFilledUp(t *testing.T) {
	t.Parallel()
	file := wavBytes(tagPCM, 1, 16, 8000, false, []byte{0x34, 0x12})
	for name, tail := range map[string]string{"filled up": "\x00", "with something": "d", "not": ""} {
		for _, before := range []string{"fmt ", "data"} {
			at := bytes.Index(file, []byte(before))
			odd := append(append(bytes.Clone(file[:at]), "JUNK\x03\x00\x00\x00abc"+tail...), file[at:]...)
			if w, err := ReadWAV(bytes.NewReader(odd), 1<<20); err != nil || !equal(w.Channels[0], []int16{0x1234}) {
				t.Errorf("%s before %q: %+v, %v", name, before, w, err)
			}
		}
	}
}

func equal(a, b []int16) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func TestWAVRoundTrip(t *testing.T) {
	t.Parallel()
	for n := 1; n <= maxChannels; n++ {
		channels := make([][]int16, n)
		for c := range channels {
			channels[c] = make([]int16, 20000)
			NewNoise(uint64(c)).White(channels[c], -20)
		}
		var b bytes.Buffer
		if err := WriteWAV(&b, 16000, channels...); err != nil {
			t.Fatal(err)
		}
		w, err := ReadWAV(&b, 1<<20)
		if err != nil || w.Rate != 16000 || len(w.Channels) != n {
			t.Fatalf("%d channels: %v", n, err)
		}
		for c := range channels {
			if !equal(w.Channels[c], channels[c]) {
				t.Errorf("channel %d of %d differs", c, n)
			}
		}
	}
}

func TestReadWAVKeepsWhatIsThere(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := WriteWAV(&b, 8000, []int16{1, 2, 3, 4}, []int16{5, 6}); err != nil {
		t.Fatal(err)
	}
	cut := b.Bytes()[:b.Len()-5] // in the middle of a frame
	w, err := ReadWAV(bytes.NewReader(cut), 1000)
	if err != nil || !equal(w.Channels[0], []int16{1, 2}) || !equal(w.Channels[1], []int16{5, 6}) {
		t.Errorf("%+v, %v", w, err)
	}
	for _, open := range [][]byte{{255, 255, 255, 255}, {0, 0, 0, 0}} {
		f := bytes.Clone(b.Bytes())
		copy(f[4:], open)
		copy(f[40:], open)
		if w, err := ReadWAV(bytes.NewReader(f), 1000); err != nil || len(w.Channels[0]) != 4 {
			t.Errorf("length never filled in: %+v, %v", w, err)
		}
	}
}

func TestReadWAVRefuses(t *testing.T) {
	t.Parallel()
	good := wavBytes(tagPCM, 1, 16, 8000, false, make([]byte, 100))
	change := func(at int, b ...byte) []byte {
		f := bytes.Clone(good)
		copy(f[at:], b)
		return f
	}
	const fmtAt = 24 + 8
	tests := []struct {
		name string
		data []byte
		max  int64
		want error
	}{
		{"nothing", nil, 100, ErrFormat},
		{"no RIFF", change(0, 'X'), 1000, ErrFormat},
		{"no data chunk", good[:50], 1000, ErrFormat},
		{"data before fmt", change(24, 'd', 'a', 't', 'a'), 1000, ErrFormat},
		{"no channels", change(fmtAt+2, 0), 1000, ErrFormat},
		{"nine channels", change(fmtAt+2, 9), 1000, ErrFormat},
		{"no rate", change(fmtAt+4, 0, 0), 1000, ErrFormat},
		{"40 bits", change(fmtAt+14, 40), 1000, ErrFormat},
		{"unknown encoding", change(fmtAt, 2), 1000, ErrFormat},
		{"huge fmt", change(fmtAt-4, 0, 0, 0, 1), 1000, ErrFormat},
		{"too long", good, 120, ErrTooLarge},
		{"a chunk of 4 GB", slices.Concat(change(16, 255, 255, 255, 255), make([]byte, 1<<20)), 1 << 20, ErrTooLarge},
		{"a chunk that claims 4 GB", change(16, 255, 255, 255, 255), 1 << 20, ErrFormat},
	}
	for _, tt := range tests {
		if _, err := ReadWAV(bytes.NewReader(tt.data), tt.max); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
}

type broken struct{ err error }

func (b broken) Read([]byte) (int, error)  { return 0, b.err }
func (b broken) Write([]byte) (int, error) { return 0, b.err }

func TestWAVPassesErrorsOn(t *testing.T) {
	t.Parallel()
	if _, err := ReadWAV(broken{io.ErrClosedPipe}, 100); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("reading: %v", err)
	}
	if err := WriteWAV(broken{io.ErrClosedPipe}, 8000, []int16{1}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("writing: %v", err)
	}
	if err := WriteWAV(io.Discard, 8000); err == nil {
		t.Error("a file of no channels was written")
	}
}

func TestWAVWriterStreams(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.wav")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := NewWAVWriter(f, 8000, 2, -1)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := w.Write([]int16{1, 2}, []int16{3}); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil || binary.LittleEndian.Uint32(data[40:]) != 24 || binary.LittleEndian.Uint32(data[4:]) != 60 {
		t.Fatalf("the header was not completed: % x, %v", data[:44], err)
	}
	got, err := ReadWAV(bytes.NewReader(data), 1000)
	if err != nil || !equal(got.Channels[1], []int16{3, 0, 3, 0, 3, 0}) {
		t.Errorf("%+v, %v", got, err)
	}
	short, _ := NewWAVWriter(io.Discard, 8000, 1, 10)
	if short.Close() == nil {
		t.Error("a broken promise went unnoticed")
	}
}

func FuzzReadWAV(f *testing.F) {
	for _, ext := range []bool{false, true} {
		for _, c := range [][2]int{{tagPCM, 8}, {tagPCM, 16}, {tagPCM, 24}, {tagPCM, 32}, {tagFloat, 32}, {tagFloat, 64}, {tagMuLaw, 8}, {tagALaw, 8}} {
			f.Add(wavBytes(c[0], 2, c[1], 8000, ext, make([]byte, 64)))
		}
	}
	f.Add([]byte("RIFF\xff\xff\xff\xffWAVEdata"))
	f.Fuzz(func(t *testing.T, data []byte) {
		w, err := ReadWAV(bytes.NewReader(data), 4096)
		if err != nil {
			return
		}
		if len(w.Channels) < 1 || len(w.Channels) > maxChannels || w.Rate < MinRate || w.Rate > MaxRate {
			t.Fatalf("impossible file: %d channels at %d Hz", len(w.Channels), w.Rate)
		}
		for _, c := range w.Channels {
			if len(c) != len(w.Channels[0]) || len(c) > 4096 {
				t.Fatal("channels of senseless length")
			}
		}
		if err := WriteWAV(io.Discard, w.Rate, w.Channels...); err != nil {
			t.Fatal(err)
		}
	})
}
