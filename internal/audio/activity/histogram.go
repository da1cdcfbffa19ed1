package activity

// steps is the number of steps of a histogram.
const steps = 96

// histogram counts values sorted into steps. A sliding window adds and removes values.
type histogram struct {
	n      int
	counts [steps]int
}

func (h *histogram) add(step uint8, by int) {
	h.counts[step] += by
	h.n += by
}

// quantile returns the interpolated step below which the share q of all values lies, 0 if there are none.
func (h *histogram) quantile(q float64) float64 {
	want, sum := q*float64(h.n), 0.0
	for i, c := range h.counts {
		next := sum + float64(c)
		if c > 0 && next >= want {
			return max(0, float64(i)-0.5+(want-sum)/float64(c))
		}
		sum = next
	}
	return 0
}

// split divides the counts into a lower and an upper class that differ the most (Otsu's method)
// and returns the highest step of the lower one, or the last step if all values are alike.
func (h *histogram) split() int {
	var total float64
	for i, c := range h.counts {
		total += float64(i) * float64(c)
	}
	at, best := steps-1, 0.0
	var below, sum float64
	for i, c := range h.counts {
		below += float64(c)
		sum += float64(i) * float64(c)
		above := float64(h.n) - below
		if below == 0 || above == 0 {
			continue
		}
		d := sum/below - (total-sum)/above
		if v := below * above * d * d; v > best {
			at, best = i, v
		}
	}
	return at
}

// lowMode returns the most frequent step up to the given one, and the mean square distance of
// what is below it: the shape of the lower class, without what the upper one adds to it.
func (h *histogram) lowMode(upTo int) (mode int, spread float64) {
	best := 0
	for i := 0; i <= upTo; i++ {
		weight := 0
		for j := max(i-3, 0); j <= min(i+3, steps-1); j++ {
			weight += (4 - max(i-j, j-i)) * h.counts[j]
		}
		if weight > best {
			mode, best = i, weight
		}
	}
	var square, n float64
	for i, c := range h.counts[:mode+1] {
		w := float64(c)
		if i == mode {
			w /= 2
		}
		square += w * float64((mode-i)*(mode-i))
		n += w
	}
	return mode, square / max(n, 1)
}

// slide moves a window of so many blocks of hops on either side over n hops. take is called for each
// hop that enters (by 1) and leaves (by −1), see for each block when the window is centred on it.
func slide(n, reach int, take func(hop, by int), see func(block, from, to int)) {
	blocks := (n + blockHops - 1) / blockHops
	move := func(block, by int) {
		for i := block * blockHops; i >= 0 && i < min(n, (block+1)*blockHops); i++ {
			take(i, by)
		}
	}
	for b := range min(reach, blocks) {
		move(b, 1)
	}
	for b := range blocks {
		move(b+reach, 1)
		move(b-reach-1, -1)
		see(b, b*blockHops, min(n, (b+1)*blockHops))
	}
}
