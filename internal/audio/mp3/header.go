package mp3

// header is the header of a frame.
type header struct {
	version   int // 1 for MPEG-1, 2 for MPEG-2, 3 for what is called MPEG-2.5
	rate      int
	channels  int
	size      int // of the whole frame in bytes
	protected bool
	rateIndex int // row of the band tables
	midSide   bool
	intensity bool
}

const headerBytes = 4

// parseHeader reads the four bytes that begin a frame of layer III. Frames
// without a bit rate ("free format") are not read.
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

// bitrates are those of the indexes 0 to 14 in kbit/s.
func bitrates(version int) []int {
	if version == 1 {
		return []int{0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320}
	}
	return []int{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160}
}

// samples is how many samples of a channel a frame holds.
func (h header) samples() int { return h.granules() * granule }

// granules is how many granules a frame holds.
func (h header) granules() int {
	if h.version == 1 {
		return 2
	}
	return 1
}

// sideBytes is the length of the side information with the checksum before it.
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

// alike says whether two frames can be of one stream.
func (h header) alike(o header) bool {
	return h.version == o.version && h.rate == o.rate && (h.channels == 1) == (o.channels == 1)
}

// surely is how many frames in a row are no chance. Bytes of G.711 without a header, in
// which noise has few values, look like two now and then.
const surely = 3

// Find looks for the beginning of a stream: frames that follow each other, two at the very
// beginning and three behind something else. It returns where, −1 when there is none. Where
// head ends before the next one, those before it are enough, a single one at the very beginning.
func Find(head []byte) int {
	for at := 0; at+headerBytes <= len(head); at++ {
		if n, ends := inRow(head[at:]); n == surely || n > 0 && at == 0 && (n > 1 || ends) || n > 1 && ends {
			return at
		}
	}
	return -1
}

// inRow counts the frames of one stream that begin one behind another, as far as it matters.
// ends says that the next would begin beyond the end.
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
