package speech

// upsampler doubles the sample rate of a stream, piece by piece. Every other output sample is
// an input sample; those between are interpolated by a windowed sinc.
type upsampler struct {
	past [upTaps]int16
}

// upTaps is the number of input samples from which one sample is interpolated. The output is
// delayed by half of that.
const upTaps = 12

// upWeights returns sinc(k-0.5) with a Hann window, scaled to 1<<15, for the right half.
func upWeights() [upTaps / 2]int32 { return [upTaps / 2]int32{20505, -5935, 2626, -1104, 339, -32} }

// append appends pcm at twice the rate to dst.
func (u *upsampler) append(dst, pcm []int16) []int16 {
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

// halver halves the sample rate of a stream, piece by piece, with a windowed half-band filter,
// of whose taps every other one except the middle is zero.
type halver struct {
	past [2*halfReach + 1]int16
	odd  bool
}

// halfReach is the number of input samples on either side that one output sample depends on.
const halfReach = 11

// halfWeights returns sinc(k/2)/2 with a Hann window for odd k, scaled to 1<<15; the middle tap is 1<<14.
func halfWeights() [(halfReach + 1) / 2]int32 {
	return [(halfReach + 1) / 2]int32{10253, -2968, 1313, -552, 170, -16}
}

// append appends pcm at half the rate to dst.
func (h *halver) append(dst, pcm []int16) []int16 {
	weights := halfWeights()
	for _, v := range pcm {
		copy(h.past[:], h.past[1:])
		h.past[2*halfReach] = v
		if h.odd = !h.odd; h.odd {
			continue
		}
		sum := int64(h.past[halfReach])<<14 + 1<<14
		for i, w := range weights {
			k := 2*i + 1
			sum += int64(w) * (int64(h.past[halfReach-k]) + int64(h.past[halfReach+k]))
		}
		dst = append(dst, int16(min(max(sum>>15, -32768), 32767)))
	}
	return dst
}
