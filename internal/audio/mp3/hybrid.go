package mp3

import "math"

// hybrid transforms the lines of a channel back to 18 samples in each of 32 subbands, and those to audio.
type hybrid struct {
	overlap [granule]float32
	v       [1024]float32
	offset  int
}

// kernels are the tables of the transforms.
type kernels struct {
	cs, ca  [8]float32
	long    [36][18]float32
	short   [12][6]float32
	windows [4][36]float32
	small   [12]float32
	matrix  [64][32]float32
	window  [512]float32
}

func newKernels() *kernels {
	k := &kernels{window: synthesisWindow()}
	for i, c := range []float64{-0.6, -0.535, -0.33, -0.185, -0.095, -0.041, -0.0142, -0.0037} {
		n := math.Sqrt(1 + c*c)
		k.cs[i], k.ca[i] = float32(1/n), float32(c/n)
	}
	for i := range k.long {
		for j := range k.long[i] {
			k.long[i][j] = float32(math.Cos(math.Pi / 72 * float64((2*i+19)*(2*j+1))))
		}
	}
	for i := range k.short {
		for j := range k.short[i] {
			k.short[i][j] = float32(math.Cos(math.Pi / 24 * float64((2*i+7)*(2*j+1))))
		}
		k.small[i] = float32(math.Sin(math.Pi / 12 * (float64(i) + 0.5)))
	}
	for i := range 18 {
		s := float32(math.Sin(math.Pi / 36 * (float64(i) + 0.5)))
		k.windows[0][i], k.windows[0][35-i] = s, s
		k.windows[1][i], k.windows[3][35-i] = s, s
	}
	for i := range 6 {
		s := float32(math.Sin(math.Pi / 12 * (float64(i) + 6.5)))
		k.windows[1][18+i], k.windows[3][17-i] = 1, 1
		k.windows[1][24+i], k.windows[3][11-i] = s, s
	}
	for i := range k.matrix {
		for j := range k.matrix[i] {
			k.matrix[i][j] = float32(math.Cos(math.Pi / 64 * float64((16+i)*(2*j+1))))
		}
	}
	return k
}

// alias undoes the aliasing between neighbouring long subbands.
func (k *kernels) alias(x *[granule]float32, subbands int) {
	for sb := 1; sb < subbands; sb++ {
		for i := range 8 {
			a, b := x[18*sb-1-i], x[18*sb+i]
			x[18*sb-1-i], x[18*sb+i] = a*k.cs[i]-b*k.ca[i], b*k.cs[i]+a*k.ca[i]
		}
	}
}

// subbands computes the inverse transform of all subbands, overlapped with the previous granule. longs is
// how many subbands are long regardless of the block type. The output is in time order: 18 rows of 32.
func (h *hybrid) subbands(k *kernels, p *part, longs int, x *[granule]float32, out *[18][32]float32) {
	for sb := range 32 {
		var t [36]float32
		in := x[18*sb : 18*sb+18]
		switch {
		case p.short() && sb >= longs:
			k.inverseShort(in, &t)
		case p.short(): // the long part of a mixed block has the window of a long one
			k.inverseLong(in, &k.windows[0], &t)
		default:
			k.inverseLong(in, &k.windows[p.block], &t)
		}
		lap := h.overlap[18*sb : 18*sb+18]
		for i := range 18 {
			s := t[i] + lap[i]
			if i&sb&1 == 1 { // odd samples of odd subbands are inverted
				s = -s
			}
			out[i][sb] = s
			lap[i] = t[18+i]
		}
	}
}

// inverseLong is the 36-point transform. The first half of its output is odd and the second
// even about the middle, so only half of it is computed.
func (k *kernels) inverseLong(in []float32, window *[36]float32, t *[36]float32) {
	sound := false
	for _, v := range in {
		sound = sound || v != 0
	}
	if !sound {
		return
	}
	for i := range 9 {
		var a, b float32
		for j, v := range in[:18] {
			a += v * k.long[i][j]
			b += v * k.long[18+i][j]
		}
		t[i], t[17-i] = a*window[i], -a*window[17-i]
		t[18+i], t[35-i] = b*window[18+i], b*window[35-i]
	}
}

// inverseShort is three consecutive 12-point transforms.
func (k *kernels) inverseShort(in []float32, t *[36]float32) {
	for w := range 3 {
		for i := range 12 {
			var s float32
			for j := range 6 {
				s += in[3*j+w] * k.short[i][j]
			}
			t[6+6*w+i] += s * k.small[i]
		}
	}
}

// sound is the polyphase synthesis of one row of subbands: 32 samples.
func (h *hybrid) sound(k *kernels, row *[32]float32, out []int16) {
	h.offset = (h.offset - 64) & 1023
	v := h.v[h.offset : h.offset+64]
	// The cosines are symmetric about k = 16 (i = 0) and antisymmetric about k = 48, so 32 of
	// 64 are computed.
	for i := range 17 {
		var s float32
		m := &k.matrix[i]
		for j, x := range row {
			s += x * m[j]
		}
		v[i] = s
		if i < 16 {
			v[32-i] = -s
		}
	}
	for i := 33; i <= 48; i++ {
		var s float32
		m := &k.matrix[i]
		for j, x := range row {
			s += x * m[j]
		}
		v[i] = s
		if i > 48-16 && i < 48 {
			v[96-i] = s
		}
	}
	for j := range 32 {
		var s float32
		for i := range 8 {
			s += h.v[(h.offset+128*i+j)&1023] * k.window[64*i+j]
			s += h.v[(h.offset+128*i+96+j)&1023] * k.window[64*i+32+j]
		}
		out[j] = clamp(s)
	}
}

func clamp(s float32) int16 {
	s *= 32768
	switch {
	case s != s:
		return 0
	case s >= math.MaxInt16:
		return math.MaxInt16
	case s <= math.MinInt16:
		return math.MinInt16
	}
	return int16(math.RoundToEven(float64(s)))
}
