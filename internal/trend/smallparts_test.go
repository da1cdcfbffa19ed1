package trend_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ringtrue/ringtrue/internal/trend"
)

// Sixty values of a few random calls each: two or three similar calls are no proof, and with
// so many parts only one in twenty breakdowns may report anything.
func TestSmallPartsThatDifferByChance(t *testing.T) {
	t.Parallel()
	const times, groups, calls = 60, 60, 400
	valence, _ := trend.MetricOf("valence")
	reported, _ := trend.MetricOf("reported_valence")
	for _, c := range []struct {
		metric trend.Metric
		value  func(*rand.Rand) float64
	}{
		{valence, func(rng *rand.Rand) float64 { return 0.1 + 0.3*rng.NormFloat64() }},
		{reported, func(rng *rand.Rand) float64 { return float64(rng.IntN(3) - 1) }},
		{reported, func(rng *rand.Rand) float64 { return float64(rng.IntN(20) / 19) }}, // nearly always 0
	} {
		rng := rand.New(rand.NewPCG(5100, 1))
		told := 0
		for range times {
			parts := make([]trend.Part, groups)
			for range calls {
				v := c.value(rng)
				p := &parts[rng.IntN(groups)].Point
				p.N, p.Sum, p.Squares = p.N+1, p.Sum+v, p.Squares+v*v
			}
			for i := range parts {
				parts[i].Name = fmt.Sprint(i)
			}
			for _, p := range trend.Breakdown(c.metric, parts) {
				if p.Against.Outcome == trend.Higher || p.Against.Outcome == trend.Lower {
					told++
					break
				}
			}
		}
		t.Logf("%s: told in %d of %d", c.metric.Name, told, times)
		if told > times/8 {
			t.Errorf("%s: %d of %d breakdowns without any difference tell one", c.metric.Name, told, times)
		}
	}
}

// Sides without any variance are judged by their number of values.
func TestMeansWithoutAnyVariance(t *testing.T) {
	t.Parallel()
	cost, _ := trend.MetricOf("cost")
	of := func(n int64, v float64) trend.Point {
		return trend.Point{N: n, Sum: float64(n) * v, Squares: float64(n) * v * v}
	}
	if d := trend.Compare(cost, of(2, 0.25), of(2, 0.5)); d.P < 0.3 || d.Outcome != trend.TooFew {
		t.Errorf("two values against two: %+v", d)
	}
	if d := trend.Compare(cost, of(12, 0.25), of(12, 0.5)); d.P > 1e-5 || d.Outcome != trend.Higher {
		t.Errorf("twelve values against twelve: %+v", d)
	}
}

// Equal values have no variance, in whatever unit they are added up.
func TestAlikeValuesDoNotVary(t *testing.T) {
	t.Parallel()
	for n := int64(2); n < 400; n += 7 {
		for thousandths := int64(1); thousandths < 1000; thousandths += 3 {
			m := trend.Moments{N: n, Sum: float64(n*thousandths) * 1e-3, Squares: float64(n*thousandths*thousandths) * 1e-3 * 1e-3}
			if v := m.Variance(); v != 0 {
				t.Fatalf("%d times %d thousandths have the variance %g", n, thousandths, v)
			}
		}
	}
}
