package audio

// Resampler resamples audio piece by piece. It keeps only what its filter still needs, and its
// total output is that of Resample for the whole input.
type Resampler struct {
	k        *kernel
	from, to int64
	held     []int16 // what the filter may still need, from sample base on
	base     int64
	in, out  int64 // number of samples in and out
	loud     bool  // held has more than one value
}

// NewResampler returns a resampler for one channel. Equal or non-positive rates change nothing.
func NewResampler(from, to int) *Resampler {
	r := &Resampler{from: int64(from), to: int64(to)}
	if from != to && from > 0 && to > 0 {
		r.k = newKernel(from, to)
	}
	return r
}

// Fresh returns a new resampler with the same rates, which shares the filter table.
func (r *Resampler) Fresh() *Resampler { return &Resampler{k: r.k, from: r.from, to: r.to} }

// Append processes the next piece and appends the output to dst.
func (r *Resampler) Append(dst, pcm []int16) []int16 {
	r.in += int64(len(pcm))
	if r.k == nil {
		return append(dst, pcm...)
	}
	r.held = append(r.held, pcm...)
	if r.loud = r.loud || !flat(r.held); !r.loud {
		dst = r.repeat(dst)
	}
	for r.out*r.k.down/r.k.up+int64(r.k.half)+1 < r.in {
		dst = append(dst, r.k.at(r.held, r.base, r.out))
		r.out++
	}
	if first := r.out*r.k.down/r.k.up - int64(r.k.half); first > r.base {
		n := copy(r.held, r.held[min(first-r.base, int64(len(r.held))):])
		r.base += int64(len(r.held) - n)
		r.held = r.held[:n]
		r.loud = r.loud && !flat(r.held)
	}
	return dst
}

// repeat produces the output for a constant input, above all silence, of which a few bytes of a
// file can stand for hours: the output repeats after as many samples as the filter has phases.
func (r *Resampler) repeat(dst []int16) []int16 {
	period := r.k.up
	ready := (r.in-int64(r.k.half)-1)*r.k.up/r.k.down - r.out
	if begins := r.out*r.k.down/r.k.up < int64(r.k.half); begins || ready <= period {
		return dst
	}
	for range period {
		dst = append(dst, r.k.at(r.held, r.base, r.out))
		r.out++
	}
	for range ready - period {
		dst = append(dst, dst[len(dst)-int(period)])
		r.out++
	}
	return dst
}

// flat reports whether all samples are equal.
func flat(pcm []int16) bool {
	for _, s := range pcm {
		if s != pcm[0] {
			return false
		}
	}
	return true
}

// End appends the last samples, as if silence followed.
func (r *Resampler) End(dst []int16) []int16 {
	if r.k == nil {
		return dst
	}
	for whole := (r.in*r.to + r.from/2) / r.from; r.out < whole; r.out++ {
		dst = append(dst, r.k.at(r.held, r.base, r.out))
	}
	return dst
}
