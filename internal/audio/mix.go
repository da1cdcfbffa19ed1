package audio

import (
	"math"
	"time"
)

// Mix adds src to dst sample by sample, saturating. Only as many samples as both have are touched.
func Mix(dst, src []int16) {
	n := min(len(dst), len(src))
	for i, s := range src[:n] {
		dst[i] = int16(min(max(int32(dst[i])+int32(s), math.MinInt16), math.MaxInt16))
	}
}

// Gain makes pcm louder (or softer) by db decibels in place, saturating.
func Gain(pcm []int16, db float64) {
	f := math.Pow(10, db/20)
	for i, s := range pcm {
		pcm[i] = clamp(float64(s) * f)
	}
}

// Silence returns d of digital silence.
func Silence(d time.Duration, rate int) []int16 { return make([]int16, samples(d, rate)) }

// Tone returns d of a sine of the given frequency and amplitude (0 to 32767), starting at phase 0.
func Tone(hz, amplitude float64, d time.Duration, rate int) []int16 {
	pcm := make([]int16, samples(d, rate))
	step := 2 * math.Pi * hz / float64(rate)
	for i := range pcm {
		pcm[i] = clamp(amplitude * math.Sin(step*float64(i)))
	}
	return pcm
}

// samples is the number of whole samples in d; 0 when either is not positive.
func samples(d time.Duration, rate int) int {
	if d <= 0 || rate <= 0 {
		return 0
	}
	return int(d.Seconds()*float64(rate) + 0.5)
}
