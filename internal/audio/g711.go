package audio

import "math/bits"

// The byte values of silence in both laws.
const (
	SilenceMuLaw byte = 0xFF
	SilenceALaw  byte = 0xD5
)

// muLawBias shifts magnitudes so that every segment starts at a power of two (33 in the 14 bits of G.711, times 4).
const muLawBias = 132

// muLaw is EncodeMuLaw as any processor does it.
func muLaw(dst []byte, src []int16) {
	dst = dst[:len(src)]
	for i, s := range src {
		sign := byte(s>>15) & 0x80
		mag := min(uint32(uint16(s^(s>>15)))+muLawBias, 0x7FFF)
		seg := uint(bits.Len32(mag)) - 8
		dst[i] = ^(sign | byte(seg)<<4 | byte(mag>>(seg+3))&0x0F)
	}
}

// muLawSamples are the samples of all mu-law bytes.
//
//nolint:gochecknoglobals // made once and never changed
var muLawSamples = decoded(muLawSample)

func decoded(sample func(byte) int16) (all [256]int16) {
	for i := range all {
		all[i] = sample(byte(i))
	}
	return all
}

func muLawSample(b byte) int16 {
	u := ^b
	mag := (int16(u&0x0F)<<3 + muLawBias) << (u >> 4 & 7)
	mag -= muLawBias
	neg := -int16(u >> 7)
	return (mag ^ neg) - neg
}

// muLawBack is DecodeMuLaw as any processor does it.
func muLawBack(dst []int16, src []byte) {
	dst = dst[:len(src)]
	for i, b := range src {
		dst[i] = muLawSamples[b]
	}
}

// EncodeALaw writes src as G.711 A-law into dst, one byte a sample, as the
// reference code of ITU-T G.191 does. dst must be at least as long as src.
func EncodeALaw(dst []byte, src []int16) {
	dst = dst[:len(src)]
	for i, s := range src {
		mag := uint32(uint16(s ^ (s >> 15)))
		seg := uint(bits.Len32(mag >> 8))
		code := byte(seg)<<4 | byte(mag>>(max(seg, 1)+3))&0x0F
		dst[i] = code ^ 0xD5 ^ byte(s>>15)&0x80
	}
}

// aLawSamples are the samples of all A-law bytes.
//
//nolint:gochecknoglobals // made once and never changed
var aLawSamples = decoded(aLawSample)

func aLawSample(b byte) int16 {
	a := b ^ 0xD5
	seg := a >> 4 & 7
	mag := int16(a&0x0F)<<4 + 8
	if seg > 0 {
		mag = (mag + 0x100) << (seg - 1)
	}
	neg := -int16(a >> 7)
	return (mag ^ neg) - neg
}

// DecodeALaw writes the samples of the A-law bytes src into dst, which must be
// at least as long as src.
func DecodeALaw(dst []int16, src []byte) {
	dst = dst[:len(src)]
	for i, b := range src {
		dst[i] = aLawSamples[b]
	}
}
