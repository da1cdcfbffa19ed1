package activity

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
)

// planted is a channel in which the positions of speech are known.
type planted struct {
	pcm   []int16
	truth []audio.Span
}

// plant places clips in silence of the given length, with pauses of 0.5 to 3 s.
func plant(clips [][]int16, seconds, rate int, seed uint64) planted {
	rng := rand.New(rand.NewPCG(seed, 1))
	p := planted{pcm: make([]int16, seconds*rate)}
	at := rate/2 + rng.IntN(rate)
	for i := 0; ; i++ {
		c := clips[i%len(clips)]
		if at+len(c)+rate > len(p.pcm) {
			return p
		}
		copy(p.pcm[at:], c)
		p.truth = append(p.truth, split(c, rate, at)...)
		at += len(c) + rate/2 + rng.IntN(rate*5/2)
	}
}

// split returns the audible parts of a clean clip, separated by pauses of at least 200 ms.
func split(c []int16, rate, at int) []audio.Span {
	var out []audio.Span
	first, last, ok := audio.Clip{PCM: c, Rate: rate}.Audible()
	if !ok {
		return nil
	}
	w := rate / 200
	open, quietFrom := first, -1
	for i := first; i+w <= last; i += w {
		if audio.Level(c[i:i+w]) > audio.AudibleDB {
			if quietFrom >= 0 && i-quietFrom >= rate/5 {
				out = append(out, audio.Span{Start: at + open, End: at + quietFrom})
				open = i
			}
			quietFrom = -1
		} else if quietFrom < 0 {
			quietFrom = i
		}
	}
	return append(out, audio.Span{Start: at + open, End: at + last})
}

// overPhone returns the channel after mu-law, with noise at the given SNR added before it (none if
// 0).
func (p planted) overPhone(snr float64, pink bool) []int16 {
	var speech []int16
	for _, s := range p.truth {
		speech = append(speech, p.pcm[s.Start:s.End]...)
	}
	out := slices.Clone(p.pcm)
	if snr != 0 {
		noise := make([]int16, len(out))
		n := audio.NewNoise(99)
		if pink {
			n.Pink(noise, audio.Level(speech)-snr)
		} else {
			n.White(noise, audio.Level(speech)-snr)
		}
		audio.Mix(out, noise)
	}
	code := make([]byte, len(out))
	audio.EncodeMuLaw(code, out)
	audio.DecodeMuLaw(out, code)
	return out
}

// found is the result of comparing segments with the truth.
type found struct {
	onset, offset   []float64 // signed errors in ms
	missed, invents int
}

func compare(truth, got []audio.Span, rate int) (f found) {
	used := make([]bool, len(got))
	for _, t := range truth {
		first, last := -1, -1
		for i, g := range got {
			if g.Start < t.End && g.End > t.Start {
				if first < 0 {
					first = i
				}
				last, used[i] = i, true
			}
		}
		if first < 0 {
			f.missed++
			continue
		}
		f.onset = append(f.onset, float64(got[first].Start-t.Start)*1000/float64(rate))
		f.offset = append(f.offset, float64(got[last].End-t.End)*1000/float64(rate))
	}
	for _, u := range used {
		if !u {
			f.invents++
		}
	}
	return f
}

// quantile returns a quantile of the absolute values.
func quantile(v []float64, q float64) float64 {
	if len(v) == 0 {
		return math.Inf(1)
	}
	a := make([]float64, len(v))
	for i := range v {
		a[i] = math.Abs(v[i])
	}
	slices.Sort(a)
	return a[int(q*float64(len(a)-1)+0.5)]
}

// bursts returns synthetic speech-like sounds: syllables of harmonics with formants, a gliding
// pitch, hissing consonants, and smooth onsets and decays.
func bursts(seed uint64, rate int) [][]int16 {
	rng := rand.New(rand.NewPCG(seed, 2))
	var out [][]int16
	for range 12 {
		var pcm []int16
		for range 3 + rng.IntN(6) {
			if rng.IntN(3) == 0 {
				pcm = append(pcm, hiss(rng, rate)...)
			}
			pcm = append(pcm, vowel(rng, rate)...)
			pcm = append(pcm, make([]int16, rng.IntN(rate/15))...)
		}
		out = append(out, pcm)
	}
	return out
}

func vowel(rng *rand.Rand, rate int) []int16 {
	n := rate/12 + rng.IntN(rate/6)
	f0, f1, f2 := 100+rng.Float64()*120, 300+rng.Float64()*500, 1000+rng.Float64()*1300
	pcm := make([]int16, n)
	loud := 2500 + rng.Float64()*3000
	for h := 1.0; h*f0 < 3400; h++ {
		f := h * f0
		a := 0.02 + math.Exp(-math.Pow((f-f1)/120, 2)) + 0.4*math.Exp(-math.Pow((f-f2)/160, 2))
		phase := rng.Float64() * 6
		for i := range pcm {
			t := float64(i) / float64(rate)
			env := math.Min(1, math.Min(t/0.02, float64(n-i)/float64(rate)/0.05))
			pcm[i] = clamp(float64(pcm[i]) + loud*env*a*math.Sin(2*math.Pi*f*t*(1-0.1*t)+phase))
		}
	}
	return pcm
}

func hiss(rng *rand.Rand, rate int) []int16 {
	pcm := make([]int16, rate/20+rng.IntN(rate/20))
	prev := 0.0
	for i := range pcm {
		x := rng.NormFloat64() * 500
		env := math.Sin(math.Pi * float64(i) / float64(len(pcm)))
		pcm[i] = clamp((x - prev) * env)
		prev = x
	}
	return pcm
}

// voices returns sentences of several flite voices at 8 kHz, synthesised once.
var voices = sync.OnceValues(func() ([][]int16, error) {
	dir, err := os.MkdirTemp("", "voices")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	lines := []string{
		"Good morning, this is the clinic. How can I help you?",
		"I would like to move my appointment to Thursday at four fifteen, please.",
		"Yes.", "Six hundred and forty dollars.", "She sells fish at half past five.",
		"My name is Frances Smith, that is S M I T H.", "Thank you very much for your help. Goodbye.",
	}
	var out [][]int16
	for i, l := range lines {
		for _, voice := range []string{"rms", "slt", "awb", "kal16"}[i%2*2 : i%2*2+2] {
			pcm, err := say(filepath.Join(dir, "say.wav"), voice, l, 8000)
			if err != nil {
				return nil, err
			}
			out = append(out, pcm)
		}
	}
	return out, nil
})

// say synthesises a line with flite, at −23 dBFS and the given rate.
func say(path, voice, line string, rate int) ([]int16, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := exec.CommandContext(ctx, "flite", "-voice", voice, "-t", line, "-o", path).Run(); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	w, err := audio.ReadWAV(bytes.NewReader(data), 1<<24)
	if err != nil {
		return nil, err
	}
	pcm := audio.Resample(w.Channels[0], w.Rate, rate)
	audio.Gain(pcm, -23-audio.Level(pcm))
	return pcm, nil
}

// spoken returns voices, and fails the test if flite is missing.
func spoken(t testing.TB) [][]int16 {
	t.Helper()
	if _, err := exec.LookPath("flite"); err != nil {
		t.Fatal("flite is not installed: run `make setup`")
	}
	out, err := voices()
	if err != nil {
		t.Fatalf("flite does not speak: %v", err)
	}
	return out
}

func clamp(x float64) int16 { return int16(math.Round(min(max(x, math.MinInt16), math.MaxInt16))) }

func abs(x int) int { return max(x, -x) }
