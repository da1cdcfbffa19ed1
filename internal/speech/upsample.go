package speech

// upsampler doubles the rate of a stream piece by piece. Half of its output are
// the samples themselves, half are interpolated between them by a windowed sinc.
type upsampler struct {
	on   bool
	past [upTaps]int16
}

// upTaps is how many input samples each interpolated sample is made of; the
// output lags half of that behind.
const upTaps = 12

// upWeights are sinc(k-0.5) under a Hann window, scaled to 1<<15, for the right half.
func upWeights() [upTaps / 2]int32 { return [upTaps / 2]int32{20505, -5935, 2626, -1104, 339, -32} }

// append adds pcm at the doubled rate to dst; at 16 kHz it copies.
func (u *upsampler) append(dst, pcm []int16) []int16 {
	if !u.on {
		return append(dst, pcm...)
	}
	weights := upWeights()
	for _, v := range pcm {
		copy(u.past[:], u.past[1:])
		u.past[upTaps-1] = v
		sum := int32(0)
		for k, w := range weights {
			sum += w * (int32(u.past[upTaps/2-1-k]) + int32(u.past[upTaps/2+k])) >> 5
		}
		between := min(max(sum>>10, -32768), 32767)
		dst = append(dst, u.past[upTaps/2-1], int16(between))
	}
	return dst
}
