package activity

import "math"

const (
	// guessReach is how far around a block its speech and noise are told apart: ±15 s.
	guessReach = 15 * hopsPerSecond / blockHops
	// excessHops is over how many hops on either side the excess is averaged.
	excessHops = 10
	// quarterDB is how many steps of the excess make a decibel, excessZero the
	// step of none (it may be below).
	quarterDB, excessZero = 4, 12
	// noiseMode is how far above what is quiet the commonest value of a noise lies
	// at most (7 dB; 6 in a crowd). A commonest value above that is soft speech, of
	// somebody who talks on with hardly a pause.
	noiseMode = excessZero + 7*quarterDB
)

// guess separates speech from noise without knowing anything of either. Around
// each block it looks at the distribution of the excess: its commonest low
// value is the noise, and the noise spreads upward as it does downward. Speech
// is what lies three times that spread above it, or, when loud and soft fall
// apart into two classes before that, in the louder one.
func (f *features) guess() []bool {
	excess := f.excess()
	step := make([]uint8, len(excess))
	for i, x := range excess {
		step[i] = uint8(min(max(x*quarterDB+excessZero+0.5, 0), steps-1))
	}
	speech := make([]bool, len(excess))
	var h histogram
	take := func(hop, by int) {
		if !f.hole[hop] {
			h.add(step[hop], by)
		}
	}
	slide(len(excess), guessReach, take, func(_, from, to int) {
		split := h.split()
		mode, square := h.lowMode(split)
		spread := math.Sqrt(square)
		limit := float64(mode) + max(quarterDB, min(3*spread, max(spread, float64(split-mode))))
		if mode > noiseMode {
			limit = noiseMode
		}
		for i := from; i < to; i++ {
			speech[i] = float64(step[i]) > limit
		}
	})
	return speech
}

// excess is by how many decibels the bands lie above what is quiet in them
// within ±4 s (the tenth percentile), on average over the bands.
func (f *features) excess() []float32 {
	out := make([]float32, len(f.steps))
	var h [bandCount]histogram
	take := func(hop, by int) {
		for k, s := range f.steps[hop] {
			h[k].add(s, by)
		}
	}
	slide(len(out), noiseReach, take, func(_, from, to int) {
		low := 0.0
		for k := range h {
			low += h[k].quantile(0.1)
		}
		for i := from; i < to; i++ {
			sum := 0
			for _, s := range f.steps[i] {
				sum += int(s)
			}
			out[i] = float32((float64(sum) - low) * stepDB / bandCount)
		}
	})
	return smooth(out, excessHops)
}
