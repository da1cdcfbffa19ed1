package decode_test

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/audio/decode"
)

// begin returns a file of one page.
func (w *oggWriter) begin(packet string) []byte {
	w.page(2, 0, []byte(packet))
	return w.out
}

func TestOpusInPieces(t *testing.T) {
	t.Parallel()
	left := opusStream{channels: 1, skip: 312, serial: 1}.write(t, tone(48000, 440, 0.4))
	right := opusStream{channels: 2, skip: 312, serial: 2}.write(t, interleave(tone(48000, 1000, 0.4), tone(48000, 1000, 0.4)))
	got, err := read(t, append(bytes.Clone(left), right...))
	if err != nil || got.Note != "" || len(got.Channels) != 1 {
		t.Fatalf("%d channels, %q %v", len(got.Channels), got.Note, err)
	}
	n := length(got)
	if want := 2 * (19200 - 312); n != want {
		t.Errorf("%d samples, want %d", n, want)
	}
	if a, b := power(got.Channels[0][4800:14400], 48000, 440), power(got.Channels[0][n-14400:n-4800], 48000, 1000); a < 0.95 || b < 0.95 {
		t.Errorf("first %.2f at 440 Hz, then %.2f at 1000 Hz", a, b)
	}
}

// TestOpusBeforeAnotherKindOfIt checks that a stream that cannot be read costs nothing of the one
// before it.
func TestOpusBeforeAnotherKindOfIt(t *testing.T) {
	t.Parallel()
	pcm := tone(48000, 440, 0.4)
	one := opusStream{channels: 1, serial: 1}.write(t, pcm)
	for name, head := range map[string]string{
		"six channels":      "OpusHead\x01\x06\x00\x00\x80\xbb\x00\x00\x00\x00\x01\x04\x02\x00\x04\x01\x02\x03\x05",
		"three streams":     "OpusHead\x01\x02\x00\x00\x80\xbb\x00\x00\x00\x00\xff\x03\x00\x00\x01",
		"no channel at all": "OpusHead\x01\x00\x00\x00\x80\xbb\x00\x00\x00\x00\x00",
	} {
		for _, serial := range []uint32{1, 2} {
			w := &oggWriter{serial: serial}
			w.page(2, 0, []byte(head))
			w.page(0, 0, []byte("OpusTags\x00\x00\x00\x00\x00\x00\x00\x00"))
			w.page(4, 960, []byte{0xfc})
			got, err := read(t, append(bytes.Clone(one), w.out...))
			if err != nil || !strings.Contains(got.Note, "more sound") || length(got) != len(pcm) {
				t.Errorf("%s: %d of %d samples, %q %v", name, length(got), len(pcm), got.Note, err)
			}
			if _, err := read(t, append(bytes.Clone(w.out), one...)); !errors.Is(err, decode.ErrFormat) {
				t.Errorf("%s first: %v", name, err)
			}
		}
	}
}

// TestOpusSideBySide checks that of two interleaved streams, such as one for each side, one is read
// and a note mentions the other.
func TestOpusSideBySide(t *testing.T) {
	t.Parallel()
	left := opusStream{channels: 1, skip: 312, serial: 1}.write(t, tone(48000, 440, 0.4))
	right := opusStream{channels: 1, skip: 312, serial: 2}.write(t, tone(48000, 1000, 0.4))
	var both []byte
	for len(left) > 0 && len(right) > 0 {
		for _, stream := range []*[]byte{&left, &right} {
			page, rest, more := bytes.Cut((*stream)[4:], []byte("OggS"))
			both = append(append(both, "OggS"...), page...)
			if *stream = nil; more {
				*stream = append([]byte("OggS"), rest...)
			}
		}
	}
	got, err := read(t, both)
	if err != nil || !strings.Contains(got.Note, "another stream of sound") || length(got) != 19200-312 {
		t.Fatalf("%d of %d samples, %q %v", length(got), 19200-312, got.Note, err)
	}
}

