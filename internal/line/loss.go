package line

import "math/rand/v2"

// Loss drops packets by chance, drawn from a seed, one by one and in bursts. The
// zero value drops none. It is how an impaired line is made where the network
// itself cannot be impaired.
type Loss struct {
	// Seed decides what is drawn; 0 draws anew for every call.
	Seed uint64
	// Share is how many packets (0 to 1) are lost one by one.
	Share float64
	// BurstStart is the chance (0 to 1) per packet that a burst begins, BurstMean
	// its mean length in packets (at least 1).
	BurstStart, BurstMean float64
}

// losses is Loss at work on one direction of one call.
type losses struct {
	of    Loss
	rng   *rand.Rand
	burst int
}

// begin starts drawing; anew is the seed when the Loss names none. Without loss
// it returns nil, which is ready to use too.
func (l Loss) begin(anew uint64) *losses {
	if l.Share <= 0 && l.BurstStart <= 0 {
		return nil
	}
	seed := l.Seed
	if seed == 0 {
		seed = anew
	}
	return &losses{of: l, rng: rand.New(rand.NewPCG(seed, 0x6c6f7373))}
}

// next says whether the next packet is lost.
func (l *losses) next() bool {
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

// Begin starts drawing for one direction of one call and returns what says of each
// packet in turn whether it is lost. anew is the seed when the Loss names none.
func (l Loss) Begin(anew uint64) func() bool { return l.begin(anew).next }
