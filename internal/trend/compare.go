package trend

import (
	"fmt"
	"math"

	"github.com/ringtrue/ringtrue/internal/trend/chance"
	"github.com/ringtrue/ringtrue/internal/trend/sketch"
)

// Outcome says what a comparison showed.
type Outcome string

// The outcomes.
const (
	// Higher and Lower: B is above or below A, and that is hardly chance.
	Higher Outcome = "higher"
	Lower  Outcome = "lower"
	// Alike: there was enough to see a difference that matters, and there is none.
	Alike Outcome = "alike"
	// TooFew: there is not enough to tell.
	TooFew Outcome = "not_enough"
)

// Difference is B against A: after a change against before it, one part against
// the rest.
type Difference struct {
	// A and B are the two figures, Delta is B − A with its interval.
	A, B, Delta float64
	Interval    Interval
	NA, NB      int64
	// P is the chance of a difference like this when there is none, both directions
	// together; 1 when nothing could be computed.
	P float64
	// Q is P after Benjamini and Hochberg where many are compared side by side (TellApart);
	// 0 where that was not asked for.
	Q       float64
	Outcome Outcome
	// Reason is a sentence for people.
	Reason string
}

// significant is the P below which a difference is no chance.
const significant = 1 - Confidence

// settle fills in the outcome: what is told when the difference is sure, when
// even the ends of the interval matter little (less than least), and otherwise.
func (d Difference) settle(least float64) Difference {
	d.Delta = d.B - d.A
	switch {
	case d.NA == 0 || d.NB == 0:
		d.Outcome, d.P, d.Reason = TooFew, 1, "one side has nothing to compare"
	case d.P < significant && d.Delta > 0:
		d.Outcome, d.Reason = Higher, fmt.Sprintf("higher, and a chance of %s to see this without a cause", oneIn(d.P))
	case d.P < significant && d.Delta < 0:
		d.Outcome, d.Reason = Lower, fmt.Sprintf("lower, and a chance of %s to see this without a cause", oneIn(d.P))
	case least > 0 && d.Interval.Low > -least && d.Interval.High < least:
		d.Outcome, d.Reason = Alike, "a difference that matters would have shown"
	default:
		d.Outcome, d.Reason = TooFew, "not enough calls to tell the two apart"
	}
	return d
}

// oneIn writes a chance in words.
func oneIn(p float64) string {
	if p < 0.0001 {
		return "less than 1 in 10000"
	}
	return fmt.Sprintf("1 in %.0f", 1/p)
}

// CompareShares compares two shares: the interval is Newcombe's (1998, his method
// 10, from two Wilson intervals), P that of tableTest. A difference smaller than
// least (0 to 1) does not matter.
func CompareShares(a, b Share, least float64) Difference {
	d := Difference{A: a.Value(), B: b.Value(), NA: a.N, NB: b.N, P: 1, Interval: Interval{-1, 1}}
	if a.N == 0 || b.N == 0 {
		return d.settle(least)
	}
	d.Interval = newcombe(a, b)
	d.P = tableTest(a, b)
	return d.settle(least)
}

// newcombe is the interval of b − a.
func newcombe(a, b Share) Interval {
	wa, wb := a.Wilson(), b.Wilson()
	pa, pb := a.Value(), b.Value()
	return Interval{
		pb - pa - math.Hypot(pb-wb.Low, wa.High-pa),
		pb - pa + math.Hypot(wb.High-pb, pa-wa.Low),
	}
}

// rareHits is how many hits (or misses) one of the sides must be expected to have for the score
// test: few of them are no normal distribution, of however many things they are.
const rareHits = 25

// tableTest is the chance that two shares differ as far as they do: Fisher's exact test in its
// mid-p form for up to 2000 things together, and where a side can expect only a few hits or
// misses, else the score test.
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

// scoreTest is the test of two proportions with the variance of their pool.
func scoreTest(a, b Share) float64 {
	na, nb := float64(a.N), float64(b.N)
	pool := float64(a.Hits+b.Hits) / (na + nb)
	se := math.Sqrt(pool * (1 - pool) * (1/na + 1/nb))
	if se == 0 {
		return 1
	}
	return 2 * chance.NormalTail(math.Abs(a.Value()-b.Value())/se)
}

