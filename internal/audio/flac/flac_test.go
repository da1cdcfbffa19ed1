package flac

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"runtime"
	"slices"
	"testing"
	"testing/iotest"

	"github.com/ringtrue/ringtrue/internal/audio"
)

// ramps returns a signal of integers that is the same on every machine: two ramps and some noise,
// of the given width in bits.
func ramps(n int, bits uint, seed uint32) []int64 {
	out := make([]int64, n)
	state, limit := seed*2654435761+1, int64(1)<<(bits-1)
	for i := range out {
		state = state*1664525 + 1013904223
		ramp := int64(i*37%400-200) * limit / 512
		slow := int64(i%2000-1000) * limit / 4096
		out[i] = ramp + slow + int64(state>>24)*limit/16384
	}
	return out
}

// TestFilesOfOthers reads files of planted signals written by libFLAC.
func TestFilesOfOthers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rate, channels int
		bits           uint
	}{
		"mono8k16": {8000, 1, 16}, "stereo16k16": {16000, 2, 16}, "stereo44k24": {44100, 2, 24}, "mono8k8": {8000, 1, 8}, "fast48k16": {48000, 2, 16},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, err := os.ReadFile("testdata/" + name + ".flac")
			if err != nil {
				t.Fatal(err)
			}
			w, err := read(bytes.NewReader(b), 1<<20, false)
			if err != nil {
				t.Fatal(err)
			}
			if w.rate != c.rate || len(w.channels) != c.channels {
				t.Fatalf("%d Hz, %d channels", w.rate, len(w.channels))
			}
			for ch, pcm := range w.channels {
				want := append16(nil, ramps(3000, c.bits, uint32(ch)), c.bits)
				if !slices.Equal(pcm, want) {
					t.Errorf("channel %d differs (%d samples, want %d)", ch, len(pcm), len(want))
				}
			}
		})
	}
}

func TestWritings(t *testing.T) {
	t.Parallel()
	for name, e := range writings() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, err := read(bytes.NewReader(e.file()), 1<<22, false)
			if err != nil {
				t.Fatal(err)
			}
			for c, pcm := range w.channels {
				if !slices.Equal(pcm, append16(nil, e.pcm[c], e.bits)) {
					t.Errorf("channel %d differs", c)
				}
			}
		})
	}
}

// TestAnotherSum checks that a wrong checksum of the whole sound is ignored: some writers do not
// fill it in, and each frame has its own.
func TestAnotherSum(t *testing.T) {
	t.Parallel()
	e := writer{rate: 8000, bits: 16, block: 100, kind: 9, pcm: [][]int64{ramps(1000, 16, 1)}}
	file := e.file()
	copy(file[26:42], "not its checksum")
	whole, err := Stream(bytes.NewReader(file), 1<<20, func(int, [][]int16) error { return nil })
	if !whole || err != nil {
		t.Errorf("whole %v, %v", whole, err)
	}
}

func TestWholeFramesAreKept(t *testing.T) {
	t.Parallel()
	e := writer{rate: 8000, bits: 16, block: 100, kind: 9, pcm: [][]int64{ramps(1000, 16, 1)}}
	whole := e.file()
	w, err := read(bytes.NewReader(whole[:len(whole)-20]), 1<<20, false)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(w.channels[0]); n != 900 {
		t.Errorf("%d samples, want the 900 of whole frames", n)
	}
}

