// Package loss drops packets on purpose, by chance and from a seed: it is how an impaired
// line is made where the network itself cannot be impaired.
//
// Package line/telephone leaves out packets of ours by it and line/room frames; what line/loop does
// to a line in memory is its own. Whoever asks for a call names the Model.
package loss

import "math/rand/v2"

// Model drops packets by chance, drawn from a seed, one by one and in bursts. The
// zero value drops none.
type Model struct {
	// Seed decides what is drawn; 0 draws anew for every call.
	Seed uint64
	// Share is how many packets (0 to 1) are lost one by one.
	Share float64
	// BurstStart is the chance (0 to 1) per packet that a burst begins, BurstMean
	// its mean length in packets (at least 1).
	BurstStart, BurstMean float64
}

// Draws are a Model at work on one direction of one call.
type Draws struct {
	of    Model
	rng   *rand.Rand
	burst int
}

// Begin starts drawing; anew is the seed when the Model names none. Without loss
// it returns nil, which is ready to use too.
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

// Next says whether the next packet is lost.
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
