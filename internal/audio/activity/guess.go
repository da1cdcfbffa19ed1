package activity

import "math"

const (
	// guessReach is the range around a block used to separate its speech and noise: ±15 s.
	guessReach = 15 * hopsPerSecond / blockHops
	// excessHops is the number of hops on either side over which the excess is averaged.
	excessHops = 10
	// quarterDB is the number of steps per decibel of excess, excessZero the step of no excess
	// (it may be negative).
	quarterDB, excessZero = 4, 12
	// noiseMode is the highest mode of a noise above the quiet level (7 dB; 6 in a crowd). A
	// mode above that is soft speech of somebody who talks with hardly a pause.
	noiseMode = excessZero + 7*quarterDB
)

// guess separates speech from noise without prior knowledge. Around each block it examines the
// distribution of the excess: its lower mode is the noise, which spreads upward as it does
// downward. Speech is what is three times that spread above it, or, if loud and soft form two
// classes below that, what is in the louder one.
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

// excess returns how many decibels the bands are above their quiet level within ±4 s (the tenth
// percentile), averaged over the bands.
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
