package audio

import (
	"math"
	"math/rand/v2"
)

// Noise generates noise; the same seed gives the same noise. It is not safe for concurrent use.
type Noise struct {
	rng  *rand.Rand
	pink [7]float64
}

// NewNoise returns a generator with the given seed.
func NewNoise(seed uint64) *Noise {
	return &Noise{rng: rand.New(rand.NewPCG(seed, 0x9E3779B97F4A7C15))}
}

// White fills pcm with Gaussian white noise of the given level in dBFS.
func (n *Noise) White(pcm []int16, db float64) {
	rms := math.Sqrt(meanSquare(db))
	for i := range pcm {
		pcm[i] = clamp(rms * n.rng.NormFloat64())
	}
}

// pinkRMS is the root mean square of the pink filter's output for unit white noise.
const pinkRMS = 3.0

// Pink fills pcm with noise that falls by 3 dB per octave, with the given level in dBFS.
// Consecutive calls continue the signal.
func (n *Noise) Pink(pcm []int16, db float64) {
	rms := math.Sqrt(meanSquare(db)) / pinkRMS
	for i := range pcm {
		pcm[i] = clamp(rms * n.nextPink())
	}
}

// nextPink sums first-order filters about an octave apart (Kellet's weights). The result is
// within half a decibel of −3 dB per octave above 1/2000 of the rate.
func (n *Noise) nextPink() float64 {
	w, p := n.rng.NormFloat64(), &n.pink
	p[0] = 0.99886*p[0] + w*0.0555179
	p[1] = 0.99332*p[1] + w*0.0750759
	p[2] = 0.96900*p[2] + w*0.1538520
	p[3] = 0.86650*p[3] + w*0.3104856
	p[4] = 0.55000*p[4] + w*0.5329522
	p[5] = -0.7616*p[5] - w*0.0168980
	out := p[0] + p[1] + p[2] + p[3] + p[4] + p[5] + p[6] + w*0.5362
	p[6] = w * 0.115926
	return out
}
