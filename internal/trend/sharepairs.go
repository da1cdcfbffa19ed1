package trend

import (
	"math"

	"github.com/ringtrue/ringtrue/internal/trend/chance"
)

// SharePair holds results for the same kind of thing before (A) and after (B) a change,
// such as the repetitions of one scenario.
type SharePair struct{ A, B Share }

// CompareSharePairs compares two shares pair by pair, so that differences between pairs
// do not count as chance. Each pair is weighted by the information it has about both
// sides (Mantel and Haenszel); a pair with one empty side has none. A and B of the
// result are the shares for the same mix of pairs on both sides.
//
// The interval is Klingenberg's (2014), which inverts the score test with Sato's
// variance. If nothing differs anywhere it is Newcombe's for the totals, because seeing
// no change does not prove that there can be none. P is from the exact test conditional
// on the sums of each pair, in its mid-p form; if more than 2000 outcomes are possible,
// it is from the score test. With a single result on each side of every pair, this is
// McNemar's test. A difference smaller than least (0 to 1) does not matter.
func CompareSharePairs(pairs []SharePair, least float64) Difference {
	d := Difference{P: 1, Interval: Interval{-1, 1}}
	var sum mantel
	var a, b Share
	for _, p := range pairs {
		if p.A.N <= 0 || p.B.N <= 0 {
			continue
		}
		sum.add(p)
		a = Share{a.Hits + p.A.Hits, a.N + p.A.N}
		b = Share{b.Hits + p.B.Hits, b.N + p.B.N}
	}
	d.NA, d.NB = a.N, b.N
	if sum.w == 0 {
		return d.settle(least)
	}
	d.A, d.B = sum.a/sum.w, sum.b/sum.w
	if sum.q == 0 {
		d.Interval = newcombe(a, b)
		return d.settle(least)
	}
	d.Interval = sum.interval(d.B - d.A)
	d.P = sum.chance(pairs)
	return d.settle(least)
}

// mantel are sums over pairs: w of the weights, a and b of the weighted shares, p and q
// the two parts of Sato's variance of b − a.
type mantel struct {
	w, a, b, p, q float64
	// tells is the number of possible outcomes, given the sums of each pair.
	tells int64
}

func (m *mantel) add(p SharePair) {
	na, nb, xa, xb := float64(p.A.N), float64(p.B.N), float64(p.A.Hits), float64(p.B.Hits)
	n := na + nb
	w := na * nb / n
	m.w += w
	m.a += w * xa / na
	m.b += w * xb / nb
	m.p += (nb*nb*xa - na*na*xb + na*nb*(na-nb)/2) / (n * n)
	m.q += (xb*(na-xa) + xa*(nb-xb)) / (2 * n)
	low, high := p.support()
	m.tells += high - low
}

// interval solves (delta − x)² = z² (x p + q) / w² for x.
func (m *mantel) interval(delta float64) Interval {
	z := chance.NormalQuantile((1 + Confidence) / 2)
	z2 := z * z / (m.w * m.w)
	middle := delta + z2*m.p/2
	half := math.Sqrt(max(middle*middle-delta*delta+z2*m.q, 0))
	return Interval{max(middle-half, -1), min(middle+half, 1)}
}

// support returns the range of possible hits of b, given the sums of the pair.
func (p SharePair) support() (low, high int64) {
	hits := p.A.Hits + p.B.Hits
	return max(0, hits-p.A.N), min(p.B.N, hits)
}

// chance returns the probability of such a difference by chance.
func (m *mantel) chance(pairs []SharePair) float64 {
	if m.tells <= 2000 {
		return pairsMidP(pairs)
	}
	var seen, expected, variance float64
	for _, p := range pairs {
		if p.A.N <= 0 || p.B.N <= 0 {
			continue
		}
		na, nb, hits := float64(p.A.N), float64(p.B.N), float64(p.A.Hits+p.B.Hits)
		n := na + nb
		seen += float64(p.B.Hits)
		expected += hits * nb / n
		variance += na * nb * hits * (n - hits) / (n * n * (n - 1))
	}
	if variance == 0 {
		return 1
	}
	return min(2*chance.NormalTail(math.Abs(seen-expected)/math.Sqrt(variance)), 1)
}

// pairsMidP convolves the hypergeometric distributions of all pairs, and sums the
// probabilities that do not exceed that of the observed result; equal ones count half.
func pairsMidP(pairs []SharePair) float64 {
	chances, at := []float64{1}, int64(0)
	for _, p := range pairs {
		low, high := p.support()
		if p.A.N <= 0 || p.B.N <= 0 || low == high {
			continue
		}
		at += p.B.Hits - low
		hits := p.A.Hits + p.B.Hits
		whole := logChoose(p.A.N+p.B.N, hits)
		next := make([]float64, len(chances)+int(high-low))
		for k := low; k <= high; k++ {
			c := math.Exp(logChoose(p.B.N, k) + logChoose(p.A.N, hits-k) - whole)
			for i, before := range chances {
				next[i+int(k-low)] += before * c
			}
		}
		chances = next
	}
	seen := chances[at]
	var p float64
	for _, c := range chances {
		switch {
		case math.Abs(c-seen) <= seen*1e-9:
			p += c / 2
		case c < seen:
			p += c
		}
	}
	return min(p, 1)
}
