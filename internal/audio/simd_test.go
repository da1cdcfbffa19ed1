package audio

import (
	"math"
	"slices"
	"testing"
)

// TestEnergyCountsEverySample checks that every sample counts exactly once, whatever the length and
// the alignment.
func TestEnergyCountsEverySample(t *testing.T) {
	t.Parallel()
	pcm := slices.Repeat([]int16{math.MinInt16, 3, math.MaxInt16, -7}, 20)
	for from := range 16 {
		for to := from; to <= len(pcm); to++ {
			if a, b := Energy(pcm[from:to]), float64(squares(pcm[from:to])); a != b {
				t.Fatalf("%d to %d: %v, want %v", from, to, a, b)
			}
		}
	}
}

// TestMuLawOfManySamplesIsThatOfEach compares the encoding and decoding of many samples at once
// with that of each alone, at any alignment.
func TestMuLawOfManySamplesIsThatOfEach(t *testing.T) {
	t.Parallel()
	all := make([]int16, 1<<16)
	for i := range all {
		all[i] = int16(i)
	}
	want, got := make([]byte, len(all)), make([]byte, len(all))
	muLaw(want, all)
	if EncodeMuLaw(got, all); !slices.Equal(got, want) {
		t.Error("the codes of all samples differ")
	}
	codes := make([]byte, 256)
	for i := range codes {
		codes[i] = byte(i)
	}
	for from := range 17 {
		for to := from; to < 60; to++ {
			clear(got)
			EncodeMuLaw(got, all[from:to])
			if !slices.Equal(got[:to-from], want[from:to]) || got[to-from] != 0 {
				t.Errorf("the codes of samples %d to %d differ", from, to)
			}
			want, got := make([]int16, 256), make([]int16, 256)
			muLawBack(want, codes[from:256-to])
			if DecodeMuLaw(got, codes[from:256-to]); !slices.Equal(got, want) {
				t.Errorf("the samples of codes %d to %d differ", from, 256-to)
			}
		}
	}
}
