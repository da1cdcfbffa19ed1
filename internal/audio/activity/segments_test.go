package activity

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
)

// bounds are the largest allowed errors, in ms.
type bounds struct {
	name          string
	snr           float64
	pink          bool
	onset, offset float64 // medians
	p90           float64 // of the onsets
}

func TestSegmentsOnSpeechLikeBursts(t *testing.T) {
	t.Parallel()
	check(t, plant(bursts(5, 8000), 120, 8000, 4), []bounds{
		{"clean", 0, false, 2, 2, 5},
		{"white 30 dB", 30, false, 10, 10, 15},
		{"white 20 dB", 20, false, 10, 10, 20},
		{"pink 20 dB", 20, true, 15, 10, 30},
		{"white 10 dB", 10, false, 30, 30, 60},
		{"pink 10 dB", 10, true, 20, 20, 40},
	})
}

func TestSegmentsOnSynthesisedVoices(t *testing.T) {
	t.Parallel()
	check(t, plant(spoken(t), 480, 8000, 4), []bounds{
		{"clean", 0, false, 2, 2, 5},
		{"white 20 dB", 20, false, 10, 20, 40},
		{"pink 20 dB", 20, true, 10, 20, 40},
		{"white 10 dB", 10, false, 20, 50, 120},
		{"pink 10 dB", 10, true, 20, 30, 70},
	})
}

// TestSegmentsInBabble places voices 20 and 10 dB above a crowd of six: almost nothing that the
// crowd says may be taken for speech, and nearly every utterance must be found.
func TestSegmentsInBabble(t *testing.T) {
	t.Parallel()
	clips := spoken(t)
	for _, b := range []struct {
		snr, onset, offset float64 // medians
		invents            int
	}{{20, 11, 13, 0}, {10, 40, 50, 2}} {
		p := plant(clips, 240, 8000, 4)
		var speech []int16
		for _, s := range p.truth {
			speech = append(speech, p.pcm[s.Start:s.End]...)
		}
		crowd := make([]int16, len(p.pcm))
		for voice := range 6 {
			for at, i := voice*997, voice*5; at < len(crowd); i++ {
				c := slices.Clone(clips[i*(voice+1)%len(clips)])
				audio.Gain(c, -12)
				audio.Mix(crowd[at:], c)
				at += len(c)
			}
		}
		audio.Gain(crowd, audio.Level(speech)-b.snr-audio.Level(crowd))
		audio.Mix(p.pcm, crowd)
		got := compare(p.truth, Segments(p.overPhone(0, false), 8000), 8000)
		t.Logf("%g dB: onset p50 %.1f p90 %.1f offset p50 %.1f p90 %.1f ms, missed %d, invented %d of %d", b.snr, quantile(got.onset, .5),
			quantile(got.onset, .9), quantile(got.offset, .5), quantile(got.offset, .9), got.missed, got.invents, len(p.truth))
		if on, off := quantile(got.onset, .5), quantile(got.offset, .5); on > b.onset || off > b.offset || got.missed > 1 || got.invents > b.invents {
			t.Errorf("%g dB: median onset error %.1f, offset %.1f ms, missed %d, invented %d, want at most %.1f, %.1f, 1 and %d",
				b.snr, on, off, got.missed, got.invents, b.onset, b.offset, b.invents)
		}
	}
}

// TestDetectorsTakeAnything feeds signals that are not audio of any kind.
func TestDetectorsTakeAnything(t *testing.T) {
	t.Parallel()
	constant, clipped := make([]int16, 16000), audio.Tone(300, 1e6, 2*time.Second, 8000)
	for i := range constant {
		constant[i] = 9000
	}
	offset := plant(bursts(3, 8000), 20, 8000, 1)
	for i := range offset.pcm {
		offset.pcm[i] = int16(min(int(offset.pcm[i])+3000, 32767))
	}
	for name, pcm := range map[string][]int16{"empty": {}, "short": {1, -32768, 32767}, "constant": constant, "clipped": clipped, "offset": offset.pcm} {
		last := 0
		for _, s := range Segments(pcm, 8000) {
			if s.Start < last || s.End <= s.Start || s.End > len(pcm) {
				t.Errorf("%s: senseless segment %v", name, s)
			}
			last = s.End
		}
		a := New(8000)
		for i := 0; i <= len(pcm); i += 160 {
			a.Step(pcm[i:min(i+160, len(pcm))])
		}
	}
}

func check(t *testing.T, p planted, all []bounds) {
	t.Helper()
	checkAt(t, 8000, p, all)
}

func checkAt(t *testing.T, rate int, p planted, all []bounds) {
	t.Helper()
	for _, b := range all {
		got := compare(p.truth, Segments(p.overPhone(b.snr, b.pink), rate), rate)
		t.Logf("%s: onset p50 %.1f p90 %.1f offset p50 %.1f p90 %.1f ms (n %d)", b.name, quantile(got.onset, .5),
			quantile(got.onset, .9), quantile(got.offset, .5), quantile(got.offset, .9), len(p.truth))
		if got.missed > 0 || got.invents > 0 {
			t.Errorf("%s: missed %d, invented %d of %d", b.name, got.missed, got.invents, len(p.truth))
		}
		if o := quantile(got.onset, .5); o > b.onset {
			t.Errorf("%s: median onset error %.1f ms, want at most %.1f", b.name, o, b.onset)
		}
		if o := quantile(got.offset, .5); o > b.offset {
			t.Errorf("%s: median offset error %.1f ms, want at most %.1f", b.name, o, b.offset)
		}
		if o := quantile(got.onset, .9); o > b.p90 {
			t.Errorf("%s: p90 of onset errors %.1f ms, want at most %.1f", b.name, o, b.p90)
		}
	}
}

