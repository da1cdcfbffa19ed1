package flac

import "encoding/binary"

// writer writes FLAC in all valid ways, efficient or not.
type writer struct {
	rate  int
	bits  uint
	block int
	// blocks, if set, replaces block: block lengths to be used in turn, with frames numbered by
	// samples.
	blocks []int
	// kind is the subframe type in the channels' headers.
	kind uint64
	// assignment is the channel assignment: 0 for independent, 8 to 10 for the difference modes.
	assignment uint64
	// wasted is the number of low bits that are zero in every sample.
	wasted uint
	// partitions is the base-2 logarithm of the number of residual partitions; method 1 has wide
	// parameters, plain writes the residuals without Rice coding.
	partitions uint
	method     uint64
	plain      bool
	pcm        [][]int64
}

// writings returns writers that together use every part of the format.
func writings() map[string]*writer {
	one := func(kind uint64) *writer {
		return &writer{rate: 8000, bits: 16, block: 192, kind: kind, pcm: [][]int64{ramps(1000, 16, 3)}}
	}
	all := map[string]*writer{"plain": one(1)}
	for order := range uint64(5) {
		all["fixed "+string(rune('0'+order))] = one(8 + order)
	}
	all["constant"] = &writer{rate: 16000, bits: 16, block: 500, kind: 0, pcm: [][]int64{make([]int64, 1000)}}
	all["predicted 1"], all["predicted 8"], all["predicted 32"] = one(32), one(39), one(63)
	for assignment := uint64(8); assignment <= 10; assignment++ {
		e := one(10)
		e.assignment = assignment
		e.pcm = append(e.pcm, ramps(1000, 16, 9))
		all["pair "+string(rune('a'+assignment-8))] = e
	}
	parts := one(9)
	parts.partitions, parts.method = 3, 1
	all["parts"] = parts
	plain := one(9)
	plain.plain = true
	all["plain differences"] = plain
	wasted := one(9)
	wasted.wasted = 3
	wasted.pcm = [][]int64{make([]int64, 700)}
	for i, v := range ramps(700, 12, 4) {
		wasted.pcm[0][i] = v << 3
	}
	all["wasted"] = wasted
	varied := one(10)
	varied.blocks, varied.pcm = []int{16, 500, 33, 192, 17}, [][]int64{ramps(5000, 16, 3)}
	all["blocks of many lengths"] = varied
	for _, width := range []uint{8, 12, 20, 24, 32} {
		e := one(9)
		e.method = uint64(min(width/20, 1)) // wide residuals need wide parameters
		e.bits, e.pcm = width, [][]int64{ramps(500, width, 5), ramps(500, width, 6), ramps(500, width, 7)}
		all["width "+string(rune('a'+width-8))] = e
	}
	return all
}

type bitWriter struct {
	b    []byte
	free uint
}

func (w *bitWriter) put(v uint64, n uint) {
	for ; n > 0; n-- {
		if w.free == 0 {
			w.b, w.free = append(w.b, 0), 8
		}
		w.free--
		w.b[len(w.b)-1] |= byte(v>>(n-1)&1) << w.free
	}
}

func (e *writer) file() []byte {
	w := &bitWriter{b: []byte("fLaC\x80\x00\x00\x22")}
	w.put(uint64(e.block), 16)
	w.put(uint64(e.block), 16)
	w.put(0, 48)
	w.put(uint64(e.rate), 20)
	w.put(uint64(len(e.pcm)-1), 3)
	w.put(uint64(e.bits-1), 5)
	w.put(uint64(len(e.pcm[0])), 36)
	w.put(0, 64)
	w.put(0, 64)
	for at, number := 0, 0; at < len(e.pcm[0]); number++ {
		n := e.block
		if len(e.blocks) > 0 {
			n = e.blocks[number%len(e.blocks)]
		}
		n = min(n, len(e.pcm[0])-at)
		told := number
		if len(e.blocks) > 0 {
			told = at
		}
		w.b = append(w.b, e.frame(at, n, uint64(told))...)
		at += n
	}
	return w.b
}

