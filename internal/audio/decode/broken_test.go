package decode_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/audio/decode"
)

// wavFile builds a WAV file of one encoding from samples of ±1, interleaved.
type wavFile struct {
	tag, bits, channels, rate int
	extensible                bool
	// riff and data are the lengths that the file claims; 0 fills in the true ones, −1 all ones, −2 nothing.
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
	return uint32(n) // what is below −2 counts from the highest down
}

// sine is a tone of half of full scale.
func sine(rate int, hz, seconds float64) []float64 {
	out := make([]float64, int(float64(rate)*seconds))
	for i := range out {
		out[i] = 0.5 * math.Sin(2*math.Pi*hz*float64(i)/float64(rate))
	}
	return out
}

func weave(a, b []float64) (out []float64) {
	for i := range a {
		out = append(out, a[i], b[i])
	}
	return out
}

func read(t testing.TB, b []byte) (audio.Sound, error) {
	t.Helper()
	return decode.Decode(t.Context(), bytes.NewReader(b), decode.Limits{Rate: 96000})
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

func TestLengthsThatWereNeverFilledIn(t *testing.T) {
	t.Parallel()
	pcm := sine(8000, 440, 0.5)
	for _, x := range []struct{ riff, data, note int }{{-1, -1, 0}, {-2, -2, 0}, {36, -2, 0}, {0, -1, 0}, {0, 1 << 20, 1}, {-1, 1 << 30, 1}, {-1, 0x7ffff000, 0}, {0, 1<<31 - 1, 0}, {0, 1 << 31, 0}, {-1, -1 - 36, 0}} {
		got, err := read(t, wavFile{tag: 1, bits: 16, channels: 1, rate: 8000, riff: x.riff, data: x.data}.build(pcm))
		if err != nil || len(got.Channels[0]) != len(pcm) || (got.Note != "") != (x.note == 1) {
			t.Errorf("%+v: %d of %d samples, %q, %v", x, len(got.Channels[0]), len(pcm), got.Note, err)
		}
	}
}

func TestWhatIsNoRecordingIsNamed(t *testing.T) {
	t.Parallel()
	whole := wavFile{tag: 1, bits: 16, channels: 1, rate: 8000}.build(sine(8000, 440, 0.1))
	three := wavFile{tag: 1, bits: 16, channels: 3, rate: 8000}.build(sine(8000, 440, 0.1))
	adpcm := bytes.Clone(whole)
	adpcm[20] = 0x11
	for name, x := range map[string]struct {
		file []byte
		says string
	}{
		"nothing":         {nil, "empty"},
		"blanks":          {[]byte("  \n"), "blank"},
		"a web page":      {[]byte("\xef\xbb\xbf <!DOCTYPE html><html>expired</html>"), "web page"},
		"JSON":            {[]byte(`{"error":"AccessDenied"}`), "JSON"},
		"text":            {[]byte("Not found, sorry, there is nothing here at all"), "no known kind"},
		"zeros":           {make([]byte, 100_000), "no known kind"},
		"ones":            {bytes.Repeat([]byte{0xff}, 100_000), "no known kind"},
		"gzip":            {[]byte("\x1f\x8b\x08\x00\x00\x00\x00\x00"), "gzip"},
		"ZIP":             {[]byte("PK\x03\x04aaaaaaaaaaaaaaa"), "ZIP"},
		"M4A":             {[]byte("\x00\x00\x00\x20ftypM4A \x00\x00"), "MP4"},
		"WebM":            {[]byte("\x1aE\xdf\xa3\x9fB\x86\x81\x01B"), "WebM"},
		"AVI":             {[]byte("RIFF\x00\x00\x00\x00AVI LIST"), "no WAV"},
		"a WAV header":    {whole[:44], "no sound"},
		"half a header":   {whole[:30], "ends before"},
		"three channels":  {three, "3 channels"},
		"ADPCM":           {adpcm, "encoding 17 (ADPCM)"},
		"Wave64":          {[]byte("riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb"), "Wave64"},
		"CAF":             {[]byte("caff\x00\x01\x00\x00desc"), "CAF"},
		"QuickTime":       {[]byte("\x00\x00\x10\x00mdatabcd"), "QuickTime"},
		"WMA":             {[]byte("\x30\x26\xb2\x75\x8e\x66\xcf\x11"), "WMA"},
		"a playlist":      {[]byte("#EXTM3U\n#EXT-X-VERSION:3\n"), "playlist"},
		"AAC":             {bytes.Repeat([]byte("\xff\xf1\x50\x80\x01\x1f\xfc!!"), 50), "AAC"},
		"layer II":        {bytes.Repeat([]byte("\xff\xfd\x90\x64abcd"), 50), "layer I or II"},
		"free bit rate":   {bytes.Repeat([]byte("\xff\xfb\x00\x64abcd"), 50), "free bit rate"},
		"a FLAC header":   {[]byte("fLaC\x80\x00\x00\x22"), "ends before"},
		"an Ogg header":   {[]byte("OggS\x00\x02"), "no Opus"},
		"Vorbis":          {(&oggWriter{}).begin("\x01vorbis\x00\x00\x00\x00"), "Vorbis"},
		"tags and no end": {bytes.Repeat([]byte("ID3\x04\x00\x00\x00\x00\x00\x00"), 20), "tags without end"},
		"tags alone":      {[]byte("ID3\x04\x00\x00\x00\x00\x7f\x7f"), "longer than the file"},
	} {
		_, err := read(t, x.file)
		if !errors.Is(err, decode.ErrFormat) || !strings.Contains(err.Error(), x.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// begin is a file of one page.
func (w *oggWriter) begin(packet string) []byte {
	w.page(2, 0, []byte(packet))
	return w.out
}

func TestLimitsHold(t *testing.T) {
	t.Parallel()
	long := wavFile{tag: 7, bits: 8, channels: 1, rate: 8000}.build(make([]float64, 8000*10))
	_, err := decode.Decode(t.Context(), bytes.NewReader(long), decode.Limits{Length: 9 * time.Second})
	if !errors.Is(err, decode.ErrTooLong) {
		t.Errorf("too long: %v", err)
	}
	if _, err = decode.Decode(t.Context(), bytes.NewReader(long), decode.Limits{Bytes: 70_000}); !errors.Is(err, decode.ErrTooLarge) {
		t.Errorf("too large: %v", err)
	}
	if _, err = decode.Decode(t.Context(), bytes.NewReader(long), decode.Limits{Bytes: int64(len(long)), Length: 10 * time.Second}); err != nil {
		t.Errorf("just right: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err = decode.Decode(ctx, bytes.NewReader(long), decode.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
	gone := errors.New("gone")
	if _, err = decode.Decode(t.Context(), io.MultiReader(bytes.NewReader(long[:9000]), failing{gone}), decode.Limits{}); !errors.Is(err, gone) {
		t.Errorf("the reader's own error: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// samples are files of every kind.
func samples(t testing.TB) map[string][]byte {
	t.Helper()
	mp3, err := os.ReadFile(filepath.Join("..", "mp3", "testdata", "stereo16000.mp3"))
	if err != nil {
		t.Fatal(err)
	}
	flac, err := os.ReadFile(filepath.Join("..", "testdata", "mono8k16.flac"))
	if err != nil {
		flac = nil
	}
	out := map[string][]byte{
		"wav":  wavFile{tag: 1, bits: 16, channels: 2, rate: 8000, before: []byte("LIST\x03\x00\x00\x00abc\x00")}.build(weave(sine(8000, 440, 0.3), sine(8000, 1000, 0.3))),
		"law":  wavFile{tag: 7, bits: 8, channels: 1, rate: 8000, extensible: true}.build(sine(8000, 440, 0.3)),
		"mp3":  append([]byte("ID3\x03\x00\x00\x00\x00\x00\x04abcd"), mp3...),
		"opus": opusStream{channels: 1, skip: 312, serial: 1}.write(t, tone(48000, 440, 0.4)),
	}
	if flac != nil {
		out["flac"] = flac
	}
	return out
}

// Wherever a file is cut off or damaged, what was before is kept, and nothing panics.
func TestCutAndDamagedEverywhere(t *testing.T) {
	t.Parallel()
	for name, file := range samples(t) {
		whole, err := read(t, file)
		if err != nil || whole.Note != "" {
			t.Fatalf("%s: %q %v", name, whole.Note, err)
		}
		step := max(1, len(file)/60)
		for at := 0; at < len(file); at += step {
			got, err := read(t, file[:at])
			if err != nil && !errors.Is(err, decode.ErrFormat) {
				t.Errorf("%s cut at %d: %v", name, at, err)
			}
			if err == nil && len(got.Channels[0]) > len(whole.Channels[0])+2000 {
				t.Errorf("%s cut at %d has %d samples", name, at, len(got.Channels[0]))
			}
			if at > len(file)*3/4 && name != "flac" && (err != nil || got.Note == "") {
				t.Errorf("%s cut at %d of %d: %q %v", name, at, len(file), got.Note, err)
			}
			spoilt := bytes.Clone(file)
			spoilt[at] ^= 0xff
			if _, err := read(t, spoilt); err != nil && !errors.Is(err, decode.ErrFormat) && !errors.Is(err, decode.ErrTooLong) {
				t.Errorf("%s damaged at %d: %v", name, at, err)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, file := range samples(f) {
		f.Add(file[:min(len(file), 3000)])
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		limits := decode.Limits{Length: time.Minute, Bytes: 1 << 20}
		got, err := decode.Decode(t.Context(), bytes.NewReader(file), limits)
		switch {
		case err == nil:
			if len(got.Channels) < 1 || len(got.Channels) > 2 || got.Rate < 4000 || got.Rate > 16000 || got.Duration() > time.Minute+time.Second || got.Duration() == 0 {
				t.Errorf("%d channels, %d Hz, %s", len(got.Channels), got.Rate, got.Duration())
			}
			for _, c := range got.Channels {
				if len(c) != len(got.Channels[0]) {
					t.Error("the channels differ in length")
				}
			}
		case !errors.Is(err, decode.ErrFormat) && !errors.Is(err, decode.ErrTooLong) && !errors.Is(err, decode.ErrTooLarge):
			t.Errorf("%v", err)
		}
	})
}

func TestOpusInPieces(t *testing.T) {
	t.Parallel()
	left := opusStream{channels: 1, skip: 312, serial: 1}.write(t, tone(48000, 440, 0.4))
	right := opusStream{channels: 2, skip: 312, serial: 2}.write(t, interleave(tone(48000, 1000, 0.4), tone(48000, 1000, 0.4)))
	got, err := read(t, append(bytes.Clone(left), right...))
	if err != nil || got.Note != "" || len(got.Channels) != 1 {
		t.Fatalf("%d channels, %q %v", len(got.Channels), got.Note, err)
	}
	n := len(got.Channels[0])
	if want := 2 * (19200 - 312); n != want {
		t.Errorf("%d samples, want %d", n, want)
	}
	if a, b := power(got.Channels[0][4800:14400], 48000, 440), power(got.Channels[0][n-14400:n-4800], 48000, 1000); a < 0.95 || b < 0.95 {
		t.Errorf("first %.2f at 440 Hz, then %.2f at 1000 Hz", a, b)
	}
}

// A picture in the comment makes it longer than any packet of sound, and costs none.
func TestOpusWithAPicture(t *testing.T) {
	t.Parallel()
	pcm := tone(48000, 440, 0.4)
	plain, err := read(t, opusStream{channels: 1, skip: 312, serial: 1}.write(t, pcm))
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{60_000, 64 << 10, 70_000, 3_000_000} {
		got, err := read(t, opusStream{channels: 1, skip: 312, serial: 1, comment: size}.write(t, pcm))
		if err != nil || got.Note != "" || !slices.Equal(got.Channels[0], plain.Channels[0]) {
			t.Errorf("%d bytes of comment leave %d of %d samples, %q %v", size, len(got.Channels[0]), len(plain.Channels[0]), got.Note, err)
		}
	}
}

// Above 48 kHz a recording may not be as long: what is taken down costs by its samples.
func TestSamplesAreBounded(t *testing.T) {
	t.Parallel()
	fine := wavFile{tag: 7, bits: 8, channels: 1, rate: 192000}.build(make([]float64, 192000*3))
	for length, want := range map[time.Duration]error{11 * time.Second: decode.ErrTooFine, 12 * time.Second: nil} {
		if _, err := decode.Decode(t.Context(), bytes.NewReader(fine), decode.Limits{Length: length}); !errors.Is(err, want) {
			t.Errorf("3 s at 192 kHz where %s are allowed: %v", length, err)
		}
	}
}

func TestOpusGainAndHoles(t *testing.T) {
	t.Parallel()
	pcm := tone(48000, 440, 1)
	plain, err := read(t, opusStream{channels: 1, serial: 1}.write(t, pcm))
	if err != nil {
		t.Fatal(err)
	}
	loud, err := read(t, opusStream{channels: 1, serial: 1, gain: 6 * 256}.write(t, pcm))
	if err != nil {
		t.Fatal(err)
	}
	if r := rms(loud.Channels[0]) / rms(plain.Channels[0]); r < 1.95 || r > 2.05 {
		t.Errorf("6 dB of gain make it %.2f times as loud", r)
	}
	holed, err := read(t, opusStream{channels: 1, serial: 1, hole: map[int]int64{4: 48000}}.write(t, pcm))
	if err != nil || holed.Note != "" {
		t.Fatalf("%q %v", holed.Note, err)
	}
	if n := len(holed.Channels[0]) - len(plain.Channels[0]); n != 48000 {
		t.Errorf("a hole of a second gives %d samples", n)
	}
	late, err := read(t, opusStream{channels: 1, serial: 1, first: 48000 * 3600}.write(t, pcm))
	if err != nil || len(late.Channels[0]) != len(plain.Channels[0]) {
		t.Errorf("a stream that was joined late has %d samples, %v", len(late.Channels[0]), err)
	}
}

func rms(pcm []int16) float64 {
	var sum float64
	for _, s := range pcm {
		sum += float64(s) * float64(s)
	}
	return math.Sqrt(sum / float64(len(pcm)))
}

// A few bytes that claim 290 hours, which take minutes to fill with silence, cost no more than what is allowed.
func TestBombs(t *testing.T) {
	t.Parallel()
	w := &oggWriter{serial: 1}
	head := append([]byte("OpusHead\x01\x02"), 0, 0, 0x80, 0xbb, 0, 0, 0, 0, 0)
	w.page(2, 0, head)
	w.page(0, 0, []byte("OpusTags\x00\x00\x00\x00\x00\x00\x00\x00"))
	for i := range int64(300) {
		w.page(0, (i+1)*3500*48000, []byte{0xfc})
	}
	began := time.Now()
	_, err := decode.Decode(t.Context(), bytes.NewReader(w.out), decode.Limits{Length: 5 * time.Minute})
	if !errors.Is(err, decode.ErrTooLong) || time.Since(began) > 10*time.Second {
		t.Errorf("%v after %s", err, time.Since(began))
	}
}
