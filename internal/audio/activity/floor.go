package activity

import "math"

const (
	// lowBlocks blocks of lowFrames frames each make the memory of the noise floor.
	lowBlocks, lowFrames = 5, 15
	// lowBias makes of the lowest smoothed energy in the memory the mean of the noise.
	lowBias = 1.7
)

// floor follows the noise: that of each band is the lowest smoothed energy of
// the last one to two seconds. What every frame needs stands together.
type floor struct {
	smooth  [bandCount]float32
	current [bandCount]float32 // the lowest of the present block
	before  [bandCount]float32 // the lowest of all blocks but the present one
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

// learn takes the energies of the next frame.
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

// begin takes the first frame for noise, unless it sounds like none.
func (f *floor) begin(e *[bandCount]float32) {
	f.known = true
	f.smooth = *e
	if flatness(e) < flatNoise {
		for b := range f.smooth {
			f.smooth[b] = lowestNoise
		}
	}
}

// noise is that of each band.
func (f *floor) noise() (now [bandCount]float32) {
	for b := range now {
		now[b] = greater(lesser(f.current[b], f.before[b])*lowBias, lowestNoise)
	}
	return now
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

// flatness is the geometric mean of the bands over their arithmetic mean: near 1 for white noise, near 0 for a vowel.
func flatness(e *[bandCount]float32) float32 {
	var sum, logs float64
	for _, x := range e {
		sum += float64(x)
		logs += math.Log(float64(x) + 1e-9)
	}
	return float32(math.Exp(logs/bandCount) / (sum/bandCount + 1e-9))
}
