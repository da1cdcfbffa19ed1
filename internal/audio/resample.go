package audio

import "math"

const (
	// resampleTaps is the filter's length in samples of the lower of the two rates.
	resampleTaps = 64
	// kaiserBeta gives a stop band of about 63 dB. The transition then takes 6 % of the lower
	// rate, and the pass band is flat up to 3.5 kHz at 8 kHz.
	kaiserBeta = 6.0
	cutoff     = 0.47
	// maxPhases bounds the filter table for rates without a small ratio. Beyond it the nearest
	// phase is used, which adds noise below −60 dB.
	maxPhases = 1024
)

// Resample returns pcm at another rate. It uses a polyphase filter of 64 Kaiser-windowed taps
// (at the lower rate), which is anti-aliased and has no delay. The result has len(pcm)·to/from
// samples, rounded. If the rates are equal or not positive it returns a copy.
func Resample(pcm []int16, from, to int) []int16 {
	if from == to || from <= 0 || to <= 0 || len(pcm) == 0 {
		return append([]int16(nil), pcm...)
	}
	k := newKernel(from, to)
	out := make([]int16, (int64(len(pcm))*int64(to)+int64(from)/2)/int64(from))
	for i := range out {
		out[i] = k.at(pcm, 0, int64(i))
	}
	return out
}

// kernel is the filter, laid out by phase.
type kernel struct {
	up, down int64
	half     int
	phases   int64
	taps     []float32 // phases rows of 2·half taps
}

func newKernel(from, to int) *kernel {
	g := gcd(from, to)
	k := &kernel{up: int64(to / g), down: int64(from / g)}
	k.phases = min(k.up, maxPhases)
	scale := min(1, float64(to)/float64(from))
	k.half = int(math.Ceil(resampleTaps / 2 / scale))
	k.taps = make([]float32, int(k.phases)*2*k.half)
	for p := range int(k.phases) {
		k.fill(p, scale)
	}
	return k
}

// fill computes the taps of one phase, with unity gain at 0 Hz.
func (k *kernel) fill(p int, scale float64) {
	row := k.taps[p*2*k.half : (p+1)*2*k.half]
	frac := float64(p) / float64(k.phases)
	reach := float64(k.half)
	whole := bessel0(kaiserBeta)
	var sum float64
	w := make([]float64, len(row))
	for i := range w {
		x := float64(i-k.half+1) - frac
		if r := x / reach; math.Abs(r) < 1 {
			w[i] = sinc(2*cutoff*scale*x) * bessel0(kaiserBeta*math.Sqrt(1-r*r)) / whole
		}
		sum += w[i]
	}
	for i := range row {
		row[i] = float32(w[i] / sum)
	}
}

// at computes output sample n; pcm begins at sample base of the whole signal.
func (k *kernel) at(pcm []int16, base, n int64) int16 {
	pos, rest := n*k.down/k.up, n*k.down%k.up
	p := rest
	if k.phases != k.up {
		p = (rest*k.phases + k.up/2) / k.up
		pos, p = pos+p/k.phases, p%k.phases
	}
	row := k.taps[int(p)*2*k.half : (int(p)+1)*2*k.half]
	start := int(pos-base) - k.half + 1
	if start < 0 {
		row, start = row[min(-start, len(row)):], 0
	}
	if start >= len(pcm) {
		return 0
	}
	in := pcm[start:min(start+len(row), len(pcm))]
	var sum float32
	for i, s := range in {
		sum += row[i] * float32(s)
	}
	return clamp(float64(sum))
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func sinc(x float64) float64 {
	if x == 0 {
		return 1
	}
	return math.Sin(math.Pi*x) / (math.Pi * x)
}

// bessel0 returns the modified Bessel function of the first kind and order 0.
func bessel0(x float64) float64 {
	sum, term, q := 1.0, 1.0, x*x/4
	for i := 1; i < 40 && term > 1e-12*sum; i++ {
		term *= q / float64(i*i)
		sum += term
	}
	return sum
}

// clamp rounds to the nearest sample value within range.
func clamp(x float64) int16 {
	switch {
	case x >= math.MaxInt16:
		return math.MaxInt16
	case x <= math.MinInt16:
		return math.MinInt16
	}
	return int16(math.Round(x))
}
