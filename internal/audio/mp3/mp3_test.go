package mp3

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ringtrue/ringtrue/internal/audio"
)

// file reads a fixture. They were made with LAME 3.100: 440 Hz left, 1000 Hz right, at 21 % of full
// scale, for 0.6 s.
func file(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name+".mp3"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// decoded decodes a whole file.
func decoded(t testing.TB, b []byte) (rate int, channels [][]int16, d *Decoder) {
	t.Helper()
	d = New(bufio.NewReaderSize(bytes.NewReader(b), 8<<10))
	for {
		r, block, err := d.Next()
		if errors.Is(err, io.EOF) {
			return rate, channels, d
		}
		if err != nil {
			t.Fatal(err)
		}
		if rate = r; len(channels) < len(block) {
			channels = append(channels, make([][]int16, len(block)-len(channels))...)
		}
		for c := range block {
			channels[c] = append(channels[c], block[c]...)
		}
	}
}

// power returns the share of pcm's power at a frequency: 1 for that tone alone.
func power(pcm []int16, rate int, hz float64) float64 {
	return audio.Goertzel(pcm, rate, hz) * float64(len(pcm)) / max(audio.Energy(pcm), 1)
}

func level(pcm []int16) float64 { return math.Sqrt(audio.Energy(pcm) / float64(len(pcm))) }

func TestEveryRateGivesTheTonesThatWentIn(t *testing.T) {
	t.Parallel()
	for _, rate := range []int{8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000} {
		got, ch, d := decoded(t, file(t, fmt.Sprint("stereo", rate)))
		if got != rate || len(ch) != 2 || d.Damaged || d.Cut {
			t.Errorf("%d: %d channels at %d, damaged %v, cut %v", rate, len(ch), got, d.Damaged, d.Cut)
			continue
		}
		// Frames at low rates have no room for the tag, so the padding at the end is not removed.
		around := 1
		if rate < 32000 {
			around = granule
		}
		if n, want := len(ch[0]), rate*6/10; n < want-1 || n > want+around {
			t.Errorf("%d: %d samples, want %d: what the encoder put around the sound is left out", rate, n, want)
		}
		if l := level(ch[0][:rate/100]); l < 4600 {
			t.Errorf("%d: it begins at a level of %.0f, want 5800: the sound begins late", rate, l)
		}
		middle := func(c int) []int16 { return ch[c][rate/4 : rate/2] }
		if p := power(middle(0), rate, 440); p < 0.97 {
			t.Errorf("%d: left has %.3f of its power at 440 Hz", rate, p)
		}
		if p := power(middle(1), rate, 1000); p < 0.97 {
			t.Errorf("%d: right has %.3f of its power at 1000 Hz", rate, p)
		}
		if l := level(middle(0)); l < 5200 || l > 6400 {
			t.Errorf("%d: the level is %.0f, want 5800", rate, l)
		}
	}
}

func TestOtherKindsOfFrames(t *testing.T) {
	t.Parallel()
	for name, rate := range map[string]int{"mono8000": 8000, "vbr44100": 44100, "crc44100": 44100} {
		got, ch, d := decoded(t, file(t, name))
		if got != rate || len(ch) != 1 || d.Damaged || d.Cut {
			t.Fatalf("%s: %d channels at %d, damaged %v, cut %v", name, len(ch), got, d.Damaged, d.Cut)
		}
		if p := power(ch[0][rate/4:rate/2], rate, 440); p < 0.97 {
			t.Errorf("%s: %.3f of its power is at 440 Hz", name, p)
		}
	}
}

// TestSamplesAreThoseOfAnotherDecoder compares with clicks.raw, which LAME's own decoder made of
// clicks.mp3 from sample 2048 on: bursts of noise, which use short blocks and all the tables.
func TestSamplesAreThoseOfAnotherDecoder(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(filepath.Join("testdata", "clicks.raw"))
	if err != nil {
		t.Fatal(err)
	}
	_, ch, _ := decoded(t, file(t, "clicks"))
	best := math.Inf(1)
	for lag := -usual; lag < 100; lag++ {
		worst := 0.0
		for i := range len(raw) / 2 {
			want := int16(binary.LittleEndian.Uint16(raw[2*i:]))
			worst = max(worst, math.Abs(float64(want)-float64(ch[0][2048+i+lag])))
			if worst >= best {
				break
			}
		}
		best = min(best, worst)
	}
	if best > 2 {
		t.Errorf("they differ by %.0f", best)
	}
}

func TestShortBlocksAreAmongTheFixtures(t *testing.T) {
	t.Parallel()
	b := file(t, "clicks")
	kinds := map[int]int{}
	for at := Find(b); at+headerBytes < len(b); {
		h, ok := parseHeader(b[at:])
		if !ok {
			break
		}
		s := readSide(h, &bits{data: b[at+headerBytes : at+headerBytes+h.sideBytes()]})
		kinds[s.parts[0][0].block]++
		at += h.size
	}
	for block := range 4 {
		if kinds[block] == 0 {
			t.Errorf("no block of kind %d: %v", block, kinds)
		}
	}
}

func TestTablesAreWhole(t *testing.T) {
	t.Parallel()
	for i, b := range bandTables() {
		long, short := 0, 0
		for _, w := range b.long {
			long += w
		}
		for _, w := range b.short {
			short += w
		}
		if long != granule || short != granule/3 {
			t.Errorf("rate %d: bands of %d and %d lines", i, long, short)
		}
	}
	for number, code := range codes() {
		sum, seen := 0.0, map[string]bool{}
		for i := 0; i < len(code); i += 3 {
			sum += math.Exp2(-float64(digit(code[i])))
			seen[code[i+1:i+3]] = true
		}
		if sum != 1 || len(seen) != len(code)/3 {
			t.Errorf("table %d: the words fill %v, %d symbols", number, sum, len(seen))
		}
	}
}

// TestIntensityStereo uses a made-up granule, because no fixture has intensity stereo, which places
// one sound between left and right.
func TestIntensityStereo(t *testing.T) {
	t.Parallel()
	l := newLayouts(bandTables()[0], 1)
	for position, want := range map[int][2]float64{0: {0, 1}, 3: {0.5, 0.5}, 6: {1, 0}, 7: {1, 0.25}} {
		var x [2][granule]float32
		var f factors
		for i := range x[0] {
			x[0][i] = 1
		}
		x[1][10] = 0.25 // the right channel has sound up to band 2
		for i := range f.value {
			f.value[i], f.most[i] = position, 7
		}
		stereo(header{version: 1, channels: 2, intensity: true}, &part{}, &f, l.long, &x)
		if x[0][5] != 1 || x[1][10] != 0.25 {
			t.Errorf("at %d: bands that have sound on the right were changed", position)
		}
		got := [2]float64{float64(x[0][300]), float64(x[1][300])}
		if position == 7 {
			want = [2]float64{1, 0} // no position: both channels stay unchanged
		}
		for c := range want {
			if math.Abs(got[c]-want[c]) > 1e-6 {
				t.Errorf("at %d: %v, want %v", position, got, want)
			}
		}
	}
}

func TestWhatIsDamagedIsPassedOver(t *testing.T) {
	t.Parallel()
	whole := file(t, "stereo16000")
	_, all, _ := decoded(t, whole)
	spoilt := bytes.Clone(whole)
	for i := len(spoilt)/2 - 100; i < len(spoilt)/2+100; i++ {
		spoilt[i] = 0x55
	}
	_, ch, d := decoded(t, spoilt)
	if !d.Damaged || len(ch[0]) < len(all[0])*7/10 {
		t.Errorf("damaged %v, %d of %d samples", d.Damaged, len(ch[0]), len(all[0]))
	}
	_, ch, d = decoded(t, whole[:len(whole)-50])
	if !d.Cut || len(ch[0]) < len(all[0])*8/10 {
		t.Errorf("cut %v, %d of %d samples", d.Cut, len(ch[0]), len(all[0]))
	}
	tagged := append(bytes.Clone(whole), append([]byte("TAG"), make([]byte, 125)...)...)
	if _, ch, d = decoded(t, tagged); d.Cut || d.Damaged || len(ch[0]) != len(all[0]) {
		t.Errorf("with a tag behind: cut %v, damaged %v, %d of %d samples", d.Cut, d.Damaged, len(ch[0]), len(all[0]))
	}
}

// TestTagsBetweenFrames checks that concatenated files, each with its own tag, are not reported as
// damaged, and that an invalid tag, or one that claims more than there is, costs nothing of the
// sound before it.
func TestTagsBetweenFrames(t *testing.T) {
	t.Parallel()
	one := file(t, "stereo16000")
	_, alone, _ := decoded(t, one)
	tag := append([]byte("ID3\x04\x00\x00\x00\x00\x4e\x10"), make([]byte, 10_000)...)
	_, joined, _ := decoded(t, append(bytes.Clone(one), one...))
	for name, x := range map[string]struct {
		between []byte
		n       int
		damaged bool
	}{
		"a tag":           {tag, len(joined[0]), false},
		"a tag with foot": {append(append([]byte("ID3\x04\x00\x10"), tag[6:]...), "3DI\x04\x00\x10\x00\x00\x4e\x10"...), len(joined[0]), false},
		"an old tag":      {append([]byte("TAG"), make([]byte, 125)...), len(joined[0]), false},
		"an APE tag":      {append([]byte("APETAGEX\xd0\x07\x00\x00\x00\x20\x00\x00"), "\x00\x00\x00\x00\x00\x00\x00\xa0"+string(make([]byte, 8+8192))...), len(joined[0]), false},
		"too long an APE": {[]byte("APETAGEX\xd0\x07\x00\x00\xff\xff\xff\x00\x00\x00\x00\x00\x00\x00\x00\xa0\x00\x00\x00\x00\x00\x00\x00\x00"), len(alone[0]), true},
		"two tags":        {append(bytes.Clone(tag), tag...), len(joined[0]), false},
		"no size":         {[]byte("ID3\x04\x00\x00\xff\xff\xff\xff"), len(joined[0]), true},
		"too long a tag":  {[]byte("ID3\x04\x00\x00\x7f\x00\x00\x00"), len(alone[0]), true},
		"something other": {make([]byte, 500), len(joined[0]), true},
	} {
		_, got, d := decoded(t, append(append(bytes.Clone(one), x.between...), one...))
		if len(got[0]) != x.n || d.Damaged != x.damaged {
			t.Errorf("%s: %d samples of %d, damaged %v, want %v", name, len(got[0]), x.n, d.Damaged, x.damaged)
		}
	}
}

// TestWhatStandsBehindTheLastFrame checks that data after the last frame is not damage unless there
// is as much as a second of sound would take.
func TestWhatStandsBehindTheLastFrame(t *testing.T) {
	t.Parallel()
	one := file(t, "stereo16000")
	_, alone, _ := decoded(t, one)
	for name, x := range map[string]struct {
		behind  []byte
		damaged bool
	}{
		"an old tag":     {append([]byte("TAG"), make([]byte, 125)...), false},
		"an APE tag":     {append([]byte("APETAGEX\xd0\x07\x00\x00\x00\x20\x00\x00"), "\x00\x00\x00\x00\x00\x00\x00\xa0"+string(make([]byte, 8+8192))...), false},
		"words of songs": {append([]byte("LYRICSBEGIN"), make([]byte, 8192)...), false},
		"some bytes":     {make([]byte, 500), false},
		"zeros":          {make([]byte, 50_000), true},
		"another file":   {append([]byte("RIFF"), make([]byte, 50_000)...), true},
	} {
		_, got, d := decoded(t, append(bytes.Clone(one), x.behind...))
		if len(got[0]) != len(alone[0]) || d.Damaged != x.damaged || d.Cut {
			t.Errorf("%s: %d samples of %d, damaged %v, cut %v, want damaged %v", name, len(got[0]), len(alone[0]), d.Damaged, d.Cut, x.damaged)
		}
	}
}

func TestFindNeedsTwoFramesInARow(t *testing.T) {
	t.Parallel()
	b := file(t, "mono8000")
	if at := Find(b); at != 0 {
		t.Errorf("found at %d, want 0", at)
	}
	if at := Find(append([]byte("junk\xff\xfb\x90\x00junk"), b...)); at != 12 {
		t.Errorf("behind junk found at %d, want 12", at)
	}
	for name, not := range map[string][]byte{"nothing": nil, "text": []byte("hello, this is no sound"), "ones": bytes.Repeat([]byte{0xff}, 5000), "zeros": make([]byte, 5000)} {
		if at := Find(not); at >= 0 {
			t.Errorf("%s: found at %d", name, at)
		}
	}
}

// TestNoiseIsNoFrames checks that headerless mu-law noise is not taken for MP3: it has so few
// values that two consecutive frame headers soon occur by chance.
func TestNoiseIsNoFrames(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 1))
		pcm, coded := make([]int16, 64<<10), make([]byte, 64<<10)
		for i := range pcm {
			pcm[i] = int16(random.NormFloat64() * 25)
		}
		audio.EncodeMuLaw(coded, pcm)
		if at := Find(coded); at >= 0 {
			t.Errorf("seed %d: found at %d", seed, at)
		}
	}
}

