package audio

// Sums of squares and mu-law are computed here with eight values at a time, in assembly, since
// Go has no vector operations. SSE2 is sufficient, which every amd64 processor has. The results
// are identical to those of level.go and g711.go.

// Energy returns the sum of squares.
func Energy(pcm []int16) float64 {
	whole := len(pcm) &^ 7
	e := squares(pcm[whole:])
	if whole > 0 {
		e += squaresEight(&pcm[0], whole)
	}
	return float64(e)
}

// EncodeMuLaw encodes src as G.711 mu-law into dst, one byte per sample, like the reference
// code of ITU-T G.191. dst must be at least as long as src.
func EncodeMuLaw(dst []byte, src []int16) {
	whole := len(src) &^ 7
	if whole > 0 {
		muLawEight(&dst[:whole][0], &src[0], whole)
	}
	muLaw(dst[whole:], src[whole:])
}

// DecodeMuLaw decodes the mu-law codes src into dst, which must be at least as long as src.
func DecodeMuLaw(dst []int16, src []byte) {
	whole := len(src) &^ 7
	if whole > 0 {
		muLawBackEight(&dst[:whole][0], &src[0], whole)
	}
	muLawBack(dst[whole:], src[whole:])
}

//go:noescape
func squaresEight(pcm *int16, n int) int64

//go:noescape
func muLawEight(dst *byte, src *int16, n int)

//go:noescape
func muLawBackEight(dst *int16, src *byte, n int)
