package departure

import (
	"math"
	"testing"

	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/sketch"
)

// The values of one call are similar: two hundred of them, as a platform reports them in
// percentiles, count little more than twenty.
func TestManyValuesOfACallCountLittleMoreThanSome(t *testing.T) {
	m, _ := trend.MetricOf("reported_latency_p95")
	of := func(values int) float64 {
		h := hour{point: trend.Point{N: 1, Sketch: &sketch.Sketch{}}}
		for range values {
			_ = h.point.Sketch.Add(1)
		}
		h.read(m)
		return h.of
	}
	if one, few, many := of(1), of(20), of(200); one != 1 || few < 5 || many > 7 || many < few {
		t.Errorf("one value counts %g, twenty %g, two hundred %g", one, few, many)
	}
}

// Bands of counts too large for summing exact tails continue those of smaller counts.
func TestBandsOfManyCallsGoOnWhereThoseOfFewerEnd(t *testing.T) {
	m, _ := trend.MetricOf("calls")
	g := &grid{m: m}
	reach := func(e float64) (low, high float64) {
		v := 0.02 * e * e
		low, high = g.wholeBand(&sums{e: e}, v)
		return (low - e) / e, (high - e) / e
	}
	low, high := reach(6900)
	manyLow, manyHigh := reach(7200)
	if low > -0.2 || high < 0.2 || math.Abs(low-manyLow) > 0.03 || math.Abs(high-manyHigh) > 0.03 {
		t.Errorf("from %.3f to %.3f of the expected, with more calls from %.3f to %.3f", low, high, manyLow, manyHigh)
	}
}
