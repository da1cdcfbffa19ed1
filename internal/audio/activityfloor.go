package audio

import "math"

const (
	// lowBlocks blocks of lowFrames frames each make the memory of the noise floor.
	lowBlocks, lowFrames = 5, 15
	// lowBias makes of the lowest smoothed energy in the memory the mean of the noise.
	lowBias = 1.7
)

// floor follows the noise: that of each band is the lowest smoothed energy of
// the last one to two seconds.
type floor struct {
	now     [bandCount]float32
	smooth  [bandCount]float32
	lows    [lowBlocks][bandCount]float32
	before  [bandCount]float32 // the lowest of all blocks but the present one
	block   int
	inBlock int
	known   bool
}

func (f *floor) reset() {
	for b := range f.now {
		f.now[b], f.before[b] = lowestNoise, math.MaxFloat32
	}
	for i := range f.lows {
		for b := range f.lows[i] {
			f.lows[i][b] = math.MaxFloat32
		}
	}
}

// learn takes the energies of the next frame.
func (f *floor) learn(e *[bandCount]float32) {
	if !f.known {
		f.known = true
		f.smooth = *e
		if flatness(e) < flatNoise {
			f.smooth = f.now
		}
	}
	cur := &f.lows[f.block]
	for b := range e {
		f.smooth[b] += (e[b] - f.smooth[b]) * 0.4
		cur[b] = lesser(cur[b], f.smooth[b])
		f.now[b] = greater(lesser(cur[b], f.before[b])*lowBias, lowestNoise)
	}
	if f.inBlock++; f.inBlock == lowFrames {
		f.turn()
	}
}

// lesser and greater are min and max for what is a number, which spares the
// question whether it is one.
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

// turn begins the next block, which takes the place of the oldest.
func (f *floor) turn() {
	f.inBlock, f.block = 0, (f.block+1)%lowBlocks
	f.lows[f.block] = f.smooth
	for b := range f.before {
		m := float32(math.MaxFloat32)
		for i := range f.lows {
			if i != f.block {
				m = min(m, f.lows[i][b])
			}
		}
		f.before[b] = m
	}
}

// flatness is the geometric mean of the bands over their arithmetic mean: near 1 for white noise, near 0 for a vowel.
func flatness(e *[bandCount]float32) float32 {
	var sum, logs float64
	for _, x := range e {
		sum += float64(x)
		logs += math.Log(float64(x) + 1e-9)
	}
	return float32(math.Exp(logs/bandCount) / (sum/bandCount + 1e-9))
}

// quiet reports digital silence: no sample beyond the smallest step of mu-law.
func quiet(pcm []int16) bool {
	for _, s := range pcm {
		if !still(s) {
			return false
		}
	}
	return true
}