// fisherMidP is Fisher's exact test of a two by two table, two-sided by the
// chances that are not above that of the table seen, of which those as likely as
// it count half. Where no other table has its sums, as when all things are alike,
// nothing could have differed, and the chance is 1.
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
	// Nothing of weight lies farther out than this, which matters where the sums are great.
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

// Moments are what is known of a number of values without keeping them.
type Moments struct {
	N            int64
	Sum, Squares float64
}

// Mean is the mean, 0 of nothing.
func (m Moments) Mean() float64 { return m.Sum / float64(max(m.N, 1)) }

// rounded is which part of a sum of squares may be no more than what sums of fractions are rounded by.
const rounded = 1e-12

// Variance is the unbiased variance, 0 of fewer than two values, and of values that are alike.
func (m Moments) Variance() float64 {
	squares := m.Squares - m.Sum*m.Mean()
	if m.N < 2 || squares <= rounded*m.Squares {
		return 0
	}
	return squares / float64(m.N-1)
}

// compareMeans compares two means by Welch's test, which lets both sides vary
// differently. Each side needs two values. The difference must stand Student's test
// too, which takes the variance of both sides for the same: a small side that happens
// to hold none of the values far out seems to vary little, and that is why its mean
// is low.
func compareMeans(a, b Moments, least float64) Difference {
	d := Difference{A: a.Mean(), B: b.Mean(), NA: a.N, NB: b.N, P: 1, Interval: Interval{math.Inf(-1), math.Inf(1)}}
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

// compareFarOut compares two means of things that are never negative and of which some lie far
// above the rest, as costs do: a small side that holds one of those is high by chance more often
// than Student's distribution has it. Their ratio must be no chance either, going by the
// logarithms of means whose spread is that of both sides together.
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

// studentOf holds the difference of two means against its standard error. Sides without any
// variance that differ are told apart as far as a random division of their values would not
// have done so.
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

// CompareQuantiles compares the quantile q of two distributions. The interval of
// each side is that between the two of its values whose ranks bound the quantile
// by the binomial distribution, and both are put together as Newcombe does it for
// shares; P is that of the share of all values of each side above the quantile of
// both together. calls are the numbers of calls that the values come from: values of
// one call are alike, so no side counts for more than two values of each call (0
// calls: every value is one of its own).
func CompareQuantiles(a, b *sketch.Sketch, q float64, callsA, callsB int64, least float64) Difference {
	both := &sketch.Sketch{}
	_ = both.Merge(a)
	_ = both.Merge(b)
	return compareQuantiles(sides{a, b, both}, q, callsA, callsB, least)
}

// distribution is a number of values of which quantiles can be had.
type distribution interface {
	Count() int64
	// Quantile is false of nothing.
	Quantile(q float64) (float64, bool)
	// Above is how many values lie above v, those that equal it counted half.
	Above(v float64) float64
}

// sides are two distributions and both of them together.
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
	ia, ib := quantileInterval(a, q, na), quantileInterval(b, q, nb)
	d.Interval = Interval{vb - va - math.Hypot(vb-ib.Low, ia.High-va), vb - va + math.Hypot(ib.High-vb, va-ia.Low)}
	middle, _ := s.both.Quantile(q)
	sa := Share{int64(a.Above(middle) / float64(a.Count()) * na), int64(na)}
	sb := Share{int64(b.Above(middle) / float64(b.Count()) * nb), int64(nb)}
	d.P = tableTest(sa, sb)
	return d.settle(least)
}

func independent(s distribution, calls int64) float64 {
	n := float64(s.Count())
	if calls > 0 {
		n = min(n, 2*float64(calls))
	}
	return n
}

// quantileInterval is the interval of the quantile q of the distribution from
// which n independent values came.
func quantileInterval(s distribution, q, n float64) Interval {
	w := Wilson(q*n, n, chance.NormalQuantile((1+Confidence)/2))
	low, _ := s.Quantile(w.Low)
	high, _ := s.Quantile(w.High)
	return Interval{low, high}
}
