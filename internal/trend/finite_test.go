package trend_test

import (
	"math"
	"testing"

	"github.com/ringtrue/ringtrue/internal/trend"
)

// Comparisons are returned as JSON, which has neither infinity nor NaN: whatever the sides are
// (empty, single values, no variance, huge), their figures must be finite.
func TestComparisonsAreFinite(t *testing.T) {
	t.Parallel()
	points := []trend.Point{
		{}, {N: 1, Sum: 1, Squares: 1, Hits: 1}, {N: 2, Sum: 2, Squares: 2}, {N: 2, Sum: 1, Squares: 1, Hits: 1}, {N: 1000, Sum: 1e-9, Squares: 1e-18, Hits: 1000},
		{N: 3, Sum: 1e9, Squares: 1e18 / 3, Hits: 3}, {N: 29, Sum: 29 * 0.1, Squares: 29 * 0.01}, {N: 1 << 40, Sum: 1 << 40, Squares: 1 << 40, Hits: 1 << 39},
	}
	for _, m := range trend.Metrics() {
		if m.Kind == trend.Quantile { // based on sketches, not on sums
			continue
		}
		for _, a := range points {
			for _, b := range points {
				parts := trend.Breakdown(m, []trend.Part{{Name: "a", Point: a}, {Name: "b", Point: b}, {Name: "c", Point: a}})
				for _, d := range []trend.Difference{trend.Compare(m, a, b), parts[0].Against, parts[1].Against} {
					if !isFinite(d) {
						t.Errorf("%s of %+v and %+v: %+v", m.Name, a, b, d)
					}
				}
			}
		}
	}
}

func isFinite(d trend.Difference) bool {
	for _, v := range []float64{d.P, d.Q, d.A, d.B, d.Delta} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return d.P >= 0 && d.P <= 1 && d.Q >= 0 && d.Q <= 1
}
