package mp3

// bands are the widths of the scale factor bands at one rate, in lines: the long ones, and the
// short ones of one window (ISO/IEC 11172-3 table B.8, 13818-3 table B.2).
type bands struct{ long, short []int }

// bandTables returns them by rate: MPEG-1, MPEG-2, MPEG-2.5, each in the order of the header.
func bandTables() []bands {
	low := []int{6, 6, 6, 6, 6, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 38, 46, 52, 60, 68, 58, 54}
	at16 := bands{low, []int{4, 4, 4, 6, 8, 10, 12, 14, 18, 24, 30, 40, 18}}
	return []bands{
		{
			[]int{4, 4, 4, 4, 4, 4, 6, 6, 8, 8, 10, 12, 16, 20, 24, 28, 34, 42, 50, 54, 76, 158},
			[]int{4, 4, 4, 4, 6, 8, 10, 12, 14, 18, 22, 30, 56},
		},
		{
			[]int{4, 4, 4, 4, 4, 4, 6, 6, 6, 8, 10, 12, 16, 18, 22, 28, 34, 40, 46, 54, 54, 192},
			[]int{4, 4, 4, 4, 6, 6, 10, 12, 14, 16, 20, 26, 66},
		},
		{
			[]int{4, 4, 4, 4, 4, 4, 6, 6, 8, 10, 12, 16, 20, 24, 30, 38, 46, 56, 68, 84, 102, 26},
			[]int{4, 4, 4, 4, 6, 8, 12, 16, 20, 26, 34, 42, 12},
		},
		{low, []int{4, 4, 4, 6, 6, 8, 10, 14, 18, 26, 32, 42, 18}},
		{
			[]int{6, 6, 6, 6, 6, 6, 8, 10, 12, 14, 16, 18, 22, 26, 32, 38, 46, 54, 62, 70, 76, 36},
			[]int{4, 4, 4, 6, 8, 10, 12, 14, 18, 24, 32, 44, 12},
		},
		at16, at16, at16,
		{
			[]int{12, 12, 12, 12, 12, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 76, 90, 2, 2, 2, 2, 2},
			[]int{8, 8, 8, 12, 16, 20, 24, 28, 36, 2, 2, 2, 26},
		},
	}
}

// band is one band of a granule: long, or one window of a short one.
type band struct {
	width  int
	window int // 0 to 2, −1 for a long band
	index  int // of its kind
}

// layout is the division of a granule into bands, in the order in which they are coded.
type layout []band

// layouts are the three ways of dividing a granule at one rate.
type layouts struct {
	long, short, mixed layout
	longLines          int // number of long lines in mixed
}

func newLayouts(b bands, version int) layouts {
	var l layouts
	for i, w := range b.long {
		l.long = append(l.long, band{w, -1, i})
	}
	l.short = shorts(b, 0)
	// The lowest two subbands of a mixed granule are long (four at 8 kHz, where bands are wide).
	n := 6
	if version == 1 {
		n = 8
	}
	for _, x := range l.long[:n] {
		l.longLines += x.width
	}
	l.mixed = append(append(layout(nil), l.long[:n]...), shorts(b, 3)...)
	return l
}

func shorts(b bands, from int) (out layout) {
	for i := from; i < len(b.short); i++ {
		for w := range 3 {
			out = append(out, band{b.short[i], w, i})
		}
	}
	return out
}

// of returns the layout of a part.
func (l *layouts) of(p *part) layout {
	switch {
	case p.short() && p.mixed:
		return l.mixed
	case p.short():
		return l.short
	}
	return l.long
}