func TestWhatIsRefused(t *testing.T) {
	t.Parallel()
	good := (&writer{rate: 8000, bits: 16, block: 200, kind: 9, pcm: [][]int64{ramps(600, 16, 1)}}).file()
	change := func(at int, to ...byte) []byte {
		b := bytes.Clone(good)
		copy(b[at:], to)
		return b
	}
	for name, b := range map[string][]byte{
		"nothing": nil, "letters": []byte("RIFF....WAVE"), "only the mark": []byte("fLaC"), "half a head": good[:20],
		"no frames but lengths": good[:30], "rate 0": change(18, 0, 0, 0), "another block first": change(4, 0x84),
		"a bit flipped in a frame": change(len(good)-30, good[len(good)-30]^4), "a bit flipped in a header": change(44, good[44]^1),
		"metadata without an end": append([]byte("fLaC\x00\x00\x00\x22"), append(good[8:42:42], 0x84, 0xff, 0xff, 0xff)...),
	} {
		if _, err := read(bytes.NewReader(b), 1<<20, false); !errors.Is(err, audio.ErrFormat) {
			t.Errorf("%s: %v", name, err)
		}
	}
	boom := errors.New("boom")
	if _, err := read(iotest.ErrReader(boom), 1<<20, false); !errors.Is(err, boom) {
		t.Errorf("the reader's own error is lost: %v", err)
	}
	if _, err := read(bytes.NewReader(good), int64(len(good)-1), false); !errors.Is(err, audio.ErrTooLarge) {
		t.Errorf("a file that is one byte too long: %v", err)
	}
	if _, err := read(bytes.NewReader(good), 1<<20, false); err != nil {
		t.Error(err)
	}
}

// TestItGoesOnBehindDamage checks that a damaged or missing frame becomes silence, and that the
// frames after it keep their position.
func TestItGoesOnBehindDamage(t *testing.T) {
	t.Parallel()
	pcm := ramps(2000, 16, 1)
	e := writer{rate: 8000, bits: 16, block: 100, kind: 1, pcm: [][]int64{pcm}}
	const head = 42
	whole := e.file()
	size := (len(whole) - head) / 20
	cut := func(k int) []byte { return append(bytes.Clone(whole[:head+k*size]), whole[head+(k+1)*size:]...) }
	spoilt := func(k int) []byte {
		b := bytes.Clone(whole)
		b[head+k*size+size/2] ^= 4
		return b
	}
	for name, x := range map[string]struct {
		file []byte
		lost int
	}{
		"the first is damaged": {spoilt(0), 0}, "one is damaged": {spoilt(7), 7}, "one is gone": {cut(7), 7},
		"something else stands between": {append(append(bytes.Clone(whole[:head+7*size]), "\xff\xf8 not a frame \xff"...), whole[head+7*size:]...), -1},
	} {
		var got []int16
		_, err := Stream(bytes.NewReader(x.file), 1<<20, func(_ int, block [][]int16) error {
			got = append(got, block[0]...)
			return nil
		})
		if !errors.Is(err, audio.ErrFormat) || len(got) != len(pcm) {
			t.Errorf("%s: %d samples, %v", name, len(got), err)
			continue
		}
		for i, v := range got {
			if want := int16(pcm[i]); v != want && (i/100 != x.lost || v != 0) {
				t.Errorf("%s: sample %d is %d, not %d", name, i, v, want)
				break
			}
		}
	}
	tagged := append(bytes.Clone(whole), append([]byte("TAG"), make([]byte, 125)...)...)
	binary.BigEndian.PutUint32(tagged[22:], 0) // the length is unknown
	if whole, err := Stream(bytes.NewReader(tagged), 1<<20, func(int, [][]int16) error { return nil }); !whole || err != nil {
		t.Errorf("a tag behind the sound: %v %v", whole, err)
	}
}

// TestTheFramesAreBelieved checks that a header that claims too few samples cuts nothing off, but
// is reported.
func TestTheFramesAreBelieved(t *testing.T) {
	t.Parallel()
	pcm := ramps(2000, 16, 1)
	whole := (&writer{rate: 8000, bits: 16, block: 100, kind: 1, pcm: [][]int64{pcm}}).file()
	for _, claimed := range []uint32{1, 99, 100, 150, 1900, 1999, 2000, 2001} {
		for _, tail := range []string{"", "TAG" + string(make([]byte, 125)), "\xff\xf8 and so on", "\xff"} {
			file := append(bytes.Clone(whole), tail...)
			binary.BigEndian.PutUint32(file[22:], claimed)
			n := 0
			all, err := Stream(bytes.NewReader(file), 1<<20, func(_ int, block [][]int16) error {
				n += len(block[0])
				return nil
			})
			if n != len(pcm) || claimed < 2000 && !errors.Is(err, audio.ErrFormat) || claimed == 2000 && (!all || err != nil) || claimed > 2000 && all {
				t.Errorf("%d claimed, %q behind: %d samples, %v, %v", claimed, tail, n, all, err)
			}
		}
	}
}

