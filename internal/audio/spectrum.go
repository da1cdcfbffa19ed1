package audio

import (
	"math"
	"math/bits"
)

// bandCount is the number of mel bands voice activity looks at, from 110 to 3900 Hz.
const bandCount = 13

// spectrum computes the energy of a window in mel bands: a real FFT by way of
// a complex one of half the length. Its methods do not allocate.
type spectrum struct {
	size   int // samples in a window, a power of two
	window []float32
	re, im []float32 // half the size
	cos    []float32 // twiddles of the full size, half a turn
	sin    []float32
	rev    []int
	edges  [bandCount + 1]int // bins
}

func newSpectrum(size, rate int) *spectrum {
	h := size / 2
	s := &spectrum{size: size, window: make([]float32, size), re: make([]float32, h), im: make([]float32, h),
		cos: make([]float32, h), sin: make([]float32, h), rev: make([]int, h)}
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
		s.rev[i] = int(bits.Reverse(uint(i)) >> shift)
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
	pcm = pcm[:s.size]
	w := s.window[:s.size]
	for i, r := range s.rev {
		s.re[i] = w[2*r] * float32(pcm[2*r])
		s.im[i] = w[2*r+1] * float32(pcm[2*r+1])
	}
	s.transform()
	for b := range out {
		var e float32
		for k := s.edges[b]; k < s.edges[b+1]; k++ {
			e += s.power(k)
		}
		out[b] = e / float32(s.edges[b+1]-s.edges[b])
	}
}

// transform is the in-place complex FFT over re and im, whose order is already bit-reversed.
func (s *spectrum) transform() {
	n := len(s.re)
	re, im := s.re, s.im[:n]
	for half := 1; half < n; half *= 2 {
		step := n / half // in twiddles of the full size
		for start := 0; start < n; start += 2 * half {
			for j, t := start, 0; j < start+half; j, t = j+1, t+step {
				c, d := s.cos[t], s.sin[t]
				k := j + half
				xr, xi := re[k]*c-im[k]*d, re[k]*d+im[k]*c
				re[k], im[k] = re[j]-xr, im[j]-xi
				re[j], im[j] = re[j]+xr, im[j]+xi
			}
		}
	}
}

// power is the squared magnitude of bin k (0 < k < size/2) of the real transform.
func (s *spectrum) power(k int) float32 {
	n := len(s.re)
	ar, ai, br, bi := s.re[k], s.im[k], s.re[n-k], s.im[n-k]
	er, ei := (ar+br)/2, (ai-bi)/2
	or, oi := (ai+bi)/2, (br-ar)/2
	c, d := s.cos[k], s.sin[k]
	xr, xi := er+or*c-oi*d, ei+or*d+oi*c
	return xr*xr + xi*xi
}