// TestOpusThatIsCut checks that a file cut within a page is reported as cut, like one cut between
// pages, whereas one with foreign data in it is damaged.
func TestOpusThatIsCut(t *testing.T) {
	t.Parallel()
	file := opusStream{channels: 1, skip: 312, serial: 1}.write(t, tone(48000, 440, 1))
	last := bytes.LastIndex(file, []byte("OggS"))
	before := bytes.LastIndex(file[:last], []byte("OggS"))
	spoilt := bytes.Clone(file)
	spoilt[before+60] ^= 1
	const cut, damaged = "the file ends before its sound does", "the file is damaged; what could be read was kept"
	for name, x := range map[string]struct {
		file []byte
		note string
	}{
		"whole":                      {file, ""},
		"between pages":              {file[:last], cut},
		"in a head":                  {file[:last+3], cut},
		"in a table":                 {file[:last+28], cut},
		"in a page":                  {file[:last+60], cut},
		"in a page of some":          {file[:len(file)-1], cut},
		"a page is spoilt":           {spoilt, damaged},
		"in a page, one is spoilt":   {spoilt[:len(file)-1], damaged},
		"in a page, and goes on":     {append(bytes.Clone(file[:before+60]), file[last:]...), damaged},
		"something stands behind it": {append(bytes.Clone(file), "TAG"...), damaged},
	} {
		if got, err := read(t, x.file); err != nil || got.Note != x.note || got.Cut != (x.note == cut) {
			t.Errorf("%s: %q, cut %v, want %q, %v", name, got.Note, got.Cut, x.note, err)
		}
	}
}

// TestOpusWithAPicture checks that a comment with a picture, which is longer than any audio packet,
// costs no sound.
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
			t.Errorf("%d bytes of comment leave %d of %d samples, %q %v", size, length(got), length(plain), got.Note, err)
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
	if n := length(holed) - length(plain); n != 48000 {
		t.Errorf("a hole of a second gives %d samples, want 48000", n)
	}
	late, err := read(t, opusStream{channels: 1, serial: 1, first: 48000 * 3600}.write(t, pcm))
	if err != nil || length(late) != length(plain) {
		t.Errorf("a stream that was joined late has %d of %d samples, %v", length(late), length(plain), err)
	}
}

// TestOpusOfPacketsThatWereLost reads streams as a recorder of live audio writes them: packets as
// they arrive, so that a lost one shows only in the position of the next. However short the gaps
// are, the timing must stay right.
func TestOpusOfPacketsThatWereLost(t *testing.T) {
	t.Parallel()
	sound := append(tone(48000, 450, 5.02), tone(48000, 1000, 0.98)...)
	for _, few := range []int{1, 3} {
		for _, lost := range []int{0, 2, 10, 30} {
			got, err := read(t, opusStream{channels: 1, serial: 1, few: few, lost: lost}.write(t, sound))
			if n := len(sound); err != nil || got.Note != "" || length(got) > n || length(got) < n-few*2*960 {
				t.Errorf("pages of %d, 1 lost in %d: %d of %d samples, %q %v", few, lost, length(got), n, got.Note, err)
				continue
			}
			turn := int(5.02 * 48000)
			if low, high := power(got.Channels[0][turn-960*20:turn-960*6], 48000, 450), power(got.Channels[0][turn+960*6:turn+960*20], 48000, 1000); low < 0.3 || high < 0.3 {
				t.Errorf("pages of %d, 1 lost in %d: %.2f of the power before it turns, %.2f behind", few, lost, low, high)
			}
		}
	}
}

// TestOpusThatCountsFromItsFirstPacketOn reads streams whose positions are counted from the end of
// the first packet.
func TestOpusThatCountsFromItsFirstPacketOn(t *testing.T) {
	t.Parallel()
	pcm := tone(48000, 440, 0.4)
	for _, first := range []int64{-959, -960} {
		got, err := read(t, opusStream{channels: 1, serial: 1, few: 1, lost: 12, first: first}.write(t, pcm))
		if err != nil || got.Note != "" || length(got) != len(pcm) || rms(got.Channels[0][11*960:12*960]) > 0 {
			t.Errorf("from %d: %d of %d samples, %q %v", first, length(got), len(pcm), got.Note, err)
		}
	}
}

