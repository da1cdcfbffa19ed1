package decode_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/audio/decode"
)

// sine returns a tone at half of full scale.
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

func TestWhatIsNoRecordingIsNamed(t *testing.T) {
	t.Parallel()
	whole := wavFile{tag: 1, bits: 16, channels: 1, rate: 8000}.build(sine(8000, 440, 0.1))
	three := wavFile{tag: 1, bits: 16, channels: 3, rate: 8000}.build(sine(8000, 440, 0.1))
	adpcm, bit := bytes.Clone(whole), bytes.Clone(whole)
	adpcm[20], bit[34] = 0x11, 1
	for name, x := range map[string]struct {
		file []byte
		says string
	}{
		"nothing":         {nil, "empty"},
		"blanks":          {[]byte("  \n"), "blank"},
		"a web page":      {[]byte("\xef\xbb\xbf <!DOCTYPE html><html>expired</html>"), "web page"},
		"UTF-16":          {[]byte("\xff\xfe\r\x00\n\x00<\x00h\x00t\x00m\x00l\x00>\x00"), "web page"},
		"UTF-16 reversed": {[]byte("\xfe\xff\x00{\x00}"), "JSON"},
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
		"one bit":         {bit, "1 bits per sample"},
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
			t.Errorf("%s: %v, want a format error that says %q", name, err, x.says)
		}
	}
}

// TestWhatStandsBeforeTheSound checks that neither data that some programs put before a recording
// nor checksums that its writer left empty cost any of the sound.
func TestWhatStandsBeforeTheSound(t *testing.T) {
	t.Parallel()
	tag := append([]byte("ID3\x04\x00\x00\x00\x00\x02\x00"), make([]byte, 256)...)
	for name, file := range fixtures(t) {
		whole, err := read(t, file)
		if err != nil {
			t.Fatal(err)
		}
		footed := append(append([]byte("ID3\x04\x00\x10"), tag[6:]...), "3DI\x04\x00\x10\x00\x00\x02\x00"...)
		before := map[string][]byte{"a tag": tag, "a tag with a foot": footed}
		if name == "mp3" {
			for _, n := range []int{1, 1000, 64<<10 - 1, 64 << 10, 64<<10 + 1, 100_000, 1 << 20} {
				before[strconv.Itoa(n)+" zeros"] = make([]byte, n)
				before["a tag and "+strconv.Itoa(n)+" zeros"] = append(bytes.Clone(tag), make([]byte, n)...)
			}
		}
		for what, head := range before {
			got, err := read(t, append(bytes.Clone(head), file...))
			if err != nil || got.Note != whole.Note || length(got) != length(whole) {
				t.Errorf("%s before %s: %d of %d samples, %q, want %q, %v", what, name, length(got), length(whole), got.Note, whole.Note, err)
			}
		}
	}
}

// fixtures returns one file of each kind; all but the WAV file were written by other programs.
func fixtures(t *testing.T) map[string][]byte {
	t.Helper()
	out := map[string][]byte{"wav": wavFile{tag: 1, bits: 16, channels: 1, rate: 8000}.build(sine(8000, 440, 0.1))}
	for kind, path := range map[string]string{"mp3": "../mp3/testdata/stereo16000.mp3", "flac": "../flac/testdata/mono8k16.flac"} {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out[kind] = b
	}
	return out
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

// samples returns files of every kind.
func samples(t testing.TB) map[string][]byte {
	t.Helper()
	mp3, err := os.ReadFile(filepath.Join("..", "mp3", "testdata", "stereo16000.mp3"))
	if err != nil {
		t.Fatal(err)
	}
	flac, err := os.ReadFile(filepath.Join("..", "flac", "testdata", "mono8k16.flac"))
	if err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{
		"wav":                          wavFile{tag: 1, bits: 16, channels: 2, rate: 8000, before: []byte("LIST\x03\x00\x00\x00abc\x00")}.build(weave(sine(8000, 440, 0.3), sine(8000, 1000, 0.3))),
		"law":                          wavFile{tag: 7, bits: 8, channels: 1, rate: 8000, extensible: true}.build(sine(8000, 440, 0.3)),
		"mp3":                          append([]byte("ID3\x03\x00\x00\x00\x00\x00\x04abcd"), mp3...),
		"opus":                         opusStream{channels: 1, skip: 312, serial: 1}.write(t, tone(48000, 440, 0.4)),
		"opus, a stream for each side": opusStream{channels: 2, skip: 312, serial: 1, layout: []byte{255, 2, 0, 0, 1}}.write(t, interleave(tone(48000, 440, 0.4), tone(48000, 1000, 0.4))),
		"flac":                         flac,
	}
}

// TestCutAndDamagedEverywhere checks that nothing panics, wherever a file is cut off or damaged,
// that no sound is invented, and that a cut near the end leaves a note.
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
			if err == nil && length(got) > length(whole)+2000 {
				t.Errorf("%s cut at %d has %d samples, uncut %d", name, at, length(got), length(whole))
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

// TestSamplesAreBounded checks that recordings above 48 kHz must be shorter, because the cost of
// resampling depends on the number of samples.
func TestSamplesAreBounded(t *testing.T) {
	t.Parallel()
	fine := wavFile{tag: 7, bits: 8, channels: 1, rate: 192000}.build(make([]float64, 192000*3))
	for length, want := range map[time.Duration]error{11 * time.Second: decode.ErrTooFine, 12 * time.Second: nil} {
		if _, err := decode.Decode(t.Context(), bytes.NewReader(fine), decode.Limits{Length: length}); !errors.Is(err, want) {
			t.Errorf("3 s at 192 kHz where %s are allowed: %v", length, err)
		}
	}
}

// TestBombs checks that a few bytes that claim 290 hours are refused at once: filling those with
// silence would take minutes.
func TestBombs(t *testing.T) {
	t.Parallel()
	began := time.Now()
	_, err := decode.Decode(t.Context(), bytes.NewReader(jumps(300, 3500)), decode.Limits{Length: 5 * time.Minute})
	if !errors.Is(err, decode.ErrTooLong) || time.Since(began) > 10*time.Second {
		t.Errorf("%v after %s", err, time.Since(began))
	}
}
