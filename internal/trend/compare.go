package trend

import (
	"fmt"
	"math"

	"github.com/ringtrue/ringtrue/internal/trend/chance"
	"github.com/ringtrue/ringtrue/internal/trend/sketch"
)

// Outcome is the result of a comparison.
type Outcome string

// The outcomes.
const (
	// Higher and Lower: B is significantly above or below A.
	Higher Outcome = "higher"
	Lower  Outcome = "lower"
	// Alike: the data would have shown a difference that matters, and there is none.
	Alike Outcome = "alike"
	// TooFew: there are not enough data to tell.
	TooFew Outcome = "not_enough"
)

// Difference compares B with A: after a change with before it, or one part with the rest.
type Difference struct {
	// A and B are the two values, Delta is B − A with its interval.
	A, B, Delta float64
	Interval    Interval
	NA, NB      int64
	// P is the two-sided probability of such a difference by chance; 1 if it could not be computed.
	P float64
	// Q is P adjusted by Benjamini and Hochberg's method if many differences are compared (TellApart);
	// 0 otherwise.
	Q       float64
	Outcome Outcome
	// Reason is a sentence for people.
	Reason string
	// few says that a side has too few values to show that there is no difference.
	few bool
}

// leastAlike is the number of values that each side needs to be told alike, and for the quantiles of
// both to have an interval of their difference. One or two, or some that happen to be equal, would
// have one of hardly any width.
const leastAlike = 10

// significant is the level below which P counts as significant.
const significant = 1 - Confidence

// settle sets the outcome: Higher or Lower if the difference is significant, Alike if the interval
// only holds differences smaller than least and rests on enough values, and TooFew otherwise.
func (d Difference) settle(least float64) Difference {
	d.Delta = d.B - d.A
	switch {
	case d.NA == 0 || d.NB == 0:
		d.Outcome, d.P, d.Reason = TooFew, 1, "one side has nothing to compare"
	case d.P < significant && d.Delta > 0:
		d.Outcome, d.Reason = Higher, fmt.Sprintf("higher, and a chance of %s to see this without a cause", oneIn(d.P))
	case d.P < significant && d.Delta < 0:
		d.Outcome, d.Reason = Lower, fmt.Sprintf("lower, and a chance of %s to see this without a cause", oneIn(d.P))
	case least > 0 && !d.few && d.Interval.Low > -least && d.Interval.High < least:
		d.Outcome, d.Reason = Alike, "a difference that matters would have shown"
	default:
		d.Outcome, d.Reason = TooFew, "not enough calls to tell the two apart"
	}
	return d
}

// oneIn describes a probability in words.
func oneIn(p float64) string {
	if p < 0.0001 {
		return "less than 1 in 10000"
	}
	return fmt.Sprintf("1 in %.0f", 1/p)
}

// CompareShares compares two shares. The interval is Newcombe's (1998, method 10, from two Wilson
// intervals), P is from tableTest. A difference smaller than least (0 to 1) does not matter.
func CompareShares(a, b Share, least float64) Difference {
	d := Difference{A: a.Value(), B: b.Value(), NA: a.N, NB: b.N, P: 1, Interval: Interval{-1, 1}}
	if a.N == 0 || b.N == 0 {
		return d.settle(least)
	}
	d.Interval = newcombe(a, b)
	d.P = tableTest(a, b)
	return d.settle(least)
}

// newcombe returns the interval of b − a.
func newcombe(a, b Share) Interval {
	wa, wb := a.Wilson(), b.Wilson()
	pa, pb := a.Value(), b.Value()
	return Interval{
		pb - pa - math.Hypot(pb-wb.Low, wa.High-pa),
		pb - pa + math.Hypot(wb.High-pb, pa-wa.Low),
	}
}

// rareHits is the number of hits (or misses) expected on one side from which on the score test is
// used: fewer are not normally distributed, no matter out of how many.
const rareHits = 25

// tableTest returns the probability that two shares differ at least that much by chance: by
// Fisher's exact test in its mid-p form up to a total of 2000, or if one side can only expect a few
// hits or misses, and by the score test otherwise.
func tableTest(a, b Share) float64 {
	n, hits := a.N+b.N, a.Hits+b.Hits
	if n <= 2000 {
		return fisherMidP(a, b)
	}
	if a.N > b.N {
		a, b = b, a
	}
	if hits > n-hits {
		a.Hits, b.Hits, hits = a.N-a.Hits, b.N-b.Hits, n-hits
	}
	if float64(a.N)*float64(hits) < rareHits*float64(n) {
		return fisherMidP(a, b)
	}
	return scoreTest(a, b)
}