// TestOpusWithoutThePageBeforeTheLast checks that the last page keeps its position if the one
// before it is missing.
func TestOpusWithoutThePageBeforeTheLast(t *testing.T) {
	t.Parallel()
	file := opusStream{channels: 1, serial: 1, trim: 480}.write(t, append(tone(48000, 440, 0.8), tone(48000, 1000, 0.2)...))
	last := bytes.LastIndex(file, []byte("OggS"))
	before := bytes.LastIndex(file[:last], []byte("OggS"))
	got, err := read(t, append(bytes.Clone(file[:before]), file[last:]...))
	if n := length(got); err != nil || n != 48000-480 || power(got.Channels[0][n-960*8:], 48000, 1000) < 0.9 || rms(got.Channels[0][n-960*18:n-960*12]) > 0 {
		t.Errorf("%d of %d samples, %q %v", n, 48000-480, got.Note, err)
	}
}

// TestOpusWhosePositionsWaver checks that positions taken from a clock, which jitter, are corrected
// once for being ahead, and not every time.
func TestOpusWhosePositionsWaver(t *testing.T) {
	t.Parallel()
	pcm := tone(48000, 440, 4)
	for _, by := range []int64{48, 720, 1200, 4000} {
		got, err := read(t, opusStream{channels: 1, serial: 1, few: 1, waver: by}.write(t, pcm))
		if over := length(got) - len(pcm); err != nil || got.Note != "" || over < 0 || int64(over) > by {
			t.Errorf("by %d: %d samples too many, %q %v", by, over, got.Note, err)
		}
	}
}

// TestOpusThatEndsBeforeItBegan checks that a stream whose final position is before its beginning
// loses only the page with that position.
func TestOpusThatEndsBeforeItBegan(t *testing.T) {
	t.Parallel()
	for _, end := range []int64{0, -960, -1 << 40, -1 << 50, -1 << 62, math.MinInt64 + 960 + 960} {
		w := &oggWriter{serial: 1}
		w.heads(0)
		w.page(0, 960, []byte{0xfc})
		w.page(4, end, []byte{0xfc})
		got, err := read(t, w.out)
		if err != nil || got.Note != "" || length(got) != 960 {
			t.Errorf("at %d: %s, %q %v", end, got.Duration(), got.Note, err)
		}
		alone := &oggWriter{serial: 1}
		alone.heads(0)
		alone.page(4, end, []byte{0xfc})
		if _, err := read(t, alone.out); !errors.Is(err, decode.ErrFormat) {
			t.Errorf("a page of %d alone: %v", end, err)
		}
	}
}

// TestOpusOfLongPackets reads padded packets, which are longer than any on a network.
func TestOpusOfLongPackets(t *testing.T) {
	t.Parallel()
	for _, layout := range [][]byte{nil, {1, 1, 1, 1, 0}} {
		file := opusStream{channels: 2, serial: 1, least: 3000, layout: layout}.write(t, interleave(tone(48000, 440, 1), tone(48000, 1000, 1)))
		got, err := read(t, file)
		if err != nil || got.Note != "" || length(got) != 48000 {
			t.Fatalf("%s, %q %v", got.Duration(), got.Note, err)
		}
		if l, r := power(got.Channels[0][4800:43200], 48000, 440), power(got.Channels[1][4800:43200], 48000, 1000); l < 0.95 || r < 0.95 {
			t.Errorf("%.2f and %.2f of the power", l, r)
		}
	}
}

