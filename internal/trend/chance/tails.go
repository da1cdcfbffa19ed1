// Package chance has the tails and quantiles of the distributions that package trend and
// its children reckon with: how likely something is to come about without a cause. It knows numbers alone.
package chance

import "math"

// NormalTail is the chance of a standard normal value above z.
func NormalTail(z float64) float64 { return 0.5 * math.Erfc(z/math.Sqrt2) }

// NormalQuantile is the value below which a standard normal value lies with chance p.
func NormalQuantile(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }

// logBeta is the logarithm of the beta function.
func logBeta(a, b float64) float64 {
	x, _ := math.Lgamma(a)
	y, _ := math.Lgamma(b)
	z, _ := math.Lgamma(a + b)
	return x + y - z
}

// betaCDF is the regularised incomplete beta function I_x(a, b), by its
// continued fraction (Abramowitz and Stegun 26.5.8), evaluated from the front
// with the method of Lentz.
func betaCDF(x, a, b float64) float64 {
	switch {
	case x <= 0:
		return 0
	case x >= 1:
		return 1
	case x > (a+1)/(a+b+2):
		return 1 - betaCDF(1-x, b, a)
	}
	front := math.Exp(a*math.Log(x)+b*math.Log1p(-x)-logBeta(a, b)) / a
	const tiny = 1e-300
	c, d := 1.0, 1-(a+b)*x/(a+1)
	d = 1 / awayFromZero(d, tiny)
	h := d
	for i := 1; i <= 500; i++ {
		m := float64(i)
		num := m * (b - m) * x / ((a + 2*m - 1) * (a + 2*m))
		d = 1 / awayFromZero(1+num*d, tiny)
		c = awayFromZero(1+num/c, tiny)
		h *= d * c
		num = -(a + m) * (a + b + m) * x / ((a + 2*m) * (a + 2*m + 1))
		d = 1 / awayFromZero(1+num*d, tiny)
		c = awayFromZero(1+num/c, tiny)
		h *= d * c
		if math.Abs(d*c-1) < 1e-14 {
			break
		}
	}
	return front * h
}

func awayFromZero(v, tiny float64) float64 {
	if math.Abs(v) < tiny {
		return tiny
	}
	return v
}

// manyDegrees of freedom are so many that Student's t is taken for normal.
const manyDegrees = 1e6

// StudentTail is the chance of a Student t value with df degrees of freedom above t.
func StudentTail(t, df float64) float64 {
	if df > manyDegrees {
		return NormalTail(t)
	}
	p := betaCDF(df/(df+t*t), df/2, 0.5) / 2
	if t < 0 {
		return 1 - p
	}
	return p
}

// StudentQuantile is the value below which a Student t value lies with chance p.
//
// Above 0 the tail falls ever less steeply, so that Newton's method comes up to the quantile from
// the left without leaping over it, wherever it began; the normal quantile lies to the left of it,
// and with the next term of its series close by.
func StudentQuantile(p, df float64) float64 {
	if p < 0.5 {
		return -StudentQuantile(1-p, df)
	}
	least := NormalQuantile(p)
	if !(df > 0 && df <= manyDegrees) || math.IsInf(least, 0) {
		return least
	}
	t := least + least*(least*least+1)/(4*df)
	scale := -logBeta(df/2, 0.5) - math.Log(df)/2
	for range 60 { // some five are enough
		density := math.Exp(scale - (df+1)/2*math.Log1p(t*t/df))
		next := max(t+(StudentTail(t, df)-(1-p))/density, least)
		if !(math.Abs(next-t) > 1e-11*t) { // also where a number is none
			break
		}
		t = next
	}
	return t
}

// Counts above this are far enough out for their tails to be summed no further.
const tailTerms = 200000

// NegBinomialTail returns the chances of k and fewer, and of k and more, for a
// count of the given mean whose variance is mean·(1+mean/size): Poisson's when
// size is infinite.
func NegBinomialTail(k, mean, size float64) (lower, upper float64) {
	if mean <= 0 {
		if k > 0 {
			return 1, 0
		}
		return 1, 1
	}
	var at float64
	ratio := func(i float64) float64 { return mean / (i + 1) } // P(i+1)/P(i)
	lk, _ := math.Lgamma(k + 1)
	if math.IsInf(size, 1) || size > 1e9 {
		at = math.Exp(-mean + k*math.Log(mean) - lk)
	} else {
		p := mean / (mean + size)
		a, _ := math.Lgamma(k + size)
		b, _ := math.Lgamma(size)
		at = math.Exp(a - b - lk + k*math.Log(p) + size*math.Log(size/(mean+size)))
		ratio = func(i float64) float64 { return p * (i + size) / (i + 1) }
	}
	return tails(k, math.Inf(1), mean, at, ratio)
}

// BetaBinomialTail returns the chances of k and fewer, and of k and more, hits
// among n, when the chance of each has a beta distribution of mean p and
// concentration m (a+b): the binomial's when m is infinite.
func BetaBinomialTail(k, n, p, m float64) (lower, upper float64) {
	p = min(max(p, 1e-9), 1-1e-9)
	x, _ := math.Lgamma(n + 1)
	y, _ := math.Lgamma(k + 1)
	z, _ := math.Lgamma(n - k + 1)
	choose := x - y - z
	if math.IsInf(m, 1) || m > 1e9 {
		at := math.Exp(choose + k*math.Log(p) + (n-k)*math.Log1p(-p))
		return tails(k, n, n*p, at, func(i float64) float64 { return (n - i) / (i + 1) * p / (1 - p) })
	}
	a, b := p*m, (1-p)*m
	at := math.Exp(choose + logBeta(k+a, n-k+b) - logBeta(a, b))
	return tails(k, n, n*p, at, func(i float64) float64 { return (n - i) * (i + a) / ((i + 1) * (n - i - 1 + b)) })
}

// tails sums a distribution over whole numbers from 0 to most outwards from k,
// given the chance of k itself and the ratio of neighbours, on the side of k that
// lies away from the mean; the other side is the rest.
func tails(k, most, mean, at float64, ratio func(i float64) float64) (lower, upper float64) {
	if k <= mean {
		sum, term := at, at
		for i := k - 1; i >= 0 && k-i < tailTerms; i-- {
			term /= ratio(i)
			sum += term
			if term < sum*1e-12 {
				break
			}
		}
		return min(sum, 1), min(max(1-sum+at, 0), 1)
	}
	sum, term := at, at
	for i := k; i < most && i-k < tailTerms; i++ {
		term *= ratio(i)
		sum += term
		if term < sum*1e-12 {
			break
		}
	}
	return min(max(1-sum+at, 0), 1), min(sum, 1)
}
