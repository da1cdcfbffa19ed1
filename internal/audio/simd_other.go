//go:build !amd64

package audio

// Energy returns the sum of squares.
func Energy(pcm []int16) float64 { return float64(squares(pcm)) }

// EncodeMuLaw encodes src as G.711 mu-law into dst, one byte per sample, like the reference
// code of ITU-T G.191. dst must be at least as long as src.
func EncodeMuLaw(dst []byte, src []int16) { muLaw(dst, src) }

// DecodeMuLaw decodes the mu-law codes src into dst, which must be at least as long as src.
func DecodeMuLaw(dst []int16, src []byte) { muLawBack(dst, src) }
