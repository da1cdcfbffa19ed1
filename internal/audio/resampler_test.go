package audio

import (
	"slices"
	"testing"
)

// TestResamplerRepeatsWhatIsFlat checks that runs of one value, which are not calculated but
// repeated, give the same result as resampling everything at once, whatever surrounds them.
func TestResamplerRepeatsWhatIsFlat(t *testing.T) {
	t.Parallel()
	ramp := make([]int16, 3001)
	for i := range ramp {
		ramp[i] = int16(i*37%9000 - 4500)
	}
	flat := func(v int16, n int) []int16 { return slices.Repeat([]int16{v}, n) }
	for _, rates := range [][2]int{{48000, 16000}, {44100, 16000}, {16000, 8000}, {8000, 16000}, {11025, 8000}, {47999, 16000}, {192000, 8000}} {
		for name, pcm := range map[string][]int16{
			"silence": flat(0, 100_000), "one value": flat(-1234, 100_000),
			"in between": slices.Concat(ramp, flat(0, 50_000), ramp, flat(7, 50_000), flat(8, 20_000), ramp),
		} {
			for _, size := range []int{1000, 8192, 65535} {
				r := NewResampler(rates[0], rates[1])
				var got []int16
				for piece := range slices.Chunk(pcm, size) {
					got = r.Append(got, piece)
				}
				if got = r.End(got); !slices.Equal(got, Resample(pcm, rates[0], rates[1])) {
					t.Errorf("%v, %s in pieces of %d differs", rates, name, size)
				}
			}
		}
	}
}
