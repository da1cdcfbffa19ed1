package mp3

// header is the header of a frame.
type header struct {
	version   int // 1 for MPEG-1, 2 for MPEG-2, 3 for MPEG-2.5
	rate      int
	channels  int
	size      int // of the whole frame in bytes
	protected bool
	rateIndex int // row of the band tables
	midSide   bool
	intensity bool
}

const headerBytes = 4

// parseHeader parses the four bytes at the beginning of a layer III frame. Frames without a bit
// rate ("free format") are not supported.
func parseHeader(b []byte) (header, bool) {
	if len(b) < headerBytes || b[0] != 0xff || b[1]&0xe0 != 0xe0 || b[1]>>1&3 != 1 {
		return header{}, false
	}
	bitrate, rate := int(b[2]>>4), int(b[2]>>2&3)
	version := []int{3, 0, 2, 1}[b[1]>>3&3]
	if version == 0 || bitrate == 0 || bitrate == 15 || rate == 3 || b[3]&3 == 2 {
		return header{}, false
	}
	h := header{version: version, protected: b[1]&1 == 0, channels: 2}
	h.rate = []int{44100, 48000, 32000}[rate] >> (version - 1)
	h.rateIndex = (version-1)*3 + rate
	switch b[3] >> 6 {
	case 3:
		h.channels = 1
	case 1:
		h.midSide, h.intensity = b[3]&0x20 != 0, b[3]&0x10 != 0
	}
	h.size = h.samples()/8*1000*bitrates(version)[bitrate]/h.rate + int(b[2]>>1&1)
	return h, h.size >= headerBytes+h.sideBytes()
}

// bitrates returns the bit rates for the indices 0 to 14 in kbit/s.
func bitrates(version int) []int {
	if version == 1 {
		return []int{0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320}
	}
	return []int{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160}
}

// samples returns the number of samples per channel in a frame.
func (h header) samples() int { return h.granules() * granule }

// granules returns the number of granules in a frame.
func (h header) granules() int {
	if h.version == 1 {
		return 2
	}
	return 1
}

// sideBytes returns the length of the side information, including the checksum before it.
func (h header) sideBytes() int {
	n := 32
	switch {
	case h.version == 1 && h.channels == 1, h.version > 1 && h.channels == 2:
		n = 17
	case h.version > 1:
		n = 9
	}
	if h.protected {
		n += 2
	}
	return n
}

// alike reports whether two frames can belong to one stream.
func (h header) alike(o header) bool {
	return h.version == o.version && h.rate == o.rate && (h.channels == 1) == (o.channels == 1)
}

// surely is how many consecutive frames are no coincidence. Headerless G.711, in which noise
// has few distinct values, can look like two frames.
const surely = 3

// Find returns the offset of the beginning of a stream, −1 if there is none: consecutive frames,
// two at the very beginning or three after something else. If head ends before the next frame,
// those before it are enough, even a single one at the very beginning.
func Find(head []byte) int {
	for at := 0; at+headerBytes <= len(head); at++ {
		if n, ends := inRow(head[at:]); n == surely || n > 0 && at == 0 && (n > 1 || ends) || n > 1 && ends {
			return at
		}
	}
	return -1
}

// inRow counts the consecutive frames of one stream, as far as it matters. ends reports that
// the next one would begin beyond the end.
func inRow(head []byte) (n int, ends bool) {
	first, ok := parseHeader(head)
	for h := first; ok && n < surely; n++ {
		if head = head[min(h.size, len(head)):]; len(head) < headerBytes {
			return n + 1, true
		}
		if h, ok = parseHeader(head); !ok || !first.alike(h) {
			return n + 1, false
		}
	}
	return n, false
}
