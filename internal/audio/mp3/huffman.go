package mp3

// tree is a Huffman code: the first 8 bits are looked up at once, the rest bit by bit.
type tree struct {
	fast  [256]entry
	nodes [][2]int16 // successor for each bit: another node, or −1−symbol
}

// entry is the result for 8 bits: a symbol after some of them, or a node after all.
type entry struct {
	used   uint8 // number of bits; 0 means that to is a node
	symbol uint8
	to     int16
}

// grow builds the tree of a code (see codes).
func grow(code string) *tree {
	t := &tree{nodes: make([][2]int16, 1)}
	word, before := 0, 0
	for i := 0; i < len(code); i += 3 {
		length := digit(code[i])
		if i > 0 {
			word++
		}
		if length >= before {
			word <<= length - before
		} else {
			word >>= before - length
		}
		before = length
		t.plant(word, length, uint8(digit(code[i+1])<<4|digit(code[i+2])))
	}
	for b := range t.fast {
		t.fast[b] = t.follow(b)
	}
	return t
}

func digit(c byte) int {
	if c >= 'a' {
		return int(c-'a') + 10
	}
	return int(c - '0')
}

// plant adds one code word.
func (t *tree) plant(word, length int, symbol uint8) {
	at := int16(0)
	for i := length - 1; ; i-- {
		bit := word >> i & 1
		if i == 0 {
			t.nodes[at][bit] = -1 - int16(symbol)
			return
		}
		if t.nodes[at][bit] == 0 {
			t.nodes = append(t.nodes, [2]int16{})
			t.nodes[at][bit] = int16(len(t.nodes) - 1)
		}
		at = t.nodes[at][bit]
	}
}

// follow returns the entry for 8 bits.
func (t *tree) follow(b int) entry {
	at := int16(0)
	for i := range 8 {
		if at = t.nodes[at][b>>(7-i)&1]; at < 0 {
			return entry{used: uint8(i + 1), symbol: uint8(-1 - at)}
		}
	}
	return entry{to: at}
}

// read decodes one symbol.
func (t *tree) read(b *bits) uint8 {
	e := t.fast[b.peek(8)]
	if e.used > 0 {
		b.at += int(e.used)
		return e.symbol
	}
	b.at += 8
	for at := e.to; ; {
		if at = t.nodes[at][b.read(1)]; at < 0 {
			return uint8(-1 - at)
		}
	}
}

// samples decodes the quantised lines of a part, which ends at bit end. It returns an upper
// bound for the number of leading lines that are not all zero.
func (d *Decoder) samples(b *bits, p *part, bands layout, end int, into *[granule]int32) int {
	clear(into[:])
	limit := min(2*p.bigValues, granule)
	at, i := 0, 0
	for region := range 3 {
		stop := limit
		if region < 2 {
			stop = 0
			for ; i < len(bands) && p.regions[region] > 0; i++ {
				stop += bands[i].width
				p.regions[region]--
			}
			stop = min(at+stop, limit)
		}
		code, further := tableOf(p.tables[region])
		t := d.trees[code]
		if t == nil { // tables 0, 4 and 14 are empty: silence
			at = max(at, stop)
			continue
		}
		for ; at < stop && b.at < end; at += 2 {
			s := t.read(b)
			into[at] = value(b, int32(s>>4), further)
			into[at+1] = value(b, int32(s&15), further)
		}
	}
	return d.quads(b, p, end, at, into)
}

// value reads the further bits and the sign of one line.
func value(b *bits, v int32, further int) int32 {
	if v == 15 && further > 0 {
		v += int32(b.read(further))
	}
	if v != 0 && b.read(1) == 1 {
		return -v
	}
	return v
}

// quads decodes the lines that are −1, 0 or 1, four at a time.
func (d *Decoder) quads(b *bits, p *part, end, at int, into *[granule]int32) int {
	for at+4 <= granule && b.at < end {
		var s int
		if p.countTable == 1 {
			s = 15 - b.read(4)
		} else {
			s = int(d.trees[32].read(b))
		}
		for k := range 4 {
			into[at+k] = value(b, int32(s>>(3-k)&1), 0)
		}
		if b.at > end { // the last one extends beyond the end: stuffing
			clear(into[at : at+4])
			break
		}
		at += 4
	}
	b.at = end
	return at
}
