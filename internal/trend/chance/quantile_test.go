package chance

import (
	"math"
	"testing"
)

// bisected finds the quantile by bisection.
func bisected(p, df float64) float64 {
	low, high := 0.0, 1.0
	for StudentTail(high, df) > 1-p && high < 1e9 {
		high *= 2
	}
	for range 100 {
		if mid := (low + high) / 2; StudentTail(mid, df) > 1-p {
			low = mid
		} else {
			high = mid
		}
	}
	return (low + high) / 2
}

func TestStudentQuantileIsWhereTheTailIsSo(t *testing.T) {
	t.Parallel()
	for _, p := range []float64{0.5, 0.6, 0.9, 0.975, 0.995, 0.9999} {
		for df := 1.0; df < 2e6; df *= 1.07 {
			want := bisected(p, df)
			// With many degrees of freedom, the precision of the log-gamma function is the limit.
			if got := StudentQuantile(p, df); !(math.Abs(got-want) <= 1e-11*max(df/10, 1)*max(want, 1)) {
				t.Errorf("%v with %v degrees: %v, want %v, %.1e beside it", p, df, got, want, got/want-1)
			}
		}
	}
	for _, df := range []float64{0, 1e-300, math.NaN(), math.Inf(1)} {
		if got := StudentQuantile(0.975, df); math.IsNaN(got) {
			t.Errorf("%v degrees give no number", df)
		}
	}
}
