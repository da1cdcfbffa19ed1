package activity

// The portable steps of a spectrum. On amd64, begin, stage and powers replace them, which
// compute four values at a time with identical results: conversions to float32 here round each
// product, so that no processor fuses it with a sum.

// beginPlainly applies the window, takes even samples for real and odd ones for imaginary
// parts, arranges them in bit-reversed order and computes the first two stages.
func (s *spectrum) beginPlainly(on workbench, pcm []int16) {
	s.load(on, pcm)
	quarters(on)
}

// load stores the windowed samples in bit-reversed order.
func (s *spectrum) load(on workbench, pcm []int16) {
	h := len(s.rev)
	re, im, p := on.re[:h], on.im[:h], pcm[:2*h]
	even, odd := s.even[:h], s.odd[:h]
	if len(s.even) == h {
		for i, r := range s.rev {
			re[r], im[r] = even[i]*float32(p[2*i]), odd[i]*float32(p[2*i+1])
		}
		return
	}
	even2, odd2, p2 := s.even[h:][:h], s.odd[h:][:h], pcm[2*h:][:2*h]
	for i, r := range s.rev {
		re[r] = float32(even[i]*float32(p[2*i])) + float32(even2[i]*float32(p2[2*i]))
		im[r] = float32(odd[i]*float32(p[2*i+1])) + float32(odd2[i]*float32(p2[2*i+1]))
	}
}

// quarters computes the first two stages of the in-place complex FFT, which need no multiplication.
func quarters(on workbench) {
	re, im := on.re, on.im[:len(on.re)]
	for i := 0; i+4 <= len(re); i += 4 {
		r, q := re[i:i+4:i+4], im[i:i+4:i+4]
		ar, ai, br, bi := r[0]+r[1], q[0]+q[1], r[0]-r[1], q[0]-q[1]
		cr, ci, dr, di := r[2]+r[3], q[2]+q[3], r[2]-r[3], q[2]-q[3]
		r[0], q[0], r[2], q[2] = ar+cr, ai+ci, ar-cr, ai-ci
		r[1], q[1], r[3], q[3] = br+di, bi-dr, br-di, bi+dr
	}
}

// stagePlainly computes the stage with so many turns, which joins transforms of that length to ones of
// twice the length.
func (t turns) stagePlainly(on workbench) {
	half := len(t.cos)
	cos, sin := t.cos, t.sin[:half]
	for i := 0; i < len(on.re); i += 2 * half {
		lr, hr := on.re[i:][:half], on.re[i+half:][:half]
		li, hi := on.im[i:][:half], on.im[i+half:][:half]
		for j, c := range cos {
			s := sin[j]
			xr, xi := float32(hr[j]*c)-float32(hi[j]*s), float32(hr[j]*s)+float32(hi[j]*c)
			ar, ai := lr[j], li[j]
			hr[j], hi[j] = ar-xr, ai-xi
			lr[j], li[j] = ar+xr, ai+xi
		}
	}
}

// powersPlainly separates the squared magnitudes of the real transform, bin k and its mirror
// together. The turns are half as wide as those of a further stage would be.
func (t turns) powersPlainly(on workbench) {
	n := len(on.re)
	re, im, p := on.re, on.im[:n], on.power[:n]
	for k := 1; k <= n/2; k++ {
		ar, ai, br, bi := re[k], im[k], re[n-k], im[n-k]
		er, ei := ar+br, ai-bi
		or, oi := ai+bi, br-ar
		c, s := t.cos[k], t.sin[k]
		xr, xi := float32(or*c)-float32(oi*s), float32(or*s)+float32(oi*c)
		p[k] = square(er+xr, ei+xi) / 4
		p[n-k] = square(er-xr, ei-xi) / 4
	}
}

// square returns the squared magnitude.
func square(re, im float32) float32 { return float32(re*re) + float32(im*im) }
