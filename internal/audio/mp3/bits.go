package mp3

// bits reads bits, most significant first. Beyond the end it returns zeros.
type bits struct {
	data []byte
	at   int // in bits
}

// read returns n bits, at most 24.
func (b *bits) read(n int) int {
	v := b.peek(n)
	b.at += n
	return v
}

// peek returns n bits, at most 24, without consuming them.
func (b *bits) peek(n int) int {
	i := b.at >> 3
	var v uint32
	if i+4 <= len(b.data) {
		v = uint32(b.data[i])<<24 | uint32(b.data[i+1])<<16 | uint32(b.data[i+2])<<8 | uint32(b.data[i+3])
	} else {
		for k := range 4 {
			v <<= 8
			if i+k < len(b.data) {
				v |= uint32(b.data[i+k])
			}
		}
	}
	return int(uint64(v<<(b.at&7)) >> (32 - n))
}
