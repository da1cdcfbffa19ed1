package activity

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
)

// listen returns the spans in which the live detector reported speech, at frame boundaries.
func listen(pcm []int16, rate int) []audio.Span {
	a, n := New(rate), rate/50
	var out []audio.Span
	was := false
	for i := 0; i+n <= len(pcm); i += n {
		is := a.Step(pcm[i : i+n])
		if is && !was {
			out = append(out, audio.Span{Start: i + n}) // it is only known at the end of the frame
		}
		if is {
			out[len(out)-1].End = i + n
		}
		was = is
	}
	return out
}

func TestActivityFollowsSpeech(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name               string
		snr                float64
		pink               bool
		onset, p90, offset float64 // largest ms: medians of onset and offset errors, and the 90th percentile of onset errors
	}{
		{"clean", 0, false, 40, 60, 40},
		{"white 20 dB", 20, false, 40, 60, 40},
		{"pink 20 dB", 20, true, 40, 60, 40},
		{"white 10 dB", 10, false, 90, 140, 40},
		{"pink 10 dB", 10, true, 60, 90, 40},
	}
	p := plant(bursts(5, 8000), 120, 8000, 4)
	for _, tt := range tests {
		got := compare(p.truth, listen(p.overPhone(tt.snr, tt.pink), 8000), 8000)
		t.Logf("%s: onset p50 %.0f p90 %.0f offset p50 %.0f ms", tt.name, quantile(got.onset, .5), quantile(got.onset, .9), quantile(got.offset, .5))
		if got.missed > 0 || got.invents > 0 {
			t.Errorf("%s: missed %d, invented %d of %d", tt.name, got.missed, got.invents, len(p.truth))
		}
		if o := quantile(got.onset, .5); o > tt.onset {
			t.Errorf("%s: median onset after %.0f ms, want at most %.0f", tt.name, o, tt.onset)
		}
		if o := quantile(got.onset, .9); o > tt.p90 {
			t.Errorf("%s: p90 of onsets after %.0f ms, want at most %.0f", tt.name, o, tt.p90)
		}
		if o := quantile(got.offset, .5); o > tt.offset {
			t.Errorf("%s: median offset %.0f ms away, want at most %.0f", tt.name, o, tt.offset)
		}
	}
}

func TestActivityFollowsSynthesisedVoices(t *testing.T) {
	t.Parallel()
	p := plant(spoken(t), 120, 8000, 4)
	for _, snr := range []float64{0, 20} {
		got := compare(p.truth, listen(p.overPhone(snr, false), 8000), 8000)
		if o := quantile(got.onset, .5); o > 40 || got.missed > 0 || got.invents > 0 {
			t.Errorf("at %g dB: median onset %.0f ms, want at most 40, missed %d, invented %d", snr, o, got.missed, got.invents)
		}
	}
}

func TestActivityAtOtherRate(t *testing.T) {
	t.Parallel()
	p := plant(bursts(5, 16000), 60, 16000, 4)
	got := compare(p.truth, listen(p.pcm, 16000), 16000)
	if o := quantile(got.onset, .5); o > 40 || got.missed > 0 || got.invents > 0 {
		t.Errorf("median onset %.0f ms, want at most 40, missed %d, invented %d", o, got.missed, got.invents)
	}
}

func TestActivityHearsASoundThatComesAtOnce(t *testing.T) {
	t.Parallel()
	// The most common beginning of a call: digital silence, then a voice at full level.
	for at := 0; at < 8000; at += 1337 {
		pcm := make([]int16, 16000)
		copy(pcm[at:], bursts(9, 8000)[0])
		got := listen(pcm, 8000)
		if len(got) == 0 || got[0].Start-at > 8000*60/1000 {
			t.Errorf("speech from %d on is heard at %v", at, got)
		}
	}
}

