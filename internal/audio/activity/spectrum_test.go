package activity

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// sameBits fails unless the spectrum of a window has the same bits with the code for this processor
// and with the portable code.
func sameBits(t *testing.T, s *spectrum, pcm []int16) {
	t.Helper()
	bench := func() workbench {
		n := s.size / 2
		return workbench{make([]float32, n), make([]float32, n), make([]float32, n)}
	}
	own, plain := bench(), bench()
	same := func(step string) {
		t.Helper()
		for name, both := range map[string][2][]float32{"re": {own.re, plain.re}, "im": {own.im, plain.im}, "power": {own.power, plain.power}} {
			for i := range both[0] {
				if a, b := both[0][i], both[1][i]; math.Float32bits(a) != math.Float32bits(b) {
					t.Fatalf("%d samples, %s: %s[%d] is %x, plainly %x", s.size, step, name, i, a, b)
				}
			}
		}
	}
	s.begin(own, pcm)
	s.beginPlainly(plain, pcm)
	same("beginning")
	last := len(s.turns) - 1
	for _, turns := range s.turns[:last] {
		turns.stage(own)
		turns.stagePlainly(plain)
		same("a stage")
	}
	s.turns[last].powers(own)
	s.turns[last].powersPlainly(plain)
	same("powers")
}

func TestEveryProcessorComesToTheSameBits(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for size := 16; size <= 2*longSize; size *= 2 {
		for _, window := range []int{size, 2 * size} {
			s := makeSpectrum(size, window, 8000)
			for range 20 {
				pcm := make([]int16, window)
				loud := 1 + rng.IntN(1<<15)
				for i := range pcm {
					pcm[i] = int16(rng.IntN(2*loud) - loud)
				}
				sameBits(t, s, pcm)
			}
			sameBits(t, s, slices.Repeat([]int16{math.MinInt16}, window))
			sameBits(t, s, make([]int16, window))
		}
	}
}

func FuzzSpectrum(f *testing.F) {
	f.Add([]byte{0, 0x80, 0xFF, 0x7F, 1}, uint8(3))
	f.Fuzz(func(t *testing.T, samples []byte, shape uint8) {
		size := 16 << (shape % 8)
		s := makeSpectrum(size, size<<(shape>>7), 8000)
		pcm := make([]int16, len(s.even)*2)
		for i := 0; len(samples) > 1; i++ {
			pcm[i%len(pcm)] += int16(binary.LittleEndian.Uint16(samples))
			samples = samples[2:]
		}
		sameBits(t, s, pcm)
	})
}
