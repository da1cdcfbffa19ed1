package flac

import "fmt"

// subframe reads one channel of a frame: samples of width bits.
func (d *decoder) subframe(pcm []int64, width uint) error {
	b := d.bits
	pad, kind := b.read(1), b.read(6)
	var wasted uint
	if b.read(1) == 1 {
		wasted = uint(min(b.zeros(), 64)) + 1
	}
	if b.err != nil {
		return b.err
	}
	if pad != 0 || wasted >= width {
		return fmt.Errorf("%w: a channel of a frame", errFormat)
	}
	width -= wasted
	if err := d.samples(pcm, kind, width); err != nil {
		return err
	}
	if wasted > 0 {
		for i := range pcm {
			pcm[i] <<= wasted
		}
	}
	return nil
}

func (d *decoder) samples(pcm []int64, kind uint64, width uint) error {
	b := d.bits
	switch {
	case kind == 0:
		v := b.signed(width)
		for i := range pcm {
			pcm[i] = v
		}
		return b.err
	case kind == 1:
		for i := range pcm {
			pcm[i] = b.signed(width)
		}
		return b.err
	case kind >= 8 && kind <= 12:
		return d.fixed(pcm, int(kind-8), width)
	case kind >= 32:
		return d.predicted(pcm, int(kind-31), width)
	}
	return fmt.Errorf("%w: a channel of a reserved kind", errFormat)
}

// warmUp reads the samples with which a prediction begins.
func (d *decoder) warmUp(pcm []int64, order int, width uint) error {
	if order > len(pcm) {
		return fmt.Errorf("%w: more samples to begin with than there are", errFormat)
	}
	for i := range order {
		pcm[i] = d.bits.signed(width)
	}
	return d.bits.err
}

// fixed decodes a subframe with one of the five fixed predictors.
func (d *decoder) fixed(pcm []int64, order int, width uint) error {
	if err := d.warmUp(pcm, order, width); err != nil {
		return err
	}
	if err := d.bits.residual(pcm, order); err != nil {
		return err
	}
	coefficients := [5][]int64{{}, {1}, {2, -1}, {3, -3, 1}, {4, -6, 4, -1}}[order]
	restore(pcm, coefficients, 0)
	return nil
}

// predicted decodes a subframe with a linear predictor.
func (d *decoder) predicted(pcm []int64, order int, width uint) error {
	if err := d.warmUp(pcm, order, width); err != nil {
		return err
	}
	b := d.bits
	precision, shift := uint(b.read(4))+1, b.signed(5)
	if b.err == nil && (precision == 16 || shift < 0) {
		return fmt.Errorf("%w: a prediction that is not valid", errFormat)
	}
	var coefficients [32]int64
	for i := range order {
		coefficients[i] = b.signed(precision)
	}
	if b.err != nil {
		return b.err
	}
	if err := b.residual(pcm, order); err != nil {
		return err
	}
	restore(pcm, coefficients[:order], uint(shift))
	return nil
}

// restore adds the prediction from previous samples to each residual. Values that no encoder
// writes may overflow; the result is then wrong, but bounded.
func restore(pcm, coefficients []int64, shift uint) {
	order := len(coefficients)
	for i := order; i < len(pcm); i++ {
		var sum int64
		for k, c := range coefficients {
			sum += c * pcm[i-1-k]
		}
		// 33 bits hold a sample of any width, including the difference channel.
		pcm[i] = (pcm[i] + sum>>shift) << 31 >> 31
	}
}

// residual reads the residuals from sample order on.
func (b *bitReader) residual(pcm []int64, order int) error {
	method, partitions := b.read(2), b.read(4)
	if b.err != nil {
		return b.err
	}
	parts := 1 << partitions
	each := len(pcm) / parts
	if method > 1 || each*parts != len(pcm) || each < order {
		return fmt.Errorf("%w: differences that are not valid", errFormat)
	}
	width := uint(4 + method)
	at := order
	for p := range parts {
		if err := b.partition(pcm[at:(p+1)*each], width); err != nil {
			return err
		}
		at = (p + 1) * each
	}
	return nil
}

// partition reads the residuals that share one parameter of the given width.
func (b *bitReader) partition(out []int64, width uint) error {
	parameter := uint(b.read(width))
	if parameter == 1<<width-1 {
		plain := uint(b.read(5))
		for i := range out {
			out[i] = b.signed(plain)
		}
		return b.err
	}
	for i := range out {
		high := b.zeros()
		if high > 1<<33 {
			return fmt.Errorf("%w: a difference that is too large", errFormat)
		}
		v := high<<parameter | b.read(parameter)
		out[i] = (int64(v>>1) ^ -int64(v&1)) << 30 >> 30
		if b.err != nil {
			return b.err
		}
	}
	return b.err
}
