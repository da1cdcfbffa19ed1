package mp3

// granule is the number of samples per channel that are coded together.
const granule = 576

// side is the side information of a frame.
type side struct {
	begin int        // where the main data begins, in bytes before this frame's own
	share [2]int     // scale factors that the second granule shares with the first, by channel
	parts [2][2]part // by granule and channel
}

// part is the coding information for one channel of one granule.
type part struct {
	length     int // of scale factors and samples, in bits
	bigValues  int
	gain       int
	compress   int
	block      int // 0 long, 1 start, 2 short, 3 stop
	mixed      bool
	tables     [3]int
	subGain    [3]int
	regions    [2]int // number of bands in the first two regions
	preflag    bool
	coarse     bool // scale factors count double
	countTable int
}

// readSide reads the side information after the header and checksum.
func readSide(h header, b *bits) side {
	var s side
	if h.version == 1 {
		s.begin = b.read(9)
		b.read(7 - 2*h.channels) // private: 5 bits of one channel, 3 of two
		for c := range h.channels {
			s.share[c] = b.read(4)
		}
	} else {
		s.begin = b.read(8)
		b.read(h.channels)
	}
	for g := range h.granules() {
		for c := range h.channels {
			s.parts[g][c] = readPart(h, b)
		}
	}
	return s
}

func readPart(h header, b *bits) part {
	p := part{length: b.read(12), bigValues: b.read(9), gain: b.read(8)}
	if h.version == 1 {
		p.compress = b.read(4)
	} else {
		p.compress = b.read(9)
	}
	if b.read(1) == 1 {
		p.block, p.mixed = b.read(2), b.read(1) == 1
		p.tables = [3]int{b.read(5), b.read(5), 0}
		p.subGain = [3]int{b.read(3), b.read(3), b.read(3)}
		p.regions = [2]int{8, 99}
		if p.block == 2 && !p.mixed {
			p.regions[0] = 9
		}
		p.mixed = p.mixed && p.block == 2
	} else {
		p.tables = [3]int{b.read(5), b.read(5), b.read(5)}
		p.regions = [2]int{b.read(4) + 1, b.read(3) + 1}
	}
	if h.version == 1 {
		p.preflag = b.read(1) == 1
	} else {
		p.preflag = p.compress >= 500
	}
	p.coarse, p.countTable = b.read(1) == 1, b.read(1)
	return p
}

// short reports whether the part has short blocks (apart from the long part of a mixed block).
func (p part) short() bool { return p.block == 2 }
