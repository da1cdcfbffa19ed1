package audio

import (
	"math"
	"math/bits"
	"sync"
)

// bandCount is the number of mel bands voice activity looks at, from 110 to 3900 Hz.
const bandCount = 13

// spectrum computes the energy of a window in mel bands: a real FFT by way of
// a complex one of half the length. A window of twice the length of the
// transform is folded onto it, which takes every second bin of the longer
// transform at half the price. It holds tables only, which never change, so that
// all who listen at a rate share them.
type spectrum struct {
	size   int // samples of the transform, a power of two from 16 on
	window []float32
	turns  [][]turn // the twiddles of each stage from the third on, and those of the last step
	rev    []int32
	edges  [bandCount + 1]int // bins
}

// workbench is the memory that computing a spectrum takes: half the size each.
type workbench struct{ re, im, power []float32 }

// turn is a point on the unit circle.
type turn struct{ cos, sin float32 }

// turnsOf returns the first n of the steps that go round in full steps, clockwise.
func turnsOf(n, full int) []turn {
	out := make([]turn, n)
	for i := range out {
		a := 2 * math.Pi * float64(i) / float64(full)
		out[i] = turn{float32(math.Cos(a)), float32(-math.Sin(a))}
	}
	return out
}

// spectra are the tables for the rates of telephone lines that were made so far.
//
//nolint:gochecknoglobals // made once and never changed; calls need them within the cache of the processor
var spectra sync.Map

type spectrumKey struct{ size, window, rate int }

// newSpectrum returns a transform of size samples for windows of so many, size or twice that.
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
	s := &spectrum{size: size, window: make([]float32, window), rev: make([]int32, h)}
	var sum float64
	for i := range s.window {
		w := 0.5 - 0.5*math.Cos(2*math.Pi*(float64(i)+0.5)/float64(window))
		s.window[i] = float32(w)
		sum += w * w
	}
	// With this scale the band energies of white noise of mean square P are about P each.
	scale := float32(1 / math.Sqrt(sum))
	for i := range s.window {
		s.window[i] *= scale
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

// melEdges divides 110 to 3900 Hz evenly on the mel scale, at least one bin a
// band. Rates from lowestRate on have room for it.
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

// shortSize, usualSize and longSize are up to which size in samples computing takes its
// memory, which has to be cleared, from the stack: that of live activity on a telephone
// line, of all else there, and of any usual recording.
const shortSize, usualSize, longSize = 256, 512, 2048

// bands writes the mean power per bin of each band of a window into out; pcm has
// its length. It does not allocate up to longSize.
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
	s.load(on, pcm)
	s.transform(on)
	s.powers(on)
	for b := range out {
		var e float32
		for _, p := range on.power[s.edges[b]:s.edges[b+1]] {
			e += p
		}
		out[b] = e / float32(s.edges[b+1]-s.edges[b])
	}
}

// load puts the windowed samples in bit-reversed order, the even ones as real parts.
func (s *spectrum) load(on workbench, pcm []int16) {
	re, im := on.re, on.im
	w := s.window[:s.size]
	p := pcm[:s.size]
	if len(s.window) == s.size {
		for i, r := range s.rev {
			re[r] = w[2*i] * float32(p[2*i])
			im[r] = w[2*i+1] * float32(p[2*i+1])
		}
		return
	}
	w2, p2 := s.window[s.size:], pcm[s.size:]
	w2, p2 = w2[:s.size], p2[:s.size]
	for i, r := range s.rev {
		re[r] = w[2*i]*float32(p[2*i]) + w2[2*i]*float32(p2[2*i])
		im[r] = w[2*i+1]*float32(p[2*i+1]) + w2[2*i+1]*float32(p2[2*i+1])
	}
}

// transform is the in-place complex FFT over re and im, whose order is already
// bit-reversed: the first two stages together, where nothing is multiplied,
// then one after the other.
func (s *spectrum) transform(on workbench) {
	re, im := on.re, on.im[:len(on.re)]
	for i := 0; i+4 <= len(re); i += 4 {
		r, q := re[i:i+4:i+4], im[i:i+4:i+4]
		ar, ai, br, bi := r[0]+r[1], q[0]+q[1], r[0]-r[1], q[0]-q[1]
		cr, ci, dr, di := r[2]+r[3], q[2]+q[3], r[2]-r[3], q[2]-q[3]
		r[0], q[0], r[2], q[2] = ar+cr, ai+ci, ar-cr, ai-ci
		r[1], q[1], r[3], q[3] = br+di, bi-dr, br-di, bi+dr
	}
	for _, turns := range s.turns {
		half := len(turns)
		if 2*half > len(re) {
			break
		}
		for i := 0; i < len(re); i += 2 * half {
			lr, hr := re[i:i+half], re[i+half:i+2*half]
			li, hi := im[i:i+half], im[i+half:i+2*half]
			lr, hr, li, hi = lr[:half], hr[:half], li[:half], hi[:half]
			for j, t := range turns[:half] {
				xr, xi := hr[j]*t.cos-hi[j]*t.sin, hr[j]*t.sin+hi[j]*t.cos
				ar, ai := lr[j], li[j]
				hr[j], hi[j] = ar-xr, ai-xi
				lr[j], li[j] = ar+xr, ai+xi
			}
		}
	}
}

// powers takes the real transform's squared magnitudes apart, bin k and its mirror together.
func (s *spectrum) powers(on workbench) {
	n := len(on.re)
	re, im, p := on.re, on.im[:n], on.power[:n]
	turns := s.turns[len(s.turns)-1]
	for k := 1; k <= n/2; k++ {
		ar, ai, br, bi := re[k], im[k], re[n-k], im[n-k]
		er, ei := ar+br, ai-bi
		or, oi := ai+bi, br-ar
		t := turns[k]
		xr, xi := or*t.cos-oi*t.sin, or*t.sin+oi*t.cos
		p[k] = ((er+xr)*(er+xr) + (ei+xi)*(ei+xi)) / 4
		p[n-k] = ((er-xr)*(er-xr) + (ei-xi)*(ei-xi)) / 4
	}
}