func (e *writer) frame(at, n int, number uint64) []byte {
	w := &bitWriter{}
	w.put(0x3ffe, 14)
	w.put(uint64(min(len(e.blocks), 1)), 2)
	w.put(7, 4)
	w.put(0, 4)
	assignment := e.assignment
	if assignment == 0 {
		assignment = uint64(len(e.pcm) - 1)
	}
	w.put(assignment, 4)
	w.put(0, 4)
	w.b = append(w.b, string(rune(number))...) // frame numbers are encoded like characters in UTF-8
	w.put(uint64(n-1), 16)
	sums := newBitReader(nil)
	var short uint8
	for _, c := range w.b {
		short = sums.table8[short^c]
	}
	w.put(uint64(short), 8)
	for c, pcm := range e.channels(at, n) {
		width := e.bits
		if c == 1 && (e.assignment == 8 || e.assignment == 10) || c == 0 && e.assignment == 9 {
			width++
		}
		e.subframe(w, pcm, width)
	}
	w.free = 0
	var long uint16
	for _, c := range w.b {
		long = long<<8 ^ sums.table16[uint8(long>>8)^c]
	}
	return binary.BigEndian.AppendUint16(w.b, long)
}

func (e *writer) channels(at, n int) [][]int64 {
	out := make([][]int64, len(e.pcm))
	for c := range e.pcm {
		out[c] = append([]int64{}, e.pcm[c][at:at+n]...)
	}
	for i := range n {
		switch e.assignment {
		case 8:
			out[1][i] = out[0][i] - out[1][i]
		case 9:
			out[0][i] -= out[1][i]
		case 10:
			l, r := out[0][i], out[1][i]
			out[0][i], out[1][i] = (l+r)>>1, l-r
		}
	}
	return out
}

func (e *writer) subframe(w *bitWriter, pcm []int64, width uint) {
	kind := e.kind
	order := 0
	switch {
	case kind >= 32:
		order = int(kind - 31)
	case kind >= 8:
		order = int(kind - 8)
	}
	if order > len(pcm) || e.partitions > 0 && len(pcm)>>e.partitions < order {
		kind, order = 1, 0
	}
	w.put(kind, 7)
	if e.wasted > 0 {
		w.put(1, 1)
		w.put(1, e.wasted)
		width -= e.wasted
		for i := range pcm {
			pcm[i] >>= e.wasted
		}
	} else {
		w.put(0, 1)
	}
	switch kind {
	case 0:
		w.put(uint64(pcm[0]), width)
		return
	case 1:
		for _, v := range pcm {
			w.put(uint64(v), width)
		}
		return
	}
	for _, v := range pcm[:order] {
		w.put(uint64(v), width)
	}
	coefficients, shift := [5][]int64{{}, {1}, {2, -1}, {3, -3, 1}, {4, -6, 4, -1}}[min(order, 4)], uint(0)
	if kind >= 32 {
		shift = 9
		coefficients = make([]int64, order)
		w.put(11, 4)
		w.put(uint64(shift), 5)
		for i := range coefficients {
			coefficients[i] = int64(700/(i+1)) * int64(1-i%2*2)
			w.put(uint64(coefficients[i]), 12)
		}
	}
	differences := make([]int64, len(pcm))
	for i := order; i < len(pcm); i++ {
		var sum int64
		for k, c := range coefficients {
			sum += c * pcm[i-1-k]
		}
		differences[i] = pcm[i] - sum>>shift
	}
	e.residual(w, differences, order)
}

func (e *writer) residual(w *bitWriter, differences []int64, order int) {
	partitions := e.partitions
	if len(differences)%(1<<partitions) != 0 {
		partitions = 0
	}
	w.put(e.method, 2)
	w.put(uint64(partitions), 4)
	each := len(differences) >> partitions
	for p := range 1 << partitions {
		from := max(p*each, order)
		if e.plain && e.bits <= 24 {
			w.put(1<<(4+e.method)-1, 4+uint(e.method))
			w.put(31, 5)
			for _, v := range differences[from : (p+1)*each] {
				w.put(uint64(v), 31)
			}
			continue
		}
		parameter := min(e.bits, 14+14*uint(e.method))
		w.put(uint64(parameter), 4+uint(e.method))
		for _, v := range differences[from : (p+1)*each] {
			folded := uint64(v<<1) ^ uint64(v>>63)
			for range folded >> parameter {
				w.put(0, 1)
			}
			w.put(1, 1)
			w.put(folded, parameter)
		}
	}
}
