package departure

import (
	"math"

	"github.com/ringtrue/ringtrue/internal/trend/sketch"
)

const (
	// curveReach is how far the curve extends to either side, in logits: up to one value in 400.
	curveReach = 6
	// curveStep is the distance of its points, in logits.
	curveStep = 0.25
	// leastSlope is the least slope of the logarithm of a quantile over the logit of the share below
	// it.
	leastSlope = 0.002
)

// curve is the distribution of the values of a Quantile: the logarithm of quantiles over the logit
// of the share below. If there are two kinds of turns, one three times as long as the other, it is
// flat for each and rises between them: its slope at one quantile says nothing about another.
type curve [2*curveReach/curveStep + 1]float64

// curveOf returns the curve of values. Beyond their extremes, which only many more values could
// show, it continues with the given slope.
func curveOf(values *sketch.Sketch, slope float64) *curve {
	var c curve
	end := math.Log(2 * max(float64(values.Count()), 1))
	middle := len(c) / 2
	at := func(i int) float64 {
		l := float64(i-middle) * curveStep
		within := min(max(l, -end), end)
		v, _ := values.Quantile(expit(within))
		return math.Log(max(v, sketch.Least)) + (l-within)*slope
	}
	c[middle] = at(middle)
	for i := middle + 1; i < len(c); i++ {
		c[i] = max(at(i), c[i-1]+leastSlope*curveStep)
	}
	for i := middle - 1; i >= 0; i-- {
		c[i] = min(at(i), c[i+1]-leastSlope*curveStep)
	}
	return &c
}

// of returns the logarithm of the quantile at a logit; 0 for a nil curve, when nothing was
// expected.
func (c *curve) of(l float64) float64 {
	if c == nil {
		return 0
	}
	at := l/curveStep + float64(len(c)/2)
	i := min(max(int(math.Floor(at)), 0), len(c)-2)
	return c[i] + (at-float64(i))*(c[i+1]-c[i])
}

// around returns the factors by which the quantile at logit l changes when that moves half down or
// up, at least by what a sketch can resolve.
func (c *curve) around(l, half float64) (low, high float64) {
	here := c.of(l)
	const apart = 2 * sketch.Accuracy
	return min(math.Exp(c.of(l-half)-here), 1-apart), max(math.Exp(c.of(l+half)-here), 1+apart)
}