func TestActivityIgnoresNoise(t *testing.T) {
	t.Parallel()
	for _, db := range []float64{-90, -70, -60, -52, -48, -40, -35, -30} {
		for _, pink := range []bool{false, true} {
			pcm := make([]int16, 60*8000)
			if n := audio.NewNoise(11); pink {
				n.Pink(pcm, db)
			} else {
				n.White(pcm, db)
			}
			code := make([]byte, len(pcm))
			audio.EncodeMuLaw(code, pcm)
			audio.DecodeMuLaw(pcm, code)
			if got := listen(pcm, 8000); len(got) > 0 {
				t.Errorf("noise at %g dBFS (pink %v) is taken for speech: %v", db, pink, got)
			}
			clear(pcm[:8000])
			if got := listen(pcm, 8000); len(got) > 0 {
				t.Errorf("noise at %g dBFS after silence (pink %v) is taken for speech: %v", db, pink, got)
			}
		}
	}
	if got := listen(make([]int16, 80000), 8000); len(got) > 0 {
		t.Errorf("silence is taken for speech: %v", got)
	}
}

func TestActivityGetsUsedToNoise(t *testing.T) {
	t.Parallel()
	// A fan starts in the middle of the call: it may be mistaken for speech, but only briefly.
	pcm := make([]int16, 20*8000)
	audio.NewNoise(1).White(pcm[:80000], -60)
	audio.NewNoise(2).White(pcm[80000:], -35)
	copy(pcm[16000:], bursts(3, 8000)[0])
	got := listen(pcm, 8000)
	if len(got) == 0 {
		t.Fatal("the voice before the noise is not heard")
	}
	if end := got[len(got)-1].End; end > 80000+2*8000 {
		t.Errorf("after %v the noise is still speech", time.Duration(end-80000)*time.Second/8000)
	}
}

func TestActivityDoesNotAllocate(t *testing.T) {
	a := New(8000)
	pcm := bursts(1, 8000)[0]
	i := 0
	if n := testing.AllocsPerRun(500, func() {
		a.Step(pcm[i : i+160])
		i = (i + 160) % (len(pcm) - 160)
	}); n != 0 {
		t.Errorf("%g allocations a frame", n)
	}
}

func TestActivitySince(t *testing.T) {
	t.Parallel()
	a := New(8000)
	for range 50 {
		a.Step(make([]int16, 160))
	}
	if a.Speaking() || a.Since() != time.Second {
		t.Errorf("speaking %v, for %v, want silence for a second", a.Speaking(), a.Since())
	}
	voice := bursts(9, 8000)[0]
	for i := 0; !a.Step(voice[i : i+160]); i += 160 {
	}
	if !a.Speaking() || a.Since() != 0 {
		t.Errorf("speaking %v, for %v, want speech for 0s", a.Speaking(), a.Since())
	}
}

func BenchmarkActivity(b *testing.B) {
	p := plant(bursts(5, 8000), 60, 8000, 4)
	pcm := p.overPhone(20, false)
	a := New(8000)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		a.Step(pcm[i : i+160])
		i = (i + 160) % (len(pcm) - 160)
	}
}

// crowdOf mixes six voices that talk continuously, at the given level.
func crowdOf(seed uint64, n int, db float64) []int16 {
	rng := rand.New(rand.NewPCG(seed, 3))
	pcm := make([]int16, n)
	for voice := range uint64(6) {
		said := bursts(100+voice, 8000)
		for at := -rng.IntN(8000); at < n; {
			u := said[rng.IntN(len(said))]
			if from := max(0, -at); from < len(u) {
				soft := slices.Clone(u[from:])
				audio.Gain(soft, -12)
				audio.Mix(pcm[max(at, 0):], soft)
			}
			at += len(u) + rng.IntN(1600)
		}
	}
	audio.Gain(pcm, db-audio.Level(pcm))
	return pcm
}

