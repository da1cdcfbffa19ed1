package departure

import (
	"math"

	"github.com/ringtrue/ringtrue/internal/trend/sketch"
)

const (
	// curveReach is how far the curve goes to either side, in logits: to one value of 400.
	curveReach = 6
	// curveStep is the distance of its points.
	curveStep = 0.25
	// leastSlope is the least that the logarithm of a quantile moves by with the logit of the share below it.
	leastSlope = 0.002
)

// curve is how the values of a Quantile are spread: the logarithm of their quantiles by the logit of
// the share below. Where turns are of two kinds, one three times as long as the other, it is flat along
// either of them and rises between: how steep it is at one quantile says nothing of another.
type curve [2*curveReach/curveStep + 1]float64

// curveOf is the curve of some values. Beyond the least and the greatest of them, which few
// values show of those that may come, it goes on by slope.
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

// of is the logarithm of the quantile below which the share with that logit lies; 0 where nothing
// was expected.
func (c *curve) of(l float64) float64 {
	if c == nil {
		return 0
	}
	at := l/curveStep + float64(len(c)/2)
	i := min(max(int(math.Floor(at)), 0), len(c)-2)
	return c[i] + (at-float64(i))*(c[i+1]-c[i])
}

// around is by what factors the quantile with a logit changes when that lies so much lower or higher: by
// no less than what a sketch tells apart.
func (c *curve) around(l, half float64) (low, high float64) {
	here := c.of(l)
	const apart = 2 * sketch.Accuracy
	return min(math.Exp(c.of(l-half)-here), 1-apart), max(math.Exp(c.of(l+half)-here), 1+apart)
}
