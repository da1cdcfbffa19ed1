package audio

import "math/bits"

// The codes of silence in both laws.
const (
	SilenceMuLaw byte = 0xFF
	SilenceALaw  byte = 0xD5
)

// muLawBias shifts magnitudes so that every segment starts at a power of two (33 in the 14 bits of G.711, times 4).
const muLawBias = 132

// muLaw is the portable implementation of EncodeMuLaw.
func muLaw(dst []byte, src []int16) {
	dst = dst[:len(src)]
	for i, s := range src {
		sign := byte(s>>15) & 0x80
		mag := min(uint32(uint16(s^(s>>15)))+muLawBias, 0x7FFF)
		seg := uint(bits.Len32(mag)) - 8
		dst[i] = ^(sign | byte(seg)<<4 | byte(mag>>(seg+3))&0x0F)
	}
}

// muLawSamples holds the samples of all mu-law codes.
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

// muLawBack is the portable implementation of DecodeMuLaw.
func muLawBack(dst []int16, src []byte) {
	dst = dst[:len(src)]
	for i, b := range src {
		dst[i] = muLawSamples[b]
	}
}

// EncodeALaw encodes src as G.711 A-law into dst, one byte per sample, like the reference code
// of ITU-T G.191. dst must be at least as long as src.
func EncodeALaw(dst []byte, src []int16) {
	dst = dst[:len(src)]
	for i, s := range src {
		mag := uint32(uint16(s ^ (s >> 15)))
		seg := uint(bits.Len32(mag >> 8))
		code := byte(seg)<<4 | byte(mag>>(max(seg, 1)+3))&0x0F
		dst[i] = code ^ 0xD5 ^ byte(s>>15)&0x80
	}
}

// aLawSamples holds the samples of all A-law codes.
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

// DecodeALaw decodes the A-law codes src into dst, which must be at least as long as src.
func DecodeALaw(dst []int16, src []byte) {
	dst = dst[:len(src)]
	for i, b := range src {
		dst[i] = aLawSamples[b]
	}
}