// scoreTest tests two proportions with the variance of the pooled proportion.
func scoreTest(a, b Share) float64 {
	na, nb := float64(a.N), float64(b.N)
	pool := float64(a.Hits+b.Hits) / (na + nb)
	se := math.Sqrt(pool * (1 - pool) * (1/na + 1/nb))
	if se == 0 {
		return 1
	}
	return 2 * chance.NormalTail(math.Abs(a.Value()-b.Value())/se)
}

// fisherMidP is Fisher's exact test of a two-by-two table. It is two-sided, summing the
// probabilities that do not exceed that of the observed table; equal ones count half. It is 1 if no
// other table has the same sums, as when all values are equal: nothing could have differed.
func fisherMidP(a, b Share) float64 {
	hits, n := a.Hits+b.Hits, a.N+b.N
	low, high := max(0, hits-b.N), min(a.N, hits)
	if low == high {
		return 1
	}
	chanceOf := func(k int64) float64 {
		return math.Exp(logChoose(a.N, k) + logChoose(b.N, hits-k) - logChoose(n, hits))
	}
	seen := chanceOf(a.Hits)
	expected := float64(a.N) * float64(hits) / float64(n)
	// Terms further out are negligible. This saves time when the sums are large.
	far := int64(20*math.Sqrt(expected)) + 100
	low, high = max(low, int64(expected)-far), min(high, int64(expected)+far)
	p := 0.0
	if a.Hits < low || a.Hits > high {
		p = seen
	}
	for k := low; k <= high; k++ {
		c := chanceOf(k)
		switch {
		case math.Abs(c-seen) <= seen*1e-9:
			p += c / 2
		case c < seen:
			p += c
		}
	}
	return min(p, 1)
}

func logChoose(n, k int64) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}

// Moments summarises values without keeping them.
type Moments struct {
	N            int64
	Sum, Squares float64
}

// Mean returns the mean, 0 for no values.
func (m Moments) Mean() float64 { return m.Sum / float64(max(m.N, 1)) }

// rounded is the part of a sum of squares that may be due to rounding.
const rounded = 1e-12

// Variance returns the unbiased variance, 0 for fewer than two values, or equal ones.
func (m Moments) Variance() float64 {
	squares := m.Squares - m.Sum*m.Mean()
	if m.N < 2 || squares <= rounded*m.Squares {
		return 0
	}
	return squares / float64(m.N-1)
}

// compareMeans compares two means by Welch's test, which allows for unequal variances. Each side
// needs two values. The difference must also pass Student's test, which assumes equal variances: a
// small side that happens to lack the extreme values has a low mean and, for the same reason, seems
// to vary little.
func compareMeans(a, b Moments, least float64) Difference {
	d := Difference{A: a.Mean(), B: b.Mean(), NA: a.N, NB: b.N, P: 1, Interval: Interval{math.Inf(-1), math.Inf(1)}, few: min(a.N, b.N) < leastAlike}
	if a.N < 2 || b.N < 2 {
		return d.settle(least)
	}
	va, vb := a.Variance()/float64(a.N), b.Variance()/float64(b.N)
	df := (va + vb) * (va + vb) / (va*va/float64(a.N-1) + vb*vb/float64(b.N-1))
	d = d.studentOf(math.Sqrt(va+vb), df)
	free := float64(a.N + b.N - 2)
	pooled := (a.Variance()*float64(a.N-1) + b.Variance()*float64(b.N-1)) / free
	alike := d.studentOf(math.Sqrt(pooled*(1/float64(a.N)+1/float64(b.N))), free)
	d.P = max(d.P, alike.P)
	d.Interval = Interval{min(d.Interval.Low, alike.Interval.Low), max(d.Interval.High, alike.Interval.High)}
	return d.settle(least)
}