func TestSegmentsOfATone(t *testing.T) {
	t.Parallel()
	// The edges of a sound in digital silence are exact to within a millisecond.
	for _, rate := range []int{8000, 16000, 44100, 48000} {
		pcm := make([]int16, 3*rate)
		copy(pcm[rate+17:], audio.Tone(700, 6000, 300*time.Millisecond, rate))
		copy(pcm[2*rate+5:], audio.Tone(900, 6000, 100*time.Millisecond, rate))
		got := Segments(pcm, rate)
		want := []audio.Span{{Start: rate + 17, End: rate + 17 + rate*3/10}, {Start: 2*rate + 5, End: 2*rate + 5 + rate/10}}
		if len(got) != 2 {
			t.Errorf("at %d Hz: %v, want %v", rate, got, want)
			continue
		}
		for i := range got {
			if abs(got[i].Start-want[i].Start) > rate/1000 || abs(got[i].End-want[i].End) > rate/1000 {
				t.Errorf("at %d Hz: %v, want %v", rate, got, want)
			}
		}
	}
}

func TestSegmentsMergesShortGaps(t *testing.T) {
	t.Parallel()
	tests := []struct {
		gap  time.Duration
		want int
	}{{150 * time.Millisecond, 1}, {190 * time.Millisecond, 1}, {210 * time.Millisecond, 2}, {time.Second, 2}}
	for _, tt := range tests {
		word := audio.Tone(300, 6000, 400*time.Millisecond, 8000)
		pcm := append(audio.Silence(time.Second, 8000), word...)
		pcm = append(append(pcm, audio.Silence(tt.gap, 8000)...), word...)
		if got := Segments(append(pcm, audio.Silence(time.Second, 8000)...), 8000); len(got) != tt.want {
			t.Errorf("a gap of %v: %v, want %d segments", tt.gap, got, tt.want)
		}
	}
}

func TestSegmentsOfNoSpeech(t *testing.T) {
	t.Parallel()
	click := audio.Silence(time.Second, 8000)
	copy(click[4000:], audio.Tone(1000, 8000, 15*time.Millisecond, 8000))
	white, pink, idle := make([]int16, 480000), make([]int16, 480000), make([]int16, 80000)
	audio.NewNoise(1).White(white, -35)
	audio.NewNoise(2).Pink(pink, -40)
	audio.NewNoise(3).White(idle, -75)
	for name, pcm := range map[string][]int16{"nothing": nil, "one sample": {5}, "silence": audio.Silence(time.Minute, 8000),
		"click": click, "white noise": white, "pink noise": pink, "idle line": idle} {
		if got := Segments(pcm, 8000); len(got) != 0 {
			t.Errorf("%s: %v, want no segment", name, got)
		}
	}
	if Segments(white, 0) != nil || Segments(white, -5) != nil {
		t.Error("segments at a senseless rate")
	}
}

var update = flag.Bool("update", false, "write the golden file anew; refused when segments changed and Engine did not")

// golden holds segments in ms, by signal-to-noise ratio.
type golden struct {
	Engine   string              `json:"engine"`
	Segments map[string][][2]int `json:"segments_ms"`
}

// TestSegmentsChangeOnlyWithTheirVersion allows 2 ms, because processors round differently.
func TestSegmentsChangeOnlyWithTheirVersion(t *testing.T) {
	t.Parallel()
	path := filepath.Join("testdata", "segments.json")
	now := golden{Engine, map[string][][2]int{}}
	p := plant(bursts(21, 8000), 40, 8000, 6)
	for _, snr := range []float64{0, 25, 12} {
		for _, s := range Segments(p.overPhone(snr, snr == 12), 8000) {
			key := fmt.Sprintf("%g dB", snr)
			now.Segments[key] = append(now.Segments[key], [2]int{s.Start / 8, s.End / 8})
		}
	}
	var want golden
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, &want)
	}
	if err != nil && !*update {
		t.Fatal(err)
	}
	alike := maps.EqualFunc(want.Segments, now.Segments, func(a, b [][2]int) bool {
		return slices.EqualFunc(a, b, func(x, y [2]int) bool { return abs(x[0]-y[0]) <= 2 && abs(x[1]-y[1]) <= 2 })
	})
	if want.Engine == now.Engine && !alike {
		t.Fatalf("the segments changed and Engine is still %q", now.Engine)
	}
	if want.Engine == now.Engine {
		return
	}
	if !*update {
		t.Fatalf("the engine is %q, the golden file has %q: run with -update", now.Engine, want.Engine)
	}
	data, err = json.MarshalIndent(now, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(data, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}

func FuzzSegments(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4}, uint16(200), uint8(40))
	f.Add(make([]byte, 4000), uint16(8000), uint8(1))
	f.Add([]byte("loud and \x7f\x80 soft"), uint16(48000), uint8(200))
	f.Fuzz(func(t *testing.T, data []byte, rate uint16, repeat uint8) {
		pcm := make([]int16, 0, len(data)*int(repeat))
		for _, b := range data {
			for range repeat {
				pcm = append(pcm, int16(b)<<8)
			}
		}
		pcm = pcm[:min(len(pcm), 100000)]
		last := 0
		for _, s := range Segments(pcm, int(rate)) {
			if s.Start < last || s.End <= s.Start || s.End > len(pcm) {
				t.Fatalf("senseless segment %v after %d in %d samples", s, last, len(pcm))
			}
			last = s.End
		}
	})
}

func BenchmarkSegmentsHour(b *testing.B) {
	p := plant(bursts(5, 8000), 360, 8000, 4)
	pcm := p.overPhone(20, false)
	for b.Loop() {
		Segments(pcm, 8000)
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)*10, "s/audio-hour")
}
