package activity

import (
	"math"
	"math/bits"
	"sync"
)

// bandCount is the number of mel bands used by voice activity detection, from 110 to 3900 Hz.
const bandCount = 13

// spectrum computes the energy of a window in mel bands, with a real FFT based on a complex one
// of half the length. A window of twice the transform's length is folded onto it, which yields
// every second bin of the longer transform at half the cost. It holds only constant tables,
// which are shared by all users of a rate.
type spectrum struct {
	size      int       // samples of the transform, a power of two from 16 on
	even, odd []float32 // the window's weights for even and odd samples
	rev       []int32
	turns     []turns            // for each stage from the third on, and for the last step
	edges     [bandCount + 1]int // bins
}

// workbench is the memory for computing a spectrum: half the size each.
type workbench struct{ re, im, power []float32 }

// turns are consecutive points on the unit circle, clockwise.
type turns struct{ cos, sin []float32 }

// turnsOf returns the first n of the points that divide the circle into full steps.
func turnsOf(n, full int) turns {
	t := turns{make([]float32, n), make([]float32, n)}
	for i := range n {
		a := 2 * math.Pi * float64(i) / float64(full)
		t.cos[i], t.sin[i] = float32(math.Cos(a)), float32(-math.Sin(a))
	}
	return t
}

// spectra caches the tables for the rates of telephone lines.
//
//nolint:gochecknoglobals // made once and never changed; calls need them within the cache of the processor
var spectra sync.Map

type spectrumKey struct{ size, window, rate int }

// newSpectrum returns a transform of size samples for windows of size or twice size samples.
func newSpectrum(size, window, rate int) *spectrum {
	if rate != 8000 && rate != 16000 {
		return makeSpectrum(size, window, rate)
	}
	key := spectrumKey{size, window, rate}
	if s, ok := spectra.Load(key); ok {
		return s.(*spectrum)
	}
	s, _ := spectra.LoadOrStore(key, makeSpectrum(size, window, rate))
	return s.(*spectrum)
}

func makeSpectrum(size, window, rate int) *spectrum {
	h := size / 2
	s := &spectrum{size: size, even: make([]float32, window/2), odd: make([]float32, window/2), rev: make([]int32, h)}
	weights, sum := make([]float64, window), 0.0
	for i := range weights {
		weights[i] = 0.5 - 0.5*math.Cos(2*math.Pi*(float64(i)+0.5)/float64(window))
		sum += weights[i] * weights[i]
	}
	// With this scale the band energies of white noise of mean square P are about P each.
	scale := float32(1 / math.Sqrt(sum))
	for i := range s.even {
		s.even[i], s.odd[i] = float32(weights[2*i])*scale, float32(weights[2*i+1])*scale
	}
	for half := 4; half <= h; half *= 2 {
		s.turns = append(s.turns, turnsOf(half, 2*half))
	}
	shift := bits.UintSize - (bits.Len(uint(h)) - 1)
	for i := range s.rev {
		s.rev[i] = int32(bits.Reverse(uint(i)) >> shift)
	}
	s.edges = melEdges(size, rate)
	return s
}

// melEdges divides 110 to 3900 Hz evenly on the mel scale, with at least one bin per band.
// Rates from lowestRate on allow that.
func melEdges(size, rate int) (e [bandCount + 1]int) {
	mel := func(hz float64) float64 { return 1127 * math.Log(1+hz/700) }
	low, high := mel(110), mel(min(3900, 0.4875*float64(rate)))
	for i := range e {
		hz := 700 * (math.Exp((low+(high-low)*float64(i)/bandCount)/1127) - 1)
		e[i] = int(math.Round(hz * float64(size) / float64(rate)))
		if i > 0 {
			e[i] = max(e[i], e[i-1]+1)
		}
	}
	return e
}

// shortSize, usualSize and longSize are the sizes in samples up to which the memory, which has
// to be cleared, comes from the stack: for live detection on a telephone line, for other
// detection there, and for any usual recording.
const shortSize, usualSize, longSize = 256, 512, 2048

// bands writes the mean power per bin of each band of a window to out. pcm must have the
// window's length. It does not allocate up to longSize.
func (s *spectrum) bands(pcm []int16, out *[bandCount]float32) {
	n := s.size / 2
	switch {
	case s.size <= shortSize:
		var re, im, power [shortSize / 2]float32
		s.bandsOn(workbench{re[:n], im[:n], power[:n]}, pcm, out)
	case s.size <= usualSize:
		var re, im, power [usualSize / 2]float32
		s.bandsOn(workbench{re[:n], im[:n], power[:n]}, pcm, out)
	case s.size <= longSize:
		var re, im, power [longSize / 2]float32
		s.bandsOn(workbench{re[:n], im[:n], power[:n]}, pcm, out)
	default:
		s.bandsOn(workbench{make([]float32, n), make([]float32, n), make([]float32, n)}, pcm, out)
	}
}

func (s *spectrum) bandsOn(on workbench, pcm []int16, out *[bandCount]float32) {
	s.begin(on, pcm)
	for _, t := range s.turns[:len(s.turns)-1] {
		t.stage(on)
	}
	s.turns[len(s.turns)-1].powers(on)
	for b := range out {
		var e float32
		for _, p := range on.power[s.edges[b]:s.edges[b+1]] {
			e += p
		}
		out[b] = e / float32(s.edges[b+1]-s.edges[b])
	}
}
