package activity

import "math"

const (
	// The memory of the noise floor has lowBlocks blocks of lowFrames frames each.
	lowBlocks, lowFrames = 5, 15
	// lowBias is the ratio of the mean of the noise to the lowest smoothed energy in the memory.
	lowBias = 1.7
)

// floor estimates the noise: in each band it is the lowest smoothed energy of the last one to
// two seconds. Fields needed in every frame are together.
type floor struct {
	smooth  [bandCount]float32
	current [bandCount]float32 // the lowest of the current block
	before  [bandCount]float32 // the lowest of all other blocks
	block   int32
	inBlock int32
	known   bool

	lows [lowBlocks][bandCount]float32
}

func (f *floor) reset() {
	for b := range f.current {
		f.current[b], f.before[b] = math.MaxFloat32, math.MaxFloat32
	}
	for i := range f.lows {
		f.lows[i] = f.current
	}
}

// learn processes the energies of the next frame.
func (f *floor) learn(e *[bandCount]float32) {
	if !f.known {
		f.begin(e)
	}
	if f.inBlock++; f.inBlock > lowFrames {
		f.turn()
	}
	for b := range e {
		f.smooth[b] += (e[b] - f.smooth[b]) * 0.4
		f.current[b] = lesser(f.current[b], f.smooth[b])
	}
}

// begin takes the first frame for noise, unless it does not sound like noise.
func (f *floor) begin(e *[bandCount]float32) {
	f.known = true
	f.smooth = *e
	if flatness(e) < flatNoise {
		for b := range f.smooth {
			f.smooth[b] = lowestNoise
		}
	}
}

// noise returns the noise in each band.
func (f *floor) noise() (now [bandCount]float32) {
	for b := range now {
		now[b] = greater(lesser(f.current[b], f.before[b])*lowBias, lowestNoise)
	}
	return now
}

// lesser and greater are min and max without the check for NaN.
func lesser(a, b float32) float32 {
	if b < a {
		return b
	}
	return a
}

func greater(a, b float32) float32 {
	if b > a {
		return b
	}
	return a
}

// turn begins the next block, which replaces the oldest.
func (f *floor) turn() {
	f.lows[f.block] = f.current
	f.inBlock, f.block = 1, (f.block+1)%lowBlocks
	f.current = f.smooth
	for b := range f.before {
		m := float32(math.MaxFloat32)
		for i := range f.lows {
			if i != int(f.block) {
				m = min(m, f.lows[i][b])
			}
		}
		f.before[b] = m
	}
}

// flatness returns the geometric mean of the bands divided by their arithmetic mean: near 1 for white noise, near 0 for a vowel.
func flatness(e *[bandCount]float32) float32 {
	var sum, logs float64
	for _, x := range e {
		sum += float64(x)
		logs += math.Log(float64(x) + 1e-9)
	}
	return float32(math.Exp(logs/bandCount) / (sum/bandCount + 1e-9))
}