func FuzzDecoder(f *testing.F) {
	for _, name := range []string{"mono8000", "stereo16000", "stereo44100", "clicks", "crc44100", "vbr44100"} {
		b := file(f, name)
		f.Add(b[:min(len(b), 1500)])
	}
	// A frame with intensity stereo and one with mixed blocks, of which only the headers are real.
	f.Add(append([]byte{0xff, 0xfb, 0x90, 0x70}, bytes.Repeat([]byte{0xa5, 0x3c}, 600)...))
	f.Add(append([]byte{0xff, 0xf3, 0x40, 0x70}, bytes.Repeat([]byte{0xff, 0x7e}, 600)...))
	f.Fuzz(func(t *testing.T, b []byte) {
		_, ch, d := decoded(t, b)
		for c := range ch {
			if len(ch[c]) > 1152*(len(b)/24+1) {
				t.Errorf("%d samples of %d bytes", len(ch[c]), len(b))
			}
		}
		if d.frames > len(b)/20+1 {
			t.Errorf("%d frames of %d bytes", d.frames, len(b))
		}
		// Find must not point beyond the data.
		if at := Find(b); at > len(b) {
			t.Errorf("found at %d of %d", at, len(b))
		}
	})
}

// TestNothingIsLeftOutOfACutOut decodes a file that was cut out of another, and so does not begin
// with the encoder's padding.
func TestNothingIsLeftOutOfACutOut(t *testing.T) {
	t.Parallel()
	whole := file(t, "clicks")
	_, all, _ := decoded(t, whole)
	before := -usual
	for at := 0; ; {
		h, ok := parseHeader(whole[at:])
		if !ok {
			t.Fatal("no frame of it lives on others")
		}
		if at > 0 && readSide(h, &bits{data: whole[at+headerBytes:]}).begin > 0 {
			whole = whole[at:]
			break
		}
		at += h.size
		before += h.samples()
	}
	if _, cut, _ := decoded(t, whole); len(cut[0]) != len(all[0])-before {
		t.Errorf("%d samples of %d, want all but %d", len(cut[0]), len(all[0]), before)
	}
}

// TestJoinedFilesAreAsLongAsTheirSound checks that the encoder's padding is removed from each of
// several concatenated files.
func TestJoinedFilesAreAsLongAsTheirSound(t *testing.T) {
	t.Parallel()
	one := file(t, "stereo44100")
	_, ch, d := decoded(t, slices.Concat(one, one, one))
	if want := 3 * 44100 * 6 / 10; len(ch[0]) != want || d.Damaged || d.Cut {
		t.Fatalf("%d samples, want %d; damaged %v, cut %v", len(ch[0]), want, d.Damaged, d.Cut)
	}
	for _, at := range []int{0, 26460, 52920} {
		if l := level(ch[0][at : at+441]); l < 4600 {
			t.Errorf("from %d on the level is %.0f, want 5800: the sound begins late", at, l)
		}
	}
}
