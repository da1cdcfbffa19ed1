//go:build !amd64

package audio

// Energy is the sum of squares.
func Energy(pcm []int16) float64 { return float64(squares(pcm)) }

// EncodeMuLaw writes src as G.711 mu-law into dst, one byte a sample, as the
// reference code of ITU-T G.191 does. dst must be at least as long as src.
func EncodeMuLaw(dst []byte, src []int16) { muLaw(dst, src) }

// DecodeMuLaw writes the samples of the mu-law bytes src into dst, which must
// be at least as long as src.
func DecodeMuLaw(dst []int16, src []byte) { muLawBack(dst, src) }
