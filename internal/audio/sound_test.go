package audio

import (
	"fmt"
	"math"
	"testing"
	"time"
)

const frame = 20 * time.Millisecond

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.IsNaN(got) || math.Abs(got-want) > tolerance {
		t.Errorf("%s is %.4f, want %.4f ± %.4f", what, got, want, tolerance)
	}
}

func TestResampleKeepsTonesAndRemovesAliases(t *testing.T) {
	t.Parallel()
	tests := []struct {
		from, to int
		hz       float64
		gain     float64 // expected gain in dB; −50 or lower means removed
	}{
		{16000, 8000, 300, 0}, {16000, 8000, 1000, 0}, {16000, 8000, 3400, 0}, {16000, 8000, 4400, -50}, {16000, 8000, 7000, -50},
		{8000, 16000, 1000, 0}, {8000, 16000, 3400, 0}, {22050, 8000, 1000, 0}, {22050, 8000, 6000, -50}, {24000, 8000, 3000, 0},
		{24000, 8000, 5000, -50}, {48000, 8000, 2500, 0}, {48000, 8000, 9000, -50}, {8000, 48000, 3000, 0}, {44100, 47999, 1000, 0},
		{8000, 22050, 440, 0}, {11025, 8000, 2000, 0},
	}
	for _, tt := range tests {
		in := Tone(tt.hz, 10000, time.Second, tt.from)
		out := Resample(in, tt.from, tt.to)
		if want := tt.to; len(out) != want {
			t.Errorf("%d to %d: %d samples, want %d", tt.from, tt.to, len(out), want)
		}
		mid := out[len(out)/4 : len(out)*3/4]
		if tt.gain == 0 {
			got := 10 * math.Log10(Goertzel(mid, tt.to, tt.hz)/(10000*10000/2))
			near(t, fmt.Sprintf("%d to %d: gain in dB at %g Hz", tt.from, tt.to, tt.hz), got, 0, 0.2)
			// What remains after removing the tone must be far below it.
			rest := math.Max(meanPower(mid)-Goertzel(mid, tt.to, tt.hz), 1e-9)
			if sn := 10 * math.Log10(meanPower(mid)/rest); sn < 45 {
				t.Errorf("%d to %d at %g Hz: only %.1f dB above its distortion", tt.from, tt.to, tt.hz, sn)
			}
			continue
		}
		if got := Level(mid) - Level(in); got > tt.gain {
			t.Errorf("%d to %d: %g Hz comes through at %.1f dB, want at most %.0f", tt.from, tt.to, tt.hz, got, tt.gain)
		}
	}
}

func meanPower(pcm []int16) float64 { return Energy(pcm) / float64(len(pcm)) }

func TestResampleHasNoDelay(t *testing.T) {
	t.Parallel()
	for _, to := range []int{8000, 11025, 32000, 48000} {
		in := make([]int16, 16000)
		copy(in[8000:], Tone(500, 12000, 100*time.Millisecond, 16000))
		back := Resample(Resample(in, 16000, to), to, 16000)
		lag, peak := Correlate(back, in, 40)
		if lag != 0 || peak < 0.99 {
			t.Errorf("by way of %d: lag %d, peak %.3f", to, lag, peak)
		}
	}
}

func TestResampleDegenerate(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]int{{8000, 8000}, {0, 8000}, {8000, 0}, {-1, 5}} {
		if got := Resample([]int16{1, 2, 3}, c[0], c[1]); len(got) != 3 {
			t.Errorf("%v: %v, want the 3 samples", c, got)
		}
	}
	for n := range 5 {
		if got := Resample(make([]int16, n), 8000, 16000); len(got) != 2*n {
			t.Errorf("%d samples became %d, want twice as many", n, len(got))
		}
	}
}

func TestMixGainSaturate(t *testing.T) {
	t.Parallel()
	dst := []int16{30000, -30000, 5, 7}
	Mix(dst, []int16{10000, -10000, 6})
	if dst[0] != 32767 || dst[1] != -32768 || dst[2] != 11 || dst[3] != 7 {
		t.Errorf("mix: %v, want [32767 -32768 11 7]", dst)
	}
	Gain(dst, 20*math.Log10(2))
	if dst[0] != 32767 || dst[1] != -32768 || dst[2] != 22 || dst[3] != 14 {
		t.Errorf("gain: %v, want [32767 -32768 22 14]", dst)
	}
}

