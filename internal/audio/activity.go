package audio

import (
	"math"
	"time"
)

const (
	// gateDB is the level a frame must have, whatever its bands say: under it
	// lie comfort noise and the idle noise of G.711.
	gateDB = -50.0
	// flatNoise is the spectral flatness from which the first sound of a call is taken for line noise.
	flatNoise = 0.4
	// onScore starts speech, offScore keeps it going (see likelihood).
	onScore, offScore = 0.6, 0.3
)

// Activity is live voice activity: it is told every 20 ms frame and says
// whether speech is going on. It looks back only, has no hangover worth the
// name (one frame), and decides when to speak and nothing else: published
// figures come from Segments.
//
// Per mel band it compares the energy with a noise floor that follows the
// quietest of the last one to two seconds. Step does not allocate. An Activity
// belongs to one goroutine.
type Activity struct {
	spec    *spectrum
	recent  []int16
	floor   [bandCount]float32
	lows    [lowBlocks][bandCount]float32
	block   int
	inBlock int
	known   bool
	smooth  [bandCount]float32

	speech  bool
	pending int
	frames  int64
	since   int64
}

const (
	// lowBlocks blocks of lowFrames frames each make the memory of the noise floor.
	lowBlocks, lowFrames = 5, 15
	// lowBias makes of the lowest smoothed energy in the memory the mean of the noise.
	lowBias = 1.7
)

// NewActivity returns a detector for frames of rate/50 samples; rate is 8000 or
// 16000 (anything from 4000 on works, lower rates are taken for 4000).
func NewActivity(rate int) *Activity {
	rate = max(rate, lowestRate)
	size := 256
	for size*2 <= rate*32/1000 {
		size *= 2
	}
	a := &Activity{spec: newSpectrum(size, rate), recent: make([]int16, size)}
	a.reset()
	return a
}

func (a *Activity) reset() {
	for b := range a.floor {
		a.floor[b] = lowestNoise
	}
	for i := range a.lows {
		for b := range a.lows[i] {
			a.lows[i][b] = math.MaxFloat32
		}
	}
}

// Step takes the next frame and reports whether speech is going on at its end.
func (a *Activity) Step(pcm []int16) bool {
	a.frames++
	keep := max(len(a.recent)-len(pcm), 0)
	copy(a.recent, a.recent[len(a.recent)-keep:])
	copy(a.recent[keep:], pcm[max(0, len(pcm)-len(a.recent)):])
	a.decide(a.judge(pcm))
	return a.speech
}

// Speaking reports what the last Step did.
func (a *Activity) Speaking() bool { return a.speech }

// Since is how long the present state (speech or none) has lasted, counted in
// the frames it was told.
func (a *Activity) Since() time.Duration {
	return time.Duration(a.frames-a.since) * 20 * time.Millisecond
}

// judge returns the score of the frame: 0 is silence.
func (a *Activity) judge(pcm []int16) float32 {
	if quiet(pcm) {
		return 0
	}
	var e [bandCount]float32
	a.spec.bands(a.recent, &e)
	a.learn(&e)
	if Level(pcm) < gateDB {
		return 0
	}
	return likelihood(&e, &a.floor)
}

// likelihood is the mean over the bands of the log likelihood ratio of speech
// to noise, for energies above the floor, each at most 12.
func likelihood(e, floor *[bandCount]float32) float32 {
	var sum float32
	for b := range e {
		if g := e[b] / floor[b]; g > 1 {
			sum += min(g-1-logf(g), 12)
		}
	}
	return sum / bandCount
}

func logf(x float32) float32 { return float32(math.Log(float64(x))) }

// decide applies the hysteresis: one frame of clear speech, or two of faint, is
// an onset; two frames of silence are an end.
func (a *Activity) decide(score float32) {
	on := score > onScore
	if a.speech {
		on = score > offScore
	}
	if on == a.speech {
		a.pending = 0
		return
	}
	a.pending++
	if a.pending >= 2 || !a.speech && score > 2*onScore {
		a.speech, a.pending, a.since = on, 0, a.frames
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

// learn follows the noise: the floor of each band is the lowest smoothed energy of the memory.
func (a *Activity) learn(e *[bandCount]float32) {
	low := float32(lowestNoise)
	if !a.known {
		a.known = true
		a.smooth = *e
		if flatness(e) < flatNoise {
			a.smooth = a.floor
		}
	}
	cur := &a.lows[a.block]
	for b := range e {
		a.smooth[b] += (e[b] - a.smooth[b]) * 0.4
		cur[b] = min(cur[b], a.smooth[b])
		m := cur[b]
		for i := range a.lows {
			m = min(m, a.lows[i][b])
		}
		a.floor[b] = max(low, m*lowBias)
	}
	if a.inBlock++; a.inBlock == lowFrames {
		a.inBlock, a.block = 0, (a.block+1)%lowBlocks
		a.lows[a.block] = a.smooth
	}
}
