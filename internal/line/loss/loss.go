// Package loss drops packets on purpose, at random from a seed. It creates impaired lines where the
// network itself cannot be impaired.
//
// Package line/telephone uses it for outgoing packets and line/room for outgoing frames; line/loop
// has its own impairment. The Model is given with each call.
package loss

import "math/rand/v2"

// Model drops packets at random, singly and in bursts. The zero value drops none.
type Model struct {
	// Seed seeds the random choices; 0 uses another seed for every call.
	Seed uint64
	// Share is the probability (0 to 1) that a packet is lost on its own.
	Share float64
	// BurstStart is the probability (0 to 1) per packet that a burst begins, BurstMean its mean
	// length in packets (at least 1).
	BurstStart, BurstMean float64
}

// Draws applies a Model to one direction of one call.
type Draws struct {
	of    Model
	rng   *rand.Rand
	burst int
}

// Begin returns the Draws of a call; anew is the seed to use if the Model has none. For a Model
// without loss it returns nil, which is a valid Draws.
func (m Model) Begin(anew uint64) *Draws {
	if m.Share <= 0 && m.BurstStart <= 0 {
		return nil
	}
	seed := m.Seed
	if seed == 0 {
		seed = anew
	}
	return &Draws{of: m, rng: rand.New(rand.NewPCG(seed, 0x6c6f7373))}
}

// Next reports whether the next packet is lost.
func (l *Draws) Next() bool {
	if l == nil {
		return false
	}
	if l.burst == 0 && l.of.BurstStart > 0 && l.rng.Float64() < l.of.BurstStart {
		l.burst = 1
		for l.rng.Float64() > 1/max(l.of.BurstMean, 1) {
			l.burst++
		}
	}
	alone := l.of.Share > 0 && l.rng.Float64() < l.of.Share
	if l.burst > 0 {
		l.burst--
		return true
	}
	return alone
}