func TestLevelOfKnownSounds(t *testing.T) {
	t.Parallel()
	near(t, "full-scale sine", Level(Tone(1000, 32767, time.Second, 8000)), -3.01, 0.01)
	near(t, "silence", Level(Silence(time.Second, 8000)), FloorDB, 0)
	near(t, "nothing", Level(nil), FloorDB, 0)
	n := NewNoise(1)
	pcm := make([]int16, 80000)
	n.White(pcm, -30)
	near(t, "white noise", Level(pcm), -30, 0.1)
	n.Pink(pcm, -30)
	near(t, "pink noise", Level(pcm), -30, 0.6)
	octave := func(from float64) (p float64) {
		for hz := from; hz < 2*from; hz += from / 50 {
			p += Goertzel(pcm, 8000, hz)
		}
		return p / 50
	}
	near(t, "pink slope from 200 to 1600 Hz in dB", 10*math.Log10(octave(200)/octave(1600)), 9, 1.5)
}

func TestNoiseIsRepeatable(t *testing.T) {
	t.Parallel()
	a, b, c := make([]int16, 100), make([]int16, 100), make([]int16, 100)
	NewNoise(7).White(a, -20)
	NewNoise(7).White(b, -20)
	NewNoise(8).White(c, -20)
	same := func(x, y []int16) bool { l, p := Correlate(x, y, 0); return l == 0 && p > 0.999 }
	if !same(a, b) || same(a, c) {
		t.Error("the seed does not decide the noise")
	}
}

func TestClipping(t *testing.T) {
	t.Parallel()
	if got := Clipping([]int16{0, 32124, 0, 32124, 32124, 0, -32124, 32124, -32124, 0}); got != 0 {
		t.Errorf("single peaks count: %g", got)
	}
	if got := Clipping([]int16{0, 32767, 32767, 32767, 0, 0, -32768, -32768, -32768, -32768}); got != 0.7 {
		t.Errorf("share is %g, want 0.7", got)
	}
	loudTone := Tone(300, 32767, time.Second, 8000)
	Gain(loudTone, 6)
	near(t, "a sine driven 6 dB over", Clipping(loudTone), 0.67, 0.03)
	if Clipping(nil) != 0 {
		t.Error("nothing clips")
	}
}

func TestDropouts(t *testing.T) {
	t.Parallel()
	pcm := Tone(440, 8000, time.Second, 8000)
	clear(pcm[2000:2160]) // one packet
	clear(pcm[4000:4320]) // two packets
	clear(pcm[5000:5040]) // 5 ms, too short to count
	got := Dropouts(pcm, 8000)
	if len(got) != 2 || abs(got[0].Start-2000) > 3 || abs(got[0].End-2160) > 3 || abs(got[1].Start-4000) > 3 || abs(got[1].End-4320) > 3 {
		t.Errorf("found %v, want 2000 to 2160 and 4000 to 4320", got)
	}
	if d := Dropouts(append(Silence(time.Second, 8000), pcm[:1000]...), 8000); len(d) != 0 {
		t.Errorf("a beginning is no hole: %v", d)
	}
}

func abs(x int) int { return max(x, -x) }

func TestGoertzelAndCorrelate(t *testing.T) {
	t.Parallel()
	pcm := Tone(700, 1000, time.Second, 8000)
	near(t, "power", Goertzel(pcm, 8000, 700), 500000, 500)
	if p := Goertzel(pcm, 8000, 1200); p > 10 {
		t.Errorf("power beside the tone is %g", p)
	}
	a := make([]int16, 4000)
	NewNoise(3).White(a, -20)
	lag, peak := Correlate(a, a[123:2123], 400)
	if lag != 123 || peak < 0.6 {
		t.Errorf("lag %d, peak %g, want 123 and at least 0.6", lag, peak)
	}
	if lag, _ := Correlate(a[50:2050], a, 400); lag != -50 {
		t.Errorf("lag %d, want -50", lag)
	}
}

func TestAudible(t *testing.T) {
	t.Parallel()
	pcm := Silence(time.Second, 8000)
	copy(pcm[1000:], Tone(400, 8000, 250*time.Millisecond, 8000))
	pcm[10] = 9
	c := Clip{pcm, 8000}
	first, last, ok := c.Audible()
	if !ok || abs(first-1000) > 2 || abs(last-3000) > 2 {
		t.Errorf("audible %d to %d, %v, want 1000 to 3000", first, last, ok)
	}
	if _, _, ok := (Clip{Silence(time.Second, 8000), 8000}).Audible(); ok {
		t.Error("silence is audible")
	}
	if d := c.Duration(); d != time.Second {
		t.Errorf("it lasts %v", d)
	}
	if d := (Clip{}).Duration(); d != 0 {
		t.Errorf("nothing lasts %v", d)
	}
}

func BenchmarkResample48To8(b *testing.B) {
	pcm := Tone(440, 8000, time.Second, 48000)
	for b.Loop() {
		Resample(pcm, 48000, 8000)
	}
}
