package mp3

import "math"

// lines dequantises lines: v^(4/3), times the gain and the scale factor of the band.
func (d *Decoder) lines(p *part, f *factors, bands layout, from *[granule]int32, into *[granule]float32) {
	at := 0
	step := 0.5
	if p.coarse {
		step = 1
	}
	for i, x := range bands {
		e := float64(p.gain-210) / 4
		factor := f.value[i]
		if x.window >= 0 {
			e -= 2 * float64(p.subGain[x.window])
		} else if p.preflag {
			factor += pretab(x.index)
		}
		g := float32(math.Exp2(e - step*float64(factor)))
		for end := min(at+x.width, granule); at < end; at++ {
			v := from[at]
			switch {
			case v == 0:
				into[at] = 0
			case v < 0:
				into[at] = -g * d.power(-v)
			default:
				into[at] = g * d.power(v)
			}
		}
	}
}

// pretab returns what preflag adds to the scale factor of a band; only the highest bands have such a value.
func pretab(index int) int {
	if index < 11 {
		return 0
	}
	return [...]int{1, 1, 1, 1, 2, 2, 3, 3, 3, 2, 0}[index-11]
}

// powers returns a table of v^(4/3), long enough for what code tables without further bits can
// hold, and some more.
func powers() []float32 {
	out := make([]float32, 1024)
	for i := range out {
		out[i] = float32(math.Pow(float64(i), 4.0/3))
	}
	return out
}

// power returns v^(4/3).
func (d *Decoder) power(v int32) float32 {
	if int(v) < len(d.powers) {
		return d.powers[v]
	}
	return float32(math.Pow(float64(v), 4.0/3))
}

// stereo decodes joint stereo to left and right.
func stereo(h header, right *part, f *factors, bands layout, x *[2][granule]float32) {
	if !h.intensity {
		if h.midSide {
			rotate(x, 0, granule)
		}
		return
	}
	first := silentFrom(bands, &x[1])
	at := 0
	for i, b := range bands {
		position := f.value[i]
		most := f.most[i]
		if last := b.window < 0 && b.index == 21 || b.window >= 0 && b.index == 12; last {
			// The last band has no factor of its own and uses the previous one.
			if back := i - max(1, 3*min(1, b.window+1)); back >= 0 {
				position, most = f.value[back], f.most[back]
			}
		}
		end := at + b.width
		switch {
		case i >= first[b.window+1] && position != most:
			l, r := pan(h, right, position)
			for k := at; k < end; k++ {
				x[0][k], x[1][k] = x[0][k]*l, x[0][k]*r
			}
		case h.midSide:
			rotate(x, at, end)
		}
		at = end
	}
}

// rotate converts mid and side to left and right.
func rotate(x *[2][granule]float32, from, to int) {
	for k := from; k < to; k++ {
		m, s := x[0][k], x[1][k]
		x[0][k], x[1][k] = (m+s)*(math.Sqrt2/2), (m-s)*(math.Sqrt2/2)
	}
}

// silentFrom returns the first band of each kind (long, three windows) from which on the right
// channel is empty.
func silentFrom(bands layout, right *[granule]float32) (first [4]int) {
	at := 0
	for i, b := range bands {
		for _, v := range right[at : at+b.width] {
			if v != 0 {
				first[b.window+1] = i + 1
				break
			}
		}
		at += b.width
	}
	if m := max(first[1], first[2], first[3]); m > 0 { // audio in a short band: no long band is empty
		first[0] = max(first[0], m)
	}
	return first
}

// pan returns the gains of left and right for a position of intensity stereo.
func pan(h header, right *part, position int) (l, r float32) {
	if h.version == 1 {
		if position == 6 {
			return 1, 0
		}
		ratio := math.Tan(float64(position) * math.Pi / 12)
		return float32(ratio / (1 + ratio)), float32(1 / (1 + ratio))
	}
	step := math.Exp2(-0.25)
	if right.compress&1 == 1 {
		step = math.Sqrt2 / 2
	}
	g := float32(math.Pow(step, float64((position+1)/2)))
	if position%2 == 1 {
		return g, 1
	}
	return 1, g
}

// reorder changes the order of short bands' lines from window by window to line by line.
func reorder(bands layout, x *[granule]float32) {
	var out [granule]float32
	at := 0
	for i := 0; i < len(bands); {
		w := bands[i].width
		if bands[i].window < 0 {
			copy(out[at:], x[at:at+w])
			at, i = at+w, i+1
			continue
		}
		for k := range w {
			for win := range 3 {
				out[at+3*k+win] = x[at+win*w+k]
			}
		}
		at, i = at+3*w, i+3
	}
	*x = out
}
