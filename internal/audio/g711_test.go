package audio

import "testing"

// The two functions below follow the tables of ITU-T G.711 by searching the decision values, which
// is not how the code under test does it.

func tableMuLaw(s int16) byte {
	x := int(s)
	sign := byte(0x80)
	if x < 0 {
		x, sign = -x-1, 0
	}
	x = min(x>>2, 8158)
	// 14 bits: the decision values of segment k begin at 32·2^k − 33, in steps of 2^(k+1).
	for seg := 7; seg >= 0; seg-- {
		start := 32<<seg - 33
		if x >= start {
			q := min((x-start)/(2<<seg), 15)
			return sign | (^byte(seg<<4|q))&0x7F
		}
	}
	return sign | 0x7F
}

func tableALaw(s int16) byte {
	x := int(s)
	sign := byte(0x80)
	if x < 0 {
		x, sign = -x-1, 0
	}
	x >>= 4 // 12 bits of magnitude
	code := 0
	for c := 127; c > 0; c-- {
		seg, q := c>>4, c&15
		start := q
		if seg > 0 {
			start = (16 + q) << (seg - 1)
		}
		if x >= start {
			code = c
			break
		}
	}
	return (sign | byte(code)) ^ 0x55
}

func TestLawsAgreeWithTheTables(t *testing.T) {
	t.Parallel()
	for x := -32768; x <= 32767; x++ {
		s := []int16{int16(x)}
		var mu, a [1]byte
		EncodeMuLaw(mu[:], s)
		EncodeALaw(a[:], s)
		if want := tableMuLaw(s[0]); mu[0] != want {
			t.Fatalf("mu-law of %d is %#x, want %#x", x, mu[0], want)
		}
		if want := tableALaw(s[0]); a[0] != want {
			t.Fatalf("A-law of %d is %#x, want %#x", x, a[0], want)
		}
	}
}

func TestLawsKnownVectors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		decode func([]int16, []byte)
		code   byte
		want   int16
	}{
		{"mu positive zero", DecodeMuLaw, 0xFF, 0},
		{"mu negative zero", DecodeMuLaw, 0x7F, 0},
		{"mu smallest step", DecodeMuLaw, 0xFE, 8},
		{"mu largest", DecodeMuLaw, 0x80, 32124},
		{"mu most negative", DecodeMuLaw, 0x00, -32124},
		{"mu segment edge", DecodeMuLaw, 0xEF, 132},
		{"A positive least", DecodeALaw, 0xD5, 8},
		{"A negative least", DecodeALaw, 0x55, -8},
		{"A largest", DecodeALaw, 0xAA, 32256},
		{"A most negative", DecodeALaw, 0x2A, -32256},
		{"A second segment", DecodeALaw, 0xC5, 264},
	}
	for _, tt := range tests {
		var got [1]int16
		if tt.decode(got[:], []byte{tt.code}); got[0] != tt.want {
			t.Errorf("%s: %#x gives %d, want %d", tt.name, tt.code, got[0], tt.want)
		}
	}
}

func TestLawsRoundTrip(t *testing.T) {
	t.Parallel()
	for c := range 256 {
		var pcm [1]int16
		var back [1]byte
		DecodeMuLaw(pcm[:], []byte{byte(c)})
		EncodeMuLaw(back[:], pcm[:])
		if int(back[0]) != c && c != 0x7F { // minus zero becomes zero
			t.Errorf("mu-law %#x comes back as %#x", c, back[0])
		}
		DecodeALaw(pcm[:], []byte{byte(c)})
		EncodeALaw(back[:], pcm[:])
		if int(back[0]) != c {
			t.Errorf("A-law %#x comes back as %#x", c, back[0])
		}
	}
}

func BenchmarkMuLaw(b *testing.B) {
	pcm, code := Tone(440, 8000, frame, 8000), make([]byte, 160)
	for b.Loop() {
		EncodeMuLaw(code, pcm)
		DecodeMuLaw(pcm, code)
	}
}
