package audio

import "math"

// Goertzel returns the power of pcm at one frequency, scaled so that a sine of
// amplitude A at exactly that frequency gives A²/2, its mean square.
func Goertzel(pcm []int16, rate int, hz float64) float64 {
	if len(pcm) == 0 || rate <= 0 {
		return 0
	}
	w := 2 * math.Pi * hz / float64(rate)
	c := 2 * math.Cos(w)
	var s1, s2 float64
	for _, x := range pcm {
		s1, s2 = float64(x)+c*s1-s2, s1
	}
	n := float64(len(pcm))
	return max(2*(s1*s1+s2*s2-c*s1*s2)/(n*n), 0)
}

// Correlate returns the shift at which b resembles a most: b[i] ≈ a[i+lag], with lag between
// −maxLag and maxLag samples. peak is the normalised correlation there, −1 to 1, or 0 if either
// is silent. It takes time proportional to len(a)·maxLag.
func Correlate(a, b []int16, maxLag int) (lag int, peak float64) {
	norm := math.Sqrt(Energy(a) * Energy(b))
	if norm == 0 {
		return 0, 0
	}
	best := math.Inf(-1)
	for l := -maxLag; l <= maxLag; l++ {
		if c := product(a, b, l); c > best {
			best, lag = c, l
		}
	}
	return lag, best / norm
}

// product returns the sum over i of a[i+lag]·b[i].
func product(a, b []int16, lag int) float64 {
	if lag >= 0 {
		a = a[min(lag, len(a)):]
	} else {
		b = b[min(-lag, len(b)):]
	}
	n := min(len(a), len(b))
	a, b = a[:n], b[:n]
	var sum int64
	for i, s := range a {
		sum += int64(s) * int64(b[i])
	}
	return float64(sum)
}
