package main

import (
	"math"
	"math/cmplx"
	"slices"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/practice"
)

// The windows that the ideal listener examines, in samples.
const (
	lookWindow = segmentRate / 50
	lookStep   = segmentRate / 100
	lookFFT    = 256
	lookBands  = 16
	// lookDeep is how far into the sound it listens before it decides on its edge.
	lookDeep = segmentRate * 2 / 5 / lookStep
)

// ideal is a listener that is about as good as physics allows. It knows the level of each band of
// the clean sound at each moment, and the level and variation of the noise in each band, but not
// the noise at that moment. To decide how much of the known sound is there, it adds up, from the
// loud part outward, how much more likely each window is with the sound than without, and places
// the beginning (or end) where the sum is largest. It only errs inward: it is never deceived by
// what comes before the sound, and it knows which sound it is.
type ideal struct {
	window [lookWindow]float64
	noise  [lookBands]bandNoise
}

// bandNoise is what is known of the noise in a band.
type bandNoise struct {
	mean float64
	// shape is that of the gamma distribution of its energies.
	shape float64
	// counts is the weight of a window among its neighbours, because slowly varying noise repeats
	// the same information.
	counts float64
}

func newIdeal(noise []int16) *ideal {
	o := &ideal{}
	for i := range o.window {
		o.window[i] = 0.5 - 0.5*math.Cos(2*math.Pi*(float64(i)+0.5)/lookWindow)
	}
	o.learn(noise)
	return o
}

// learnLooks is how much of the noise is used, in windows, and alikeLooks over how many windows
// noise is similar.
const learnLooks, alikeLooks = 1500, 25

// learn measures the noise.
func (o *ideal) learn(noise []int16) {
	var all [][lookBands]float64
	for i := 1; i <= learnLooks && (i+1)*lookStep < len(noise); i++ {
		all = append(all, o.bands(noise, i*lookStep))
	}
	n := float64(max(len(all), 1))
	varied, together := 0.0, 0.0
	for b := range o.noise {
		mean, square := 0.0, 0.0
		for _, e := range all {
			mean += e[b] / n
		}
		mean = max(mean, 1)
		for _, e := range all {
			square += (e[b] - mean) * (e[b] - mean) / n
		}
		square = max(square, 1e-9)
		alike := 1.0
		for lag := 1; lag <= alikeLooks; lag++ {
			sum := 0.0
			for i := lag; i < len(all); i++ {
				sum += (all[i][b] - mean) * (all[i-lag][b] - mean) / n
			}
			alike += 2 * max(sum/square, 0)
		}
		o.noise[b] = bandNoise{mean, mean * mean / square, 1 / alike}
		varied++
	}
	// Bands that rise and fall together repeat the same information, too.
	for _, e := range all {
		sum := 0.0
		for b, x := range o.noise {
			sum += (e[b]/x.mean - 1) * math.Sqrt(x.shape)
		}
		together += sum * sum / n
	}
	for b := range o.noise {
		o.noise[b].counts /= max(together/varied, 1)
	}
}

// tells returns how much more likely (as a logarithm) what is heard in a window is with the clean
// sound in it than with the noise alone.
func (o *ideal) tells(clean, heard *[lookBands]float64) float64 {
	sum := 0.0
	for b, n := range o.noise {
		// With the sound in it the mean grows, while the noise varies as before.
		mean := n.mean + clean[b]
		square := n.mean*n.mean/n.shape + 2*clean[b]*n.mean/max(n.shape, 1)
		shape := mean * mean / square
		x := max(heard[b], 1e-3*n.mean)
		sum += n.counts * (gamma(x, mean, shape) - gamma(x, n.mean, n.shape))
	}
	return sum
}

// gamma returns the logarithm of the density of a gamma distribution.
func gamma(x, mean, shape float64) float64 {
	g, _ := math.Lgamma(shape)
	rate := shape / mean
	return shape*math.Log(rate) + (shape-1)*math.Log(x) - rate*x - g
}

// heard returns what the ideal listener finds of the clean sound between two samples; ok is false
// if that is nothing.
func (o *ideal) heard(clean, noise []int16, s audio.Span) (out audio.Span, ok bool) {
	first, found := o.edge(clean, noise, s.Start, 1, s.End-s.Start)
	last, again := o.edge(clean, noise, s.End, -1, s.End-s.Start)
	if !found || !again || last <= first {
		return s, false
	}
	return audio.Span{Start: first, End: last}, true
}

// edge finds the edge of a sound of the given length at a sample; d is 1 if the sound continues to
// the right.
func (o *ideal) edge(clean, noise []int16, at, d, length int) (edge int, ok bool) {
	found := outermost(o.sums(clean, noise, at, d, length), 0)
	return at + d*max(found, 0)*lookStep, found >= 0
}