// TestOneFileBehindAnother checks that concatenated files are read as one, and that what cannot be
// joined is reported.
func TestOneFileBehindAnother(t *testing.T) {
	t.Parallel()
	of := func(rate, channels int) []byte {
		w := &writer{rate: rate, bits: 16, block: 100, kind: 1, pcm: [][]int64{ramps(1000, 16, 1), ramps(1000, 16, 2)}[:channels]}
		return w.file()
	}
	mono := of(8000, 1)
	untold := bytes.Clone(mono)
	binary.BigEndian.PutUint32(untold[22:], 0)
	spoilt := bytes.Clone(mono)
	spoilt[len(spoilt)/2] ^= 1
	for name, x := range map[string]struct {
		files [][]byte
		n     int
		whole bool
		err   error
	}{
		"two":                      {[][]byte{mono, mono}, 2000, true, nil},
		"three":                    {[][]byte{mono, untold, mono}, 3000, true, nil},
		"without lengths":          {[][]byte{untold, untold}, 2000, true, nil},
		"the second is cut":        {[][]byte{mono, mono[:len(mono)-10]}, 1900, false, nil},
		"the second hardly begins": {[][]byte{mono, mono[:60]}, 1000, false, nil},
		"the second has no sound":  {[][]byte{mono, mono[:20]}, 1000, true, audio.ErrMore},
		"the first is cut":         {[][]byte{mono[:42+203*5], mono}, -1, false, audio.ErrFormat},
		"the first is damaged":     {[][]byte{spoilt, mono}, 2000, false, audio.ErrFormat},
		"the second is damaged":    {[][]byte{mono, spoilt}, 2000, false, audio.ErrFormat},
		"the second is faster":     {[][]byte{mono, of(16000, 1)}, 1000, true, audio.ErrMore},
		"the second has two sides": {[][]byte{mono, of(8000, 2)}, 1000, true, audio.ErrMore},
		"something else is behind": {[][]byte{mono, []byte("fLa")}, 1000, true, nil},
		"a tag is behind":          {[][]byte{mono, append([]byte("TAG"), make([]byte, 125)...)}, 1000, true, nil},
	} {
		n := 0
		whole, err := Stream(bytes.NewReader(bytes.Join(x.files, nil)), 1<<20, func(_ int, block [][]int16) error {
			n += len(block[0])
			return nil
		})
		if x.n >= 0 && n != x.n || whole != x.whole || !errors.Is(err, x.err) {
			t.Errorf("%s: %d samples, whole %v, %v, want %d, %v, %v", name, n, whole, err, x.n, x.whole, x.err)
		}
	}
}

