package mp3

// factors are the scale factors of one channel of a granule, in the order of its layout. most
// holds for each the value that means "none" in intensity stereo (0: no such value).
type factors struct {
	value [39]int
	most  [39]int
}

// readFactors1 reads the scale factors of MPEG-1. before are those of the first granule, which
// the second may share.
func readFactors1(b *bits, p *part, bands layout, share int, before *factors) (f factors) {
	first := []int{0, 0, 0, 0, 3, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4}[p.compress]
	second := []int{0, 1, 2, 3, 0, 1, 2, 3, 1, 2, 3, 1, 2, 3, 2, 3}[p.compress]
	for i, x := range bands {
		n := second
		switch {
		case x.window < 0 && x.index == 21, x.window >= 0 && x.index == 12:
			continue // the last band has none
		case x.window < 0 && (x.index < 11 || p.short()), x.window >= 0 && x.index < 6:
			n = first
		}
		if !p.short() && before != nil && share&(8>>group(x.index)) != 0 {
			f.value[i] = before.value[i]
			continue
		}
		f.value[i] = b.read(n)
	}
	for i := range f.most {
		f.most[i] = 7
	}
	return f
}

// group returns the group of a long band; the bands of a group are shared together.
func group(index int) int {
	switch {
	case index < 6:
		return 0
	case index < 11:
		return 1
	case index < 16:
		return 2
	}
	return 3
}

// readFactors2 reads the scale factors of MPEG-2. right is true for the right channel in
// intensity stereo, whose factors are positions.
func readFactors2(b *bits, p *part, right bool) (f factors) {
	lengths, row := lengths2(p.compress)
	if right {
		lengths, row = lengthsRight(p.compress >> 1)
	}
	kind := 0
	if p.short() {
		kind = 1
		if p.mixed {
			kind = 2
		}
	}
	i := 0
	for group, count := range counts2(row, kind) {
		for range count {
			f.value[i] = b.read(lengths[group])
			f.most[i] = -1
			if lengths[group] > 0 {
				f.most[i] = 1<<lengths[group] - 1
			}
			i++
		}
	}
	return f
}

func lengths2(c int) ([4]int, int) {
	switch {
	case c < 400:
		return [4]int{c >> 4 / 5, c >> 4 % 5, c & 15 >> 2, c & 3}, 0
	case c < 500:
		c -= 400
		return [4]int{c >> 2 / 5, c >> 2 % 5, c & 3, 0}, 1
	}
	c -= 500
	return [4]int{c / 3, c % 3, 0, 0}, 2
}

func lengthsRight(c int) ([4]int, int) {
	switch {
	case c < 180:
		return [4]int{c / 36, c % 36 / 6, c % 6, 0}, 3
	case c < 244:
		c -= 180
		return [4]int{c & 63 >> 4, c & 15 >> 2, c & 3, 0}, 4
	}
	c -= 244
	return [4]int{c / 3, c % 3, 0, 0}, 5
}

// counts2 returns the number of factors in each group, by row and block type (long, short,
// mixed; ISO/IEC 13818-3, 2.4.3.2).
func counts2(row, kind int) [4]int {
	return [6][3][4]int{
		{{6, 5, 5, 5}, {9, 9, 9, 9}, {6, 9, 9, 9}},
		{{6, 5, 7, 3}, {9, 9, 12, 6}, {6, 9, 12, 6}},
		{{11, 10, 0, 0}, {18, 18, 0, 0}, {15, 18, 0, 0}},
		{{7, 7, 7, 0}, {12, 12, 12, 0}, {6, 15, 12, 0}},
		{{6, 6, 6, 3}, {12, 9, 9, 6}, {6, 12, 9, 6}},
		{{8, 8, 5, 0}, {15, 12, 9, 0}, {6, 18, 9, 0}},
	}[row][kind]
}
