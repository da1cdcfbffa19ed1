package main

import (
	"math"
	"math/cmplx"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/practice"
)

// The windows in which an observer who knows everything looks, in samples.
const (
	lookWindow = segmentRate / 50
	lookStep   = segmentRate / 1000
	noiseStep  = segmentRate / 100
	noiseAbout = segmentRate / 10
	lookFFT    = 256
	lookBands  = 16
)

// observer knows the clean sound and the noise apart from one another. It says
// where the clean sound first makes a band louder by 3 dB and where it last
// does: what lies outside of that is under the noise, and no detector can be
// expected to place it.
type observer struct {
	clean, noise []int16
	known        map[int][lookBands]float64 // energies of the noise, by noiseStep
	window       [lookWindow]float64
}

func newObserver(clean, noise []int16) *observer {
	o := &observer{clean: clean, noise: noise, known: map[int][lookBands]float64{}}
	for i := range o.window {
		o.window[i] = 0.5 - 0.5*math.Cos(2*math.Pi*(float64(i)+0.5)/lookWindow)
	}
	return o
}

// seen is what stands out of the noise between two samples of the clean sound; ok is false when nothing does.
func (o *observer) seen(s audio.Span) (out audio.Span, ok bool) {
	for at := s.Start; at < s.End; at += lookStep {
		if o.standsOut(at) {
			out.Start, ok = at, true
			break
		}
	}
	for at := s.End; ok && at > out.Start; at -= lookStep {
		if o.standsOut(at) {
			out.End = at
			return out, true
		}
	}
	return s, false
}

// boundOf is what the observer sees of placed speech.
func boundOf(clean, spoilt []int16, truth []audio.Span) segmentErrors {
	noise := make([]int16, len(clean))
	for i, s := range spoilt {
		noise[i] = s - clean[i]
	}
	o := newObserver(clean, noise)
	var seen []audio.Span
	for _, t := range truth {
		if s, ok := o.seen(t); ok {
			seen = append(seen, s)
		}
	}
	return compareSegments(truth, seen)
}

// standsOut tells whether the clean sound around a sample has as much energy as the noise in any band.
func (o *observer) standsOut(at int) bool {
	noise := o.around(at)
	for b, e := range o.bands(o.clean, at) {
		if e >= noise[b] {
			return true
		}
	}
	return false
}

// around is the mean energy of the noise within 100 ms of a sample. It is never
// less than that of what can just be heard, spread over the bands.
func (o *observer) around(at int) [lookBands]float64 {
	var mean [lookBands]float64
	from, to := (at-noiseAbout)/noiseStep, (at+noiseAbout)/noiseStep
	for i := from; i <= to; i++ {
		e, ok := o.known[i]
		if !ok {
			e = o.bands(o.noise, i*noiseStep)
			o.known[i] = e
		}
		for b := range mean {
			mean[b] += e[b] / float64(to-from+1)
		}
	}
	for b := range mean {
		mean[b] = max(mean[b], 1)
	}
	return mean
}

// bands are the energies of the window centred on a sample, in bands of equal width on the mel scale.
func (o *observer) bands(pcm []int16, at int) (out [lookBands]float64) {
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

// fft transforms in place; the length is a power of two.
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

// arrival is what is left of an utterance of the agent's behind the noise, and
// after the loss of packets, of a call under a condition.
type arrival struct {
	sent     *practice.Sent
	arrived  practice.Sent
	observer *observer
}

// newArrival makes the noise and the losses of a call again.
func (b *bench) newArrival(p *played) *arrival {
	sent := p.agent.Sent()
	a := &arrival{sent: sent, arrived: *sent}
	rng := newRand(p.seed, spoilPurpose)
	hiss, lose := p.cond.hiss(b.stock, rng), p.cond.loser(rng)
	if hiss != nil {
		noise := make([]int16, len(sent.PCM))
		hiss(noise)
		a.observer = newObserver(sent.PCM, noise)
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

// late is by how many ms the beginning of a stretch of samples is bound to be found late.
func (a *arrival) late(s audio.Span) float64 {
	from := s.Start
	if first, _, ok := a.arrived.Audible(s.Start, s.End); ok {
		from = first
	}
	if a.observer != nil {
		if seen, ok := a.observer.seen(s); ok {
			from = max(from, seen.Start)
		}
	}
	return ms(a.sent.Moment(from) - a.sent.Moment(s.Start))
}