// TestBomb checks that memory is bounded although a few bytes may stand for hours, and a header may
// promise anything.
func TestBomb(t *testing.T) {
	t.Parallel()
	const limit = 1 << 20
	silence := writer{rate: 8000, bits: 16, block: 65535, kind: 0, pcm: [][]int64{make([]int64, 65535*400)}}
	b := silence.file()
	if len(b) > 10000 {
		t.Fatalf("the bomb has %d bytes", len(b))
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := read(bytes.NewReader(b), limit, false); !errors.Is(err, audio.ErrTooLarge) {
		t.Errorf("%v", err)
	}
	promise := (&writer{rate: 8000, bits: 16, block: 65535, kind: 0, pcm: [][]int64{make([]int64, 100)}}).file()
	binary.BigEndian.PutUint64(promise[18:], binary.BigEndian.Uint64(promise[18:])|(1<<36-1))
	if w, err := read(bytes.NewReader(promise), limit, false); err != nil || len(w.channels[0]) != 100 {
		t.Errorf("a promise of %d samples: %v", uint64(1<<36-1), err)
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 16*limit {
		t.Errorf("%d bytes were allocated with a limit of %d", used, limit)
	}
}

// TestFramesThatAreNotWhole reads small frames that claim thousands of samples but are damaged. Too
// many of them end the reading, so that their cost stays bounded; occasional damage costs no sound
// after it.
func TestFramesThatAreNotWhole(t *testing.T) {
	t.Parallel()
	const head = 42
	whole := (&writer{rate: 8000, bits: 16, block: 4096, kind: 9, pcm: [][]int64{ramps(4096, 16, 3)}}).file()
	short := (&writer{rate: 8000, bits: 16, block: 65535, kind: 0, pcm: [][]int64{make([]int64, 65535)}}).file()
	for _, x := range []struct {
		frame []byte
		times int
		goes  bool
	}{{short[head:], 1000, true}, {short[head:], 1100, false}, {whole[head:], 2000, true}} {
		spoilt := bytes.Clone(x.frame)
		spoilt[len(spoilt)-1] ^= 1
		file := append(bytes.Clone(whole), bytes.Repeat(spoilt, x.times)...)
		n, want := 0, 4096
		if x.goes {
			want *= 2
		}
		_, err := Stream(bytes.NewReader(append(file, whole[head:]...)), 1<<30, func(_ int, block [][]int16) error {
			n += len(block[0])
			return nil
		})
		if n != want || !errors.Is(err, audio.ErrFormat) {
			t.Errorf("%d frames of %d bytes: %d samples, want %d; %v", x.times, len(spoilt), n, want, err)
		}
	}
}

// FuzzRead reads files as they are, FuzzFrames without verifying checksums, because almost no
// random input would pass them.
func FuzzRead(f *testing.F) { fuzz(f, false) }

func FuzzFrames(f *testing.F) { fuzz(f, true) }

func fuzz(f *testing.F, trusting bool) {
	f.Helper()
	for _, e := range writings() {
		e.pcm = clipped(e.pcm, 64)
		f.Add(e.file())
	}
	f.Add([]byte("fLaC"))
	f.Fuzz(func(t *testing.T, b []byte) {
		const limit = 1 << 18
		w, err := read(bytes.NewReader(b), limit, trusting)
		if err != nil {
			if !errors.Is(err, audio.ErrFormat) && !errors.Is(err, audio.ErrTooLarge) && !errors.Is(err, audio.ErrMore) {
				t.Fatalf("an error of no kind: %v", err)
			}
			return
		}
		if w.rate < audio.MinRate || w.rate > audio.MaxRate || len(w.channels) < 1 || len(w.channels) > maxChannels {
			t.Fatalf("%d channels at %d Hz", len(w.channels), w.rate)
		}
		total := 0
		for _, c := range w.channels {
			if len(c) != len(w.channels[0]) {
				t.Fatal("channels of different lengths")
			}
			total += 2 * len(c)
		}
		if total > limit {
			t.Fatalf("%d bytes of samples with a limit of %d", total, limit)
		}
		if total <= limit/8 {
			comesBack(t, w)
		}
	})
}

// comesBack writes what was read and reads it again.
func comesBack(t *testing.T, w sound) {
	t.Helper()
	e := writer{rate: w.rate, bits: 16, block: 4096, kind: 1, pcm: make([][]int64, len(w.channels))}
	for c, pcm := range w.channels {
		for _, v := range pcm {
			e.pcm[c] = append(e.pcm[c], int64(v))
		}
	}
	again, err := read(bytes.NewReader(e.file()), 1<<20, false)
	if err != nil {
		t.Fatalf("what was read cannot be read again: %v", err)
	}
	for c := range w.channels {
		if !slices.Equal(w.channels[c], again.channels[c]) {
			t.Fatal("what was read comes back as something else")
		}
	}
}

func clipped(pcm [][]int64, n int) [][]int64 {
	out := make([][]int64, len(pcm))
	for c := range pcm {
		out[c] = pcm[c][:min(n, len(pcm[c]))]
	}
	return out
}

// read reads all frames of a file; neither its bytes nor its samples may take more than maxBytes.
func read(r io.Reader, maxBytes int64, trusting bool) (sound, error) {
	var out sound
	_, err := stream(r, maxBytes, maxBytes/2, trusting, func(rate int, block [][]int16) error {
		if out.channels == nil {
			out = sound{rate: rate, channels: make([][]int16, len(block))}
		}
		for c := range block {
			out.channels[c] = append(out.channels[c], block[c]...)
		}
		return nil
	})
	if err != nil {
		return sound{}, err
	}
	return out, nil
}
