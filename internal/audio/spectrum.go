package audio

import (
	"math"
	"math/bits"
)

// bandCount is the number of mel bands voice activity looks at, from 110 to 3900 Hz.
const bandCount = 13

// spectrum computes the energy of a window in mel bands: a real FFT by way of
// a complex one of half the length. A window of twice the length of the
// transform is folded onto it, which takes every second bin of the longer
// transform at half the price. Its methods do not allocate.
type spectrum struct {
	size   int // samples of the transform, a power of two from 16 on
	window []float32
	re, im []float32 // half the size
	turns  [][]turn  // the twiddles of each stage from the third on, and those of the last step
	rev    []int32
	power  []float32
	edges  [bandCount + 1]int // bins
}

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

// newSpectrum returns a transform of size samples for windows of so many, size or twice that.
func newSpectrum(size, window, rate int) *spectrum {
	h := size / 2
	s := &spectrum{size: size, window: make([]float32, window), re: make([]float32, h), im: make([]float32, h),
		rev: make([]int32, h), power: make([]float32, h)}
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

// bands writes the mean power per bin of each band of a window into out; pcm has its length.
func (s *spectrum) bands(pcm []int16, out *[bandCount]float32) {
	s.load(pcm)
	s.transform()
	s.powers()
	for b := range out {
		var e float32
		for _, p := range s.power[s.edges[b]:s.edges[b+1]] {
			e += p
		}
		out[b] = e / float32(s.edges[b+1]-s.edges[b])
	}
}

// load puts the windowed samples in bit-reversed order, the even ones as real parts.
func (s *spectrum) load(pcm []int16) {
	w := s.window[:s.size]
	p := pcm[:s.size]
	if len(s.window) == s.size {
		for i, r := range s.rev {
			s.re[r] = w[2*i] * float32(p[2*i])
			s.im[r] = w[2*i+1] * float32(p[2*i+1])
		}
		return
	}
	w2, p2 := s.window[s.size:], pcm[s.size:]
	w2, p2 = w2[:s.size], p2[:s.size]
	for i, r := range s.rev {
		s.re[r] = w[2*i]*float32(p[2*i]) + w2[2*i]*float32(p2[2*i])
		s.im[r] = w[2*i+1]*float32(p[2*i+1]) + w2[2*i+1]*float32(p2[2*i+1])
	}
}

// transform is the in-place complex FFT over re and im, whose order is already
// bit-reversed: the first two stages together, where nothing is multiplied,
// then one after the other.
func (s *spectrum) transform() {
	re, im := s.re, s.im[:len(s.re)]
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
func (s *spectrum) powers() {
	n := len(s.re)
	re, im, p := s.re, s.im[:n], s.power[:n]
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