// afterEnds returns how long (ms) after each utterance a silence begins that is long enough for the
// caller to answer (300 ms). never counts the utterances after which there is none before the next
// one.
func afterEnds(truth, got []audio.Span, n int) (ends []float64, never int) {
	for i, t := range truth {
		next := n
		if i+1 < len(truth) {
			next = truth[i+1].Start
		}
		at := t.End
		for _, g := range got {
			if g.Start < at+2400 && g.End > at {
				at = g.End
			}
		}
		if at+2400 > next {
			never++
			continue
		}
		ends = append(ends, float64(at-t.End)/8)
	}
	return ends, never
}

func TestActivityHearsTheEndInFrontOfOtherVoices(t *testing.T) {
	t.Parallel()
	p := plant(spoken(t), 240, 8000, 4)
	for _, snr := range []float64{20, 15, 10} {
		pcm := slices.Clone(p.pcm)
		audio.Mix(pcm, crowdOf(8, len(pcm), -23-snr))
		got := listen(pcm, 8000)
		ends, never := afterEnds(p.truth, got, len(pcm))
		missed := compare(p.truth, got, 8000).missed
		t.Logf("%g dB: ends p50 %.0f p90 %.0f, never %d, missed %d of %d", snr, quantile(ends, 0.5), quantile(ends, 0.9), never, missed, len(p.truth))
		if quantile(ends, 0.5) > 300 || quantile(ends, 0.9) > 600 || never > len(p.truth)/10 || missed > 0 {
			t.Errorf("%g dB: ends are heard after %.0f ms, at p90 %.0f; never %d, missed %d of %d",
				snr, quantile(ends, 0.5), quantile(ends, 0.9), never, missed, len(p.truth))
		}
	}
}

func TestActivityDoesNotLearnAMonologue(t *testing.T) {
	t.Parallel()
	for _, snr := range []float64{0, 20, 10} {
		var pcm []int16
		for i := 0; len(pcm) < 40*8000; i++ {
			pcm = append(pcm, spoken(t)[i%len(spoken(t))]...)
		}
		clean := planted{pcm: pcm, truth: split(pcm, 8000, 0)}
		if snr != 0 {
			pcm = slices.Clone(pcm)
			audio.Mix(pcm, crowdOf(8, len(pcm), -23-snr))
		}
		got := listen(pcm, 8000)
		for _, s := range clean.truth {
			at := s.Start
			for _, g := range append(got, audio.Span{Start: s.End, End: s.End}) {
				if g.Start > at && at < s.End && min(g.Start, s.End)-at > 8*400 {
					t.Errorf("%g dB: nothing heard from %v to %v", snr, time.Duration(at)*time.Second/8000, time.Duration(min(g.Start, s.End))*time.Second/8000)
				}
				at = max(at, g.End)
			}
		}
	}
}

func TestActivityGetsUsedToOtherVoices(t *testing.T) {
	t.Parallel()
	for _, db := range []float64{-32, -42} {
		pcm := crowdOf(5, 60*8000, db)
		late := 0
		for _, s := range listen(pcm, 8000) {
			late += max(0, s.End-max(s.Start, 20*8000))
		}
		if late > 2*8000 {
			t.Errorf("a crowd at %g dBFS is speech for %v of the last 40 s", db, time.Duration(late)*time.Second/8000)
		}
	}
}

func TestActivityIgnoresClicks(t *testing.T) {
	t.Parallel()
	pcm := make([]int16, 30*8000)
	audio.NewNoise(4).White(pcm, -65)
	rng := rand.New(rand.NewPCG(1, 1))
	for at := 8000; at+100 < len(pcm); at += 2000 + rng.IntN(4000) {
		for i := range 8 + rng.IntN(40) {
			pcm[at+i] = clamp(8000 * (2*rng.Float64() - 1))
		}
	}
	if got := listen(pcm, 8000); len(got) > 0 {
		t.Errorf("clicks are taken for speech: %v", got)
	}
}