// compareFarOut compares two means of nonnegative values some of which lie far above the rest, such
// as costs. A small side with such a value is high by chance more often than Student's distribution
// allows for. So the ratio of the means must be significant too, by the logarithms of the means
// with the pooled variance of both sides.
func compareFarOut(a, b Moments, least float64) Difference {
	d := compareMeans(a, b, least)
	if a.N < 2 || b.N < 2 || a.Mean() <= 0 || b.Mean() <= 0 {
		return d
	}
	free := float64(a.N + b.N - 2)
	pooled := (a.Variance()*float64(a.N-1) + b.Variance()*float64(b.N-1)) / free
	mean := (a.Sum + b.Sum) / float64(a.N+b.N)
	va, vb := math.Log1p(pooled/(mean*mean*float64(a.N))), math.Log1p(pooled/(mean*mean*float64(b.N)))
	if va+vb > 0 {
		d.P = max(d.P, min(2*chance.StudentTail(math.Abs(math.Log(b.Mean()/a.Mean())+(vb-va)/2)/math.Sqrt(va+vb), free), 1))
	}
	return d.settle(least)
}

// studentOf tests the difference of two means against its standard error. If neither side varies
// and the means differ, P is the probability of a random division of the values into these sides.
func (d Difference) studentOf(se, df float64) Difference {
	delta := d.B - d.A
	if se == 0 {
		d.Interval = Interval{delta, delta}
		if delta != 0 {
			d.P = min(2*math.Exp(-logChoose(d.NA+d.NB, d.NA)), 1)
		}
		return d
	}
	half := chance.StudentQuantile((1+Confidence)/2, df) * se
	d.Interval = Interval{delta - half, delta + half}
	d.P = min(2*chance.StudentTail(math.Abs(delta)/se, df), 1)
	return d
}

// CompareQuantiles compares the quantile q of two distributions. The interval of each side lies
// between the values whose ranks bound the quantile by the binomial distribution; the two are
// combined by Newcombe's method as for shares; it is infinite if a side has too few values. P compares the shares of both sides' values above
// the quantile of all values. callsA and callsB are the numbers of calls that the values come from:
// values of one call are similar, so a side counts for at most two values per call (0 calls: all
// values are independent).
func CompareQuantiles(a, b *sketch.Sketch, q float64, callsA, callsB int64, least float64) Difference {
	both := &sketch.Sketch{}
	_ = both.Merge(a)
	_ = both.Merge(b)
	return compareQuantiles(sides{a, b, both}, q, callsA, callsB, least)
}

// distribution is a set of values with quantiles.
type distribution interface {
	Count() int64
	// Quantile returns the quantile q; ok is false if there are no values.
	Quantile(q float64) (float64, bool)
	// Above returns the number of values above v, with those equal to v counted half.
	Above(v float64) float64
}

// sides are two distributions and their union.
type sides struct{ a, b, both distribution }

func compareQuantiles(s sides, q float64, callsA, callsB int64, least float64) Difference {
	a, b := s.a, s.b
	d := Difference{NA: a.Count(), NB: b.Count(), P: 1, Interval: Interval{math.Inf(-1), math.Inf(1)}}
	va, okA := a.Quantile(q)
	vb, okB := b.Quantile(q)
	if !okA || !okB {
		return d.settle(least)
	}
	d.A, d.B = va, vb
	na, nb := independent(a, callsA), independent(b, callsB)
	if min(na, nb) >= leastAlike {
		ia, ib := quantileInterval(a, q, na), quantileInterval(b, q, nb)
		d.Interval = Interval{vb - va - math.Hypot(vb-ib.Low, ia.High-va), vb - va + math.Hypot(ib.High-vb, va-ia.Low)}
	}
	middle, _ := s.both.Quantile(q)
	d.P = tableTest(above(a, middle, na), above(b, middle, nb))
	return d.settle(least)
}

// above returns the share of a distribution's values above v, in terms of n independent ones.
func above(s distribution, v, n float64) Share {
	return Share{int64(math.Round(s.Above(v) * n / float64(s.Count()))), int64(n)}
}

func independent(s distribution, calls int64) float64 {
	n := float64(s.Count())
	if calls > 0 {
		n = min(n, 2*float64(calls))
	}
	return n
}

// quantileInterval returns the interval of the quantile q of a distribution from which n
// independent values were drawn.
func quantileInterval(s distribution, q, n float64) Interval {
	w := Wilson(q*n, n, chance.NormalQuantile((1+Confidence)/2))
	low, _ := s.Quantile(w.Low)
	high, _ := s.Quantile(w.High)
	return Interval{low, high}
}