// TestOpusPacketThatCannotBeDecoded checks that a packet that cannot be decoded takes as long as
// the one before it, so that the timing after it is right.
func TestOpusPacketThatCannotBeDecoded(t *testing.T) {
	t.Parallel()
	sound := append(tone(48000, 440, 1), tone(48000, 1000, 1)...)
	for _, layout := range [][]byte{nil, {255, 1, 0, 0}} {
		for name, packet := range map[string][]byte{"no frame": {0xfb, 0}, "nothing": {}, "two halves of half a byte": {0xf9, 1}} {
			for _, rate := range []int{8000, 16000, 48000} {
				file := opusStream{channels: 1, serial: 1, spoilt: map[int][]byte{0: packet, 14: packet, 27: packet}, layout: layout}.write(t, sound)
				got, err := decode.Decode(t.Context(), bytes.NewReader(file), decode.Limits{Rate: rate})
				if err != nil || got.Note == "" || length(got) != 2*rate {
					t.Errorf("%s at %d: %s, %q %v", name, rate, got.Duration(), got.Note, err)
					continue
				}
				if p := power(got.Channels[0][rate+rate/20:], rate, 1000); p < 0.95 {
					t.Errorf("%s at %d: %.2f of the power behind it", name, rate, p)
				}
			}
		}
	}
}

// TestOpusWhosePositionsCountSomethingElse checks that positions that count samples at 16 kHz, or
// packets, do not determine where the sound ends.
func TestOpusWhosePositionsCountSomethingElse(t *testing.T) {
	t.Parallel()
	pcm := tone(48000, 440, 1)
	for _, slow := range []int64{2, 3, 6, 960} {
		got, err := read(t, opusStream{channels: 1, serial: 1, slow: slow}.write(t, pcm))
		if err != nil || got.Note != "" || length(got) != len(pcm) {
			t.Errorf("one in %d: %d of %d samples, %q %v", slow, length(got), len(pcm), got.Note, err)
		}
	}
}

// TestOpusChannelsAreWhatTheHeaderSays checks that each side of a call may be a stream of its own,
// and that the header may swap the sides.
func TestOpusChannelsAreWhatTheHeaderSays(t *testing.T) {
	t.Parallel()
	sound := interleave(tone(48000, 440, 1), tone(48000, 1000, 1))
	plain := opusStream{channels: 2, serial: 1}.write(t, sound)
	headed := func(layout ...byte) []byte { // replaces the header before the same packets
		w := &oggWriter{serial: 1}
		at := 28 + 19
		w.page(2, 0, append(bytes.Clone(plain[28:at-1]), layout...))
		return append(w.out, plain[at:]...)
	}
	for name, x := range map[string]struct {
		file        []byte
		left, right float64
	}{
		"one stream":                    {headed(1, 1, 1, 0, 1), 440, 1000},
		"the other way round":           {headed(1, 1, 1, 1, 0), 1000, 440},
		"one side twice":                {headed(255, 1, 1, 1, 1), 1000, 1000},
		"one side alone":                {headed(255, 1, 1, 0, 255), 440, 0},
		"no table":                      {headed(1), 440, 1000},
		"a stream each":                 {opusStream{channels: 2, serial: 1, layout: []byte{255, 2, 0, 0, 1}}.write(t, sound), 440, 1000},
		"a stream each, and the gain":   {opusStream{channels: 2, serial: 1, gain: -256, layout: []byte{1, 2, 0, 1, 0}}.write(t, sound), 440, 1000},
		"more streams than one decodes": {headed(255, 3, 0, 0, 1), -1, -1},
		"more stereo ones than streams": {headed(255, 1, 2, 0, 1), -1, -1},
		"no stream":                     {headed(255, 0, 0, 0, 1), -1, -1},
		"a channel that is not there":   {headed(255, 1, 1, 0, 7), -1, -1},
	} {
		got, err := read(t, x.file)
		if x.left < 0 {
			if !errors.Is(err, decode.ErrFormat) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || got.Note != "" || len(got.Channels) != 2 {
			t.Errorf("%s: %d channels, %q %v", name, len(got.Channels), got.Note, err)
			continue
		}
		for c, hz := range []float64{x.left, x.right} {
			pcm := got.Channels[c][4800:43200]
			if p := power(pcm, 48000, hz); hz > 0 && p < 0.95 || hz == 0 && rms(pcm) > 0 {
				t.Errorf("%s: channel %d has %.2f of its power at %.0f Hz", name, c, p, hz)
			}
		}
	}
}
