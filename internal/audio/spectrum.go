package audio

import (
	"math"
	"math/bits"
	"sync"
)

// bandCount is the number of mel bands voice activity looks at, from 110 to 3900 Hz.
const bandCount = 13

// spectrum computes the energy of a window in mel bands: a real FFT by way of a
// complex one of half the length. It holds tables only, which never change, so
// that all who listen at a rate share them. Windows of up to longWindow samples allocate nothing.
type spectrum struct {
	size   int // samples in a window, a power of two
	window []float32
	cos    []float32 // twiddles of the full size, half a turn
	sin    []float32
	rev    []uint16
	edges  [bandCount + 1]int // bins
	stages []stage
}

// stage are the twiddles of one step of the FFT in the order in which they are used.
type stage struct{ cos, sin []float32 }

// spectra are the tables that were made so far, by window and rate.
//
//nolint:gochecknoglobals // made once and never changed; a call needs them within the cache of the processor
var spectra sync.Map

type spectrumKey struct{ size, rate int }

// newSpectrum returns the tables for windows of size samples at the rate.
func newSpectrum(size, rate int) *spectrum {
	key := spectrumKey{size, rate}
	if s, ok := spectra.Load(key); ok {
		return s.(*spectrum)
	}
	s, _ := spectra.LoadOrStore(key, makeSpectrum(size, rate))
	return s.(*spectrum)
}

func makeSpectrum(size, rate int) *spectrum {
	h := size / 2
	s := &spectrum{
		size: size, window: make([]float32, size), cos: make([]float32, h), sin: make([]float32, h), rev: make([]uint16, h),
	}
	var sum float64
	for i := range s.window {
		w := 0.5 - 0.5*math.Cos(2*math.Pi*(float64(i)+0.5)/float64(size))
		s.window[i] = float32(w)
		sum += w * w
	}
	// With this scale the band energies of white noise of mean square P are about P each.
	scale := float32(1 / math.Sqrt(sum))
	for i := range s.window {
		s.window[i] *= scale
	}
	shift := bits.UintSize - (bits.Len(uint(h)) - 1)
	for i := range h {
		a := 2 * math.Pi * float64(i) / float64(size)
		s.cos[i], s.sin[i] = float32(math.Cos(a)), float32(-math.Sin(a))
		s.rev[i] = uint16(bits.Reverse(uint(i)) >> shift)
	}
	for half := 4; half < h; half *= 2 {
		var one stage
		for t := 0; t < h; t += h / half {
			one.cos, one.sin = append(one.cos, s.cos[t]), append(one.sin, s.sin[t])
		}
		s.stages = append(s.stages, one)
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

// bands writes the mean power per bin of each band of the window pcm (size samples) into out.
func (s *spectrum) bands(pcm []int16, out *[bandCount]float32) {
	n := s.size / 2
	switch {
	case s.size <= usualWindow:
		var re, im [usualWindow / 2]float32
		s.bandsIn(re[:n], im[:n], pcm, out)
	case s.size <= longWindow:
		var re, im [longWindow / 2]float32
		s.bandsIn(re[:n], im[:n], pcm, out)
	default:
		s.bandsIn(make([]float32, n), make([]float32, n), pcm, out)
	}
}

// The windows in samples for which memory is taken from the stack: those of a
// line, and those of any recording that there is.
const usualWindow, longWindow = 512, 4096

// bandsIn does the work of bands in the memory re and im, half the size each.
func (s *spectrum) bandsIn(re, im []float32, pcm []int16, out *[bandCount]float32) {
	pcm = pcm[:s.size]
	w := s.window[:len(pcm)]
	im = im[:len(re)]
	for i, r := range s.rev[:len(re)] {
		k := 2 * int(r)
		a, b := pcm[k:k+2:k+2], w[k:k+2:k+2]
		re[i], im[i] = b[0]*float32(a[0]), b[1]*float32(a[1])
	}
	s.transform(re, im)
	for b := range out {
		var e float32
		for k := s.edges[b]; k < s.edges[b+1]; k++ {
			e += s.power(re, im, k)
		}
		out[b] = e / float32(s.edges[b+1]-s.edges[b])
	}
}

// transform is the in-place complex FFT over re and im, whose order is already
// bit-reversed. There are at least 8 of them.
func (s *spectrum) transform(re, im []float32) {
	firstStages(re, im)
	half := 4
	for _, tw := range s.stages {
		for start := 0; start < len(re); start += 2 * half {
			butterflies(re[start:start+half], im[start:start+half], re[start+half:start+2*half], im[start+half:start+2*half], tw)
		}
		half *= 2
	}
}

// firstStages are the first two steps, whose factors are 1 and -i.
func firstStages(re, im []float32) {
	for len(re) >= 4 && len(im) >= 4 {
		r, i := re[:4:4], im[:4:4]
		ar, ai, br, bi := r[0]+r[1], i[0]+i[1], r[0]-r[1], i[0]-i[1]
		cr, ci, dr, di := r[2]+r[3], i[2]+i[3], r[2]-r[3], i[2]-i[3]
		r[0], i[0], r[2], i[2] = ar+cr, ai+ci, ar-cr, ai-ci
		r[1], i[1], r[3], i[3] = br+di, bi-dr, br-di, bi+dr
		re, im = re[4:], im[4:]
	}
}

// butterflies join two halves a and b with the twiddles of their stage.
func butterflies(ar, ai, br, bi []float32, tw stage) {
	n := len(ar)
	ai, br, bi = ai[:n], br[:n], bi[:n]
	cos, sin := tw.cos[:n], tw.sin[:n]
	for j, c := range cos {
		d := sin[j]
		xr, xi := br[j]*c-bi[j]*d, br[j]*d+bi[j]*c
		br[j], bi[j] = ar[j]-xr, ai[j]-xi
		ar[j], ai[j] = ar[j]+xr, ai[j]+xi
	}
}

// power is the squared magnitude of bin k (0 < k < size/2) of the real transform.
func (s *spectrum) power(re, im []float32, k int) float32 {
	n := len(re)
	ar, ai, br, bi := re[k], im[k], re[n-k], im[n-k]
	er, ei := (ar+br)/2, (ai-bi)/2
	or, oi := (ai+bi)/2, (br-ar)/2
	c, d := s.cos[k], s.sin[k]
	xr, xi := er+or*c-oi*d, ei+or*d+oi*c
	return xr*xr + xi*xi
}
