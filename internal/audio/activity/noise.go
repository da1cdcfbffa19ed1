package activity

import (
	"math"
	"slices"
)

const (
	// noiseReach is the number of blocks on either side from which the noise is learnt (±4 s),
	// scoreReach that for how far it rises above its envelope (±15 s).
	noiseReach = 4 * hopsPerSecond / blockHops
	scoreReach = 15 * hopsPerSecond / blockHops
	// enoughHops is the minimum of noise for an estimate.
	enoughHops = hopsPerSecond / 2
)

// The lowest thresholds of the score, for steady noise. In four hours of white and pink noise
// it never exceeded 0.04, and in a twentieth of them it exceeded 0.003.
const (
	leastOn  = 0.06
	leastOff = 0.0015
)

// lowestNoise is −60 dBFS as a mean square; no band is assumed to be quieter.
const lowestNoise = 32768 * 32768 * 1e-6

// stepDB is the width of the steps in which band energies are counted, from lowestNoise up.
const stepDB = 0.75

func stepOf(e float32) uint8 {
	if e <= lowestNoise {
		return 0
	}
	return uint8(min(math.Log10(float64(e)/lowestNoise)*10/stepDB+0.5, steps-1))
}

func energyOf(step float64) float32 {
	return float32(lowestNoise * math.Pow(10, step*stepDB/10))
}

// scoreSteps converts scores to steps, which are finer for small scores.
const scoreSteps = 28

func scoreStep(s float32) uint8 {
	return uint8(min(math.Sqrt(float64(max(s, 0)))*scoreSteps+0.5, steps-1))
}

func scoreOf(step float64) float32 { return float32(step * step / (scoreSteps * scoreSteps)) }

// noiseModel is what is known of the noise, per block.
type noiseModel []blockNoise

type blockNoise struct {
	// envelope is the 95th percentile of the energy in each band.
	envelope bandEnergies
	// power is the mean square over 5 ms from which sound is distinct.
	power float64
	// on and off are the thresholds of the score.
	on, off float32
	// hops is the amount of noise that this is based on.
	hops int
}

// learn measures the noise outside speech and a guard distance around it.
func (f *features) learn(speech []bool) noiseModel {
	n := len(f.steps)
	m := make(noiseModel, (n+blockHops-1)/blockHops)
	silent := guarded(speech, guardHops)
	for i, hole := range f.hole {
		silent[i] = silent[i] && !hole
	}
	var bands [bandCount]histogram
	var own histogram
	power := 0.0
	take := func(hop, by int) {
		if !silent[hop] {
			return
		}
		for k, s := range f.steps[hop] {
			bands[k].add(s, by)
		}
		own.add(stepOf(f.own[hop]), by)
		power += float64(by) * float64(f.own[hop])
	}
	slide(n, noiseReach, take, func(block, _, _ int) {
		b := &m[block]
		b.hops = bands[0].n
		for k := range bands {
			b.envelope[k] = max(energyOf(bands[k].quantile(0.95)), lowestNoise)
		}
		b.power = max(overNoise*power/float64(max(b.hops, 1)), float64(energyOf(own.quantile(0.98)+1)))
	})
	m.fill()
	m.calibrate(f.scores(m), silent)
	return m
}

// fill replaces the noise of blocks with too little data by that of the nearest block with enough.
func (m noiseModel) fill() {
	known := make([]int, 0, len(m))
	for i, b := range m {
		if b.hops >= enoughHops {
			known = append(known, i)
		}
	}
	for i := range m {
		if len(known) == 0 || m[i].hops >= enoughHops {
			continue
		}
		at, _ := slices.BinarySearch(known, i)
		near := known[min(at, len(known)-1)]
		if at > 0 && i-known[at-1] < max(near-i, i-near) {
			near = known[at-1]
		}
		m[i].envelope, m[i].power = m[near].envelope, m[near].power
	}
}

// calibrate sets the thresholds from how far the noise itself exceeds its envelope: a twentieth of it
// may be above off, and on is one and a half times what a hundredth of it reaches.
func (m noiseModel) calibrate(score []float32, silent []bool) {
	var h histogram
	take := func(hop, by int) {
		if silent[hop] {
			h.add(scoreStep(score[hop]), by)
		}
	}
	slide(len(score), scoreReach, take, func(block, _, _ int) {
		b := &m[block]
		b.on, b.off = leastOn, leastOff
		if h.n >= enoughHops {
			b.on = max(b.on, 1.5*scoreOf(h.quantile(0.99)))
			b.off = max(b.off, scoreOf(h.quantile(0.95)))
		}
	})
}

// guarded marks the silence that is at least so many hops away from any speech.
func guarded(speech []bool, hops int) []bool {
	silent := make([]bool, len(speech))
	last := -hops - 1
	for i, s := range speech {
		if s {
			last = i
		}
		silent[i] = i-last > hops
	}
	next := len(speech) + hops
	for i, v := range slices.Backward(speech) {
		if v {
			next = i
		}
		silent[i] = silent[i] && next-i > hops
	}
	return silent
}
