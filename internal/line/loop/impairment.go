package loop

import (
	"hash/fnv"
	"math"
	"math/rand/v2"

	"github.com/ringtrue/ringtrue/internal/leg"
)

// Impairment describes how the line degrades speech, at random from a seed. The zero value does nothing.
type Impairment struct {
	// Seed, combined with the call's id, determines all random choices.
	Seed uint64
	// Loss is the probability (0 to 1) that a frame is lost on its own.
	Loss float64
	// BurstStart is the probability (0 to 1) per frame that a burst of losses begins, BurstMean
	// its mean length in frames (at least 1).
	BurstStart, BurstMean float64
	// Noise is the level of added white noise in dBFS, 0 for none; -50 is faint, -30 loud.
	Noise float64
	// ToAgentOnly and ToCallerOnly restrict the impairment to one direction.
	ToAgentOnly, ToCallerOnly bool
}

func (i Impairment) seedFor(d leg.Dial) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(d.CallID))
	return i.Seed ^ h.Sum64()
}

// path is one direction of the line: a queue of frames with their digits.
type path struct {
	imp    Impairment
	rng    *rand.Rand
	active bool
	noise  float64 // amplitude

	delay  int64 // samples
	queue  []slot
	head   int
	filled int

	burst                         int
	gap                           int64
	passed, lost, bursts, longest int64
}

type slot struct {
	pcm    []int16
	at     int64 // where it was said; -1 for the initial silence
	digits string
	lost   bool
}

// newPath returns a direction with a delay of o.Delay frames.
func newPath(o Options, samples int, seed uint64) path {
	p := path{imp: o.Impairment, delay: int64(o.Delay * samples), rng: rand.New(rand.NewPCG(seed, 0x72696e67)), queue: make([]slot, o.Delay+2)}
	for i := range p.queue {
		p.queue[i].pcm = make([]int16, samples)
	}
	// The queue initially holds the silence that precedes the first frame.
	p.filled = o.Delay
	if p.imp.Noise < 0 {
		p.noise = 32767 * math.Pow(10, p.imp.Noise/20) * math.Sqrt(3)
	}
	p.active = p.imp.Loss > 0 || p.imp.BurstStart > 0 || p.noise > 0
	for i := range p.filled {
		p.queue[i].lost, p.queue[i].at = true, -1
	}
	return p
}

// enter puts a frame that was said at sample pos on the line.
func (p *path) enter(f *leg.Frame, pos int64) {
	s := &p.queue[(p.head+p.filled)%len(p.queue)]
	p.filled++
	copy(s.pcm, f.PCM)
	s.at, s.digits, s.lost = pos, f.Digits, f.Missing
	if p.active {
		p.spoil(s)
	}
	p.count(s.lost)
}

// leave takes the next frame off the line and returns the sample at which it arrived, -1 if
// nothing was said yet.
func (p *path) leave(f *leg.Frame) (arrived int64) {
	if p.filled == 0 {
		f.Missing = true
		return -1
	}
	s := &p.queue[p.head]
	p.head = (p.head + 1) % len(p.queue)
	p.filled--
	f.Digits = s.digits
	if s.lost {
		f.Missing = true
		return -1
	}
	copy(f.PCM, s.pcm)
	return s.at + p.delay
}

func (p *path) spoil(s *slot) {
	if p.burst == 0 && p.imp.BurstStart > 0 && p.rng.Float64() < p.imp.BurstStart {
		p.burst = 1
		for mean := max(p.imp.BurstMean, 1); p.rng.Float64() > 1/mean; {
			p.burst++
		}
	}
	s.lost = p.imp.Loss > 0 && p.rng.Float64() < p.imp.Loss
	if p.burst > 0 {
		p.burst--
		s.lost = true
	}
	if p.noise == 0 {
		return
	}
	for i, v := range s.pcm {
		n := float64(v) + p.noise*(2*p.rng.Float64()-1)
		s.pcm[i] = int16(max(-32768, min(32767, n)))
	}
}

func (p *path) count(lost bool) {
	if !lost {
		p.passed++
		p.gap = 0
		return
	}
	p.lost++
	if p.gap == 0 {
		p.bursts++
	}
	p.gap++
	p.longest = max(p.longest, p.gap)
}
