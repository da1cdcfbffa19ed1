package linetest

import (
	"math"
	"testing"
	"time"
)

// sung returns a tone of 0.6 s in which every frame of 20 ms begins the given number of samples
// later in the tone than the previous one ended.
func sung(rate int, hz float64, skips int) []int16 {
	pcm := make([]int16, rate*6/10)
	frame := rate / 50
	for i := range pcm {
		at := i + i/frame*skips
		pcm[i] = int16(loudness * math.Sin(2*math.Pi*hz*float64(at)/float64(rate)))
	}
	return pcm
}

// TestAToneIsToldFromOthers checks that a tone is recognised even if the recording follows a clock
// that is as far off as any.
func TestAToneIsToldFromOthers(t *testing.T) {
	t.Parallel()
	for _, rate := range []int{8000, 16000} {
		tick := rate / 8000
		for hz := 400.0; hz <= 1550; hz += 50 {
			for _, skips := range []int{0, tick, -tick} {
				if got := tonal(sung(rate, hz, skips), rate, hz); got < 0.95 {
					t.Errorf("at %d Hz, %v a frame: %.0f %% of a %v Hz tone is itself", rate, time.Duration(skips)*time.Second/time.Duration(rate), 100*got, hz)
				}
			}
			pure, other := sung(rate, hz, 0), sung(rate, hz+50, 0)
			if got := tonal(other, rate, hz); got > 0 {
				t.Errorf("at %d Hz: %.0f %% of a %v Hz tone is taken for one of %v Hz", rate, 100*got, hz+50, hz)
			}
			for i := range pure {
				pure[i] += other[i]
			}
			if got := tonal(pure, rate, hz); got > 0.7 {
				t.Errorf("at %d Hz: %.0f %% of two tones, %v Hz and %v Hz, is taken for one", rate, 100*got, hz, hz+50)
			}
		}
	}
}
