package audio

import (
	"math"
	"math/rand/v2"
	"testing"
)

// hum returns a voice-like sound: the harmonics of a pitch between 300 and 3400 Hz, the band of a
// telephone line.
func hum(hz float64, rate, samples int, amplitude float64) []int16 {
	pcm := make([]int16, samples)
	for i := range pcm {
		v := 0.0
		for k := 1.0; k*hz < 3400 && k*hz < float64(rate)/2.2; k++ {
			if k*hz >= 300 {
				v += math.Sin(2*math.Pi*k*hz*float64(i)/float64(rate)+k*k) / k
			}
		}
		pcm[i] = int16(amplitude * v)
	}
	return pcm
}

func TestVoicesFindPlantedPitch(t *testing.T) {
	t.Parallel()
	for _, rate := range []int{8000, 16000, 48000} {
		for _, hz := range []float64{75, 98, 123, 160, 211, 260, 333, 395} {
			pcm := hum(hz, rate, rate, 6000)
			coded := make([]byte, len(pcm))
			EncodeMuLaw(coded, pcm)
			DecodeMuLaw(pcm, coded)
			frames := Voices(pcm, rate)
			right := 0
			for _, f := range frames {
				if math.Abs(f.Pitch/hz-1) < 0.02 {
					right++
				}
			}
			if right*10 < len(frames)*8 {
				t.Errorf("%g Hz at %d: %d of %d frames are right, one says %.1f", hz, rate, right, len(frames), frames[len(frames)/2].Pitch)
			}
		}
	}
}

func TestVoicesHearNoPitchInNoise(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 1))
	pcm := make([]int16, 16000)
	for i := range pcm {
		pcm[i] = int16(random.NormFloat64() * 3000)
	}
	voiced := 0
	frames := Voices(pcm, 8000)
	for _, f := range frames {
		if f.Pitch > 0 {
			voiced++
		}
	}
	if voiced*20 > len(frames) {
		t.Errorf("%d of %d frames of noise are voiced", voiced, len(frames))
	}
}

func TestVoicesOfOddSound(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 159, 160, 161, 700, 5000} {
		for _, rate := range []int{0, 100, 4000, 8000, 11025, 44100, 192000} {
			for _, v := range Voices(make([]int16, n), rate) {
				if v.Pitch != 0 || v.Level != FloorDB || math.IsNaN(v.Tilt) {
					t.Fatalf("%d samples of silence at %d Hz: %+v", n, rate, v)
				}
			}
		}
	}
}

func BenchmarkVoicesMinute(b *testing.B) {
	pcm := hum(140, 8000, 8000*60, 6000)
	for b.Loop() {
		Voices(pcm, 8000)
	}
}