// sums returns, for each window from the edge of a sound inward, how much more likely what is heard
// from there on is with the sound than without.
func (o *ideal) sums(clean, noise []int16, at, d, length int) []float64 {
	out := make([]float64, min(lookDeep, max(length/lookStep, 1)))
	sum := 0.0
	for i := range slices.Backward(out) {
		centre := at + d*(i*lookStep+lookStep/2)
		c, n := o.bands(clean, centre), o.mixed(clean, noise, centre)
		sum += o.tells(&c, &n)
		out[i] = sum
	}
	return out
}

// outermost returns the window in which a sound begins according to its sums, if what lies further
// out than another window must support it by more than need; −1 if nothing does.
func outermost(sums []float64, need float64) int {
	best, found := 0.0, -1
	for i, sum := range slices.Backward(sums) {
		if sum > best+need {
			best, found = sum, i
		}
	}
	return found
}

// mixed returns the energies of both sounds together.
func (o *ideal) mixed(clean, noise []int16, at int) [lookBands]float64 {
	from := at - lookWindow/2
	both := make([]int16, lookWindow)
	for i := range both {
		if k := from + i; k >= 0 && k < len(clean) && k < len(noise) {
			both[i] = int16(min(max(int(clean[k])+int(noise[k]), math.MinInt16), math.MaxInt16))
		}
	}
	return o.bands(both, lookWindow/2)
}

// bands returns the energies of the window centred on a sample, in bands of equal width on the mel
// scale.
func (o *ideal) bands(pcm []int16, at int) (out [lookBands]float64) {
	var x [lookFFT]complex128
	for i, w := range o.window {
		if k := at - lookWindow/2 + i; k >= 0 && k < len(pcm) {
			x[i] = complex(w*float64(pcm[k]), 0)
		}
	}
	fft(x[:])
	mel := func(hz float64) float64 { return math.Log1p(hz / 700) }
	low, high := mel(100), mel(3900)
	for k := 1; k < lookFFT/2; k++ {
		b := int((mel(float64(k)*segmentRate/lookFFT) - low) / (high - low) * lookBands)
		if b >= 0 && b < lookBands {
			out[b] += real(x[k])*real(x[k]) + imag(x[k])*imag(x[k])
		}
	}
	return out
}

// fft transforms in place; the length must be a power of two.
func fft(x []complex128) {
	n := len(x)
	if n == 1 {
		return
	}
	even, odd := make([]complex128, n/2), make([]complex128, n/2)
	for i := range even {
		even[i], odd[i] = x[2*i], x[2*i+1]
	}
	fft(even)
	fft(odd)
	for k := range even {
		t := cmplx.Rect(1, -2*math.Pi*float64(k)/float64(n)) * odd[k]
		x[k], x[k+n/2] = even[k]+t, even[k]-t
	}
}

// boundOf returns what the ideal listener hears of placed speech.
func boundOf(clean, spoilt []int16, truth []audio.Span) segmentErrors {
	noise := make([]int16, len(clean))
	for i, s := range spoilt {
		noise[i] = s - clean[i]
	}
	o := newIdeal(noise)
	var heard []audio.Span
	for _, t := range truth {
		if s, ok := o.heard(clean, noise, t); ok {
			heard = append(heard, s)
		}
	}
	return compareSegments(truth, heard)
}

// arrival is what is left of an utterance of the agent in the noise, and after the loss of packets,
// of a call under a condition.
type arrival struct {
	sent    *practice.Sent
	arrived practice.Sent
	noise   []int16 // nil if there is none
	ideal   *ideal
}

// newArrival reproduces the noise and the losses of a call.
func (b *bench) newArrival(p *played) *arrival {
	sent := p.agent.Sent()
	a := &arrival{sent: sent, arrived: *sent}
	rng := newRand(p.seed, spoilPurpose)
	hiss, lose := p.cond.hiss(b.stock, rng), p.cond.loser(rng)
	if hiss != nil {
		a.noise = make([]int16, len(sent.PCM))
		hiss(a.noise)
		a.ideal = newIdeal(a.noise)
	}
	if lose != nil {
		a.arrived.PCM = append([]int16(nil), sent.PCM...)
		n := len(sent.PCM) / max(len(sent.Left), 1)
		for i := range sent.Left {
			if lose() {
				clear(a.arrived.PCM[i*n : (i+1)*n])
			}
		}
	}
	return a
}

// sureOdds are the odds from which on somebody is sure.
const sureOdds = 20

// late returns by how many ms the beginning of some samples must be found late: by the ideal
// listener, and by one that only accepts a sound if it is sure.
func (a *arrival) late(s audio.Span) (likeliest, sure float64) {
	from := s.Start
	if first, _, ok := a.arrived.Audible(s.Start, s.End); ok {
		from = first
	}
	var sums []float64
	if a.ideal != nil {
		sums = a.ideal.sums(a.sent.PCM, a.noise, s.Start, 1, s.End-s.Start)
	}
	after := func(need float64) float64 {
		first := max(from, s.Start+max(outermost(sums, need), 0)*lookStep)
		return ms(a.sent.Moment(first) - a.sent.Moment(s.Start))
	}
	return after(0), after(math.Log(sureOdds))
}
