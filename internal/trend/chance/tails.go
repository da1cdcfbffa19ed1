// Package chance computes tails and quantiles of the distributions that package trend and its
// subpackages use: how likely something is by chance alone. It works on plain numbers.
package chance

import "math"

// NormalTail returns the probability that a standard normal value is above z.
func NormalTail(z float64) float64 { return 0.5 * math.Erfc(z/math.Sqrt2) }

// NormalQuantile returns the value that a standard normal value is below with probability p.
func NormalQuantile(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }

// logBeta returns the logarithm of the beta function.
func logBeta(a, b float64) float64 {
	x, _ := math.Lgamma(a)
	y, _ := math.Lgamma(b)
	z, _ := math.Lgamma(a + b)
	return x + y - z
}

// betaCDF returns the regularised incomplete beta function I_x(a, b), computed from its continued
// fraction (Abramowitz and Stegun 26.5.8) by Lentz's method.
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

// manyDegrees is the number of degrees of freedom from which on Student's t is treated as normal.
const manyDegrees = 1e6

// StudentTail returns the probability that a Student t value with df degrees of freedom is above t.
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

// StudentQuantile returns the value that a Student t value is below with probability p.
//
// For positive t the tail is convex, so Newton's method approaches the quantile from the left
// without overshooting, wherever it starts. The normal quantile lies to the left of it, and is
// close to it with the next term of its series.
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
	for range 60 { // about five are enough
		density := math.Exp(scale - (df+1)/2*math.Log1p(t*t/df))
		next := max(t+(StudentTail(t, df)-(1-p))/density, least)
		if !(math.Abs(next-t) > 1e-11*t) { // negated so that NaN ends the loop
			break
		}
		t = next
	}
	return t
}

// tailTerms limits the terms of a sum: further ones are negligible.
const tailTerms = 200000

// NegBinomialTail returns the probabilities of at most k, and of at least k, for a count with the
// given mean and variance mean·(1+mean/size). With an infinite size this is Poisson's distribution.
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

// BetaBinomialTail returns the probabilities of at most k, and of at least k, hits among n, if the
// probability of each follows a beta distribution with mean p and concentration m (a+b). With an
// infinite m this is the binomial distribution.
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

// tails sums a distribution over the integers from 0 to most, outwards from k on the side away from
// the mean; the other tail is the rest. at is the probability of k, ratio that of P(i+1) to P(i).
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
