package trend

import (
	"math"
	"testing"
)

// The values of each side above the quantile of all are counted as they are: 15 ÷ 22 × 22 is less
// than 15 as computers divide.
func TestValuesAboveTheQuantileAreCountedWhole(t *testing.T) {
	t.Parallel()
	sample := func(n, above int) Values {
		values := make([]float64, n)
		for i := range values {
			if values[i] = 1 + float64(i)/1000; i >= n-above {
				values[i] += 9
			}
		}
		return NewValues(values)
	}
	for _, c := range []struct{ n, above, m, beyond int }{{22, 15, 22, 5}, {23, 13, 26, 9}, {49, 1, 49, 22}, {49, 24, 49, 8}} {
		a, b := sample(c.n, c.above), sample(c.m, c.beyond)
		a.Calls, b.Calls = int64(c.n), int64(c.m)
		// The common quantile lies between the values of either kind.
		q := (float64(c.n+c.m-c.above-c.beyond) - 0.5) / float64(c.n+c.m-1)
		got := CompareValues(a, b, q, 0).P
		want := tableTest(Share{int64(c.above), int64(c.n)}, Share{int64(c.beyond), int64(c.m)})
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("%d of %d against %d of %d: p is %v, want %v", c.above, c.n, c.beyond, c.m, got, want)
		}
	}
}
