package activity

import "github.com/ringtrue/ringtrue/internal/audio"

// Engine is the name of the method of Segments and its version, which changes whenever the
// result for the same audio can change.
const Engine = "band-envelope 10"

// Times in hops of 5 ms.
const (
	hopsPerSecond = 200
	blockHops     = hopsPerSecond / 2 // the noise is estimated every half second
	energyHops    = 3                 // band energies are taken over ±3 hops
	guardHops     = 20                // within 100 ms of speech, nothing counts as noise
	holeHops      = 30                // silence of up to 150 ms is a hole in a noisy line
)

// lowestRate is the lowest sample rate at which speech is detected.
const lowestRate = 4000

// Segments returns the stretches of speech in a whole channel, in order. It uses past and future audio and several passes. Energies in mel bands of
// centred windows every 5 ms are first separated roughly into speech and noise by their distribution within ±15 s (see guess). From the noise it
// computes the envelope that noise rarely exceeds in each band and how far it ever exceeds that (see learn), from which follows what is speech, and
// from that the noise again. In front of fluctuating noise (other voices, music), speech is recognised by its level alone (see crowd).
//
// Edges are placed at the sample where the audio becomes audible (see Clip.Audible) or rises above the noise, so there is no hangover; in noise they
// are then moved over soft sounds (see soft). Gaps under 200 ms belong to an utterance, sounds under 40 ms are dropped, and clicks do not lengthen
// one. Call progress tones are no speech (see toneEar). Below 4000 Hz nothing is found.
func Segments(pcm []int16, rate int) []audio.Span {
	hop := rate / hopsPerSecond
	if rate < lowestRate || len(pcm) < hop {
		return nil
	}
	shape := newWindows(pcm, rate, hop)
	f := measure(shape)
	speech := f.guess()
	var noise noiseModel
	var score []float32
	for range 3 { // the noise estimate improves each time
		noise = f.learn(speech)
		score = f.scores(noise)
		speech = noise.hysteresis(score)
	}
	noise.dropFaint(speech, score)
	speech, crowd := f.crowd(speech)
	r := refiner{pcm: pcm, hop: hop, noise: noise, crowd: crowd}
	spans := dropClicks(newToneCutter(r, rate).cut(r.spans(speech)), rate)
	return finish(newSoft(f, shape, spans).widen(spans, noise, crowd), rate)
}

// features are the features of the hops of a channel.
type features struct {
	// bands are the mean powers per bin in the mel bands of windows centred on the hops,
	// averaged over ±energyHops; steps are the same as histogram steps, see stepOf.
	bands []bandEnergies
	steps [][bandCount]uint8
	// own is the mean square of the hop itself.
	own []float32
	// hole marks digital silence that is not a property of the line but a lost packet.
	hole []bool
	// bins is the number of bins in each band.
	bins bandMeans
}

type bandEnergies [bandCount]float32

// windows divides a channel into windows of 16 ms (at 8 kHz) centred on its hops.
type windows struct {
	pcm  []int16
	hop  int
	spec *spectrum
	edge []int16 // a window that extends beyond the channel
}

func newWindows(pcm []int16, rate, hop int) windows {
	size := 64
	for size < rate/80 {
		size *= 2
	}
	return windows{pcm, hop, newSpectrum(size, size, rate), make([]int16, size)}
}

// bands computes the band energies of a hop's window, and reports whether it is digital
// silence, which has none.
func (s windows) bands(hop int, out *bandEnergies) (silent bool) {
	size := len(s.edge)
	from := hop*s.hop + s.hop/2 - size/2
	w := s.edge
	if from >= 0 && from+size <= len(s.pcm) {
		w = s.pcm[from : from+size]
	} else {
		window(w, s.pcm, from)
	}
	if audio.Silent(w) {
		return true
	}
	s.spec.bands(w, (*[bandCount]float32)(out))
	return false
}

// measure computes the features of every hop.
func measure(w windows) *features {
	n := (len(w.pcm) + w.hop - 1) / w.hop
	f := &features{bands: make([]bandEnergies, n), steps: make([][bandCount]uint8, n), own: make([]float32, n), hole: make([]bool, n)}
	for k := range f.bins {
		f.bins[k] = float64(w.spec.edges[k+1] - w.spec.edges[k])
	}
	for i := range f.bands {
		f.hole[i] = w.bands(i, &f.bands[i])
		own := w.pcm[i*w.hop : min((i+1)*w.hop, len(w.pcm))]
		f.own[i] = float32(audio.Energy(own) / float64(len(own)))
	}
	f.blur()
	f.findHoles()
	return f
}

// window copies the samples from an index on, with zeros outside pcm.
func window(dst, pcm []int16, from int) {
	for i := range dst {
		dst[i] = 0
		if at := from + i; at >= 0 && at < len(pcm) {
			dst[i] = pcm[at]
		}
	}
}

// blur replaces the band energies by their mean over neighbouring hops, which makes faint
// sounds stand out of noise.
func (f *features) blur() {
	var ring [2*energyHops + 1]bandEnergies
	var sum [bandCount]float64
	for i := -energyHops; i < len(f.bands); i++ {
		slot := &ring[(i+energyHops)%len(ring)]
		for k := range sum {
			sum[k] -= float64(slot[k])
		}
		*slot = bandEnergies{}
		if j := i + energyHops; j < len(f.bands) {
			*slot = f.bands[j]
		}
		for k := range sum {
			sum[k] += float64(slot[k])
			if i >= 0 {
				f.bands[i][k] = float32(max(sum[k], 0) / float64(len(ring)))
				f.steps[i][k] = stepOf(f.bands[i][k])
			}
		}
	}
}

// findHoles leaves only short silences marked: long ones are a property of the line.
func (f *features) findHoles() {
	for i := 0; i < len(f.hole); i++ {
		from := i
		for i < len(f.hole) && f.hole[i] {
			i++
		}
		if i-from > holeHops {
			clear(f.hole[from:i])
		}
	}
}
