package chance

import (
	"math"
	"testing"
)

// The expected values were computed independently: by summing the distributions in
// exact fractions, and by integrating the density of Student's t.
func TestTailsAgreeWithValuesComputedApart(t *testing.T) {
	near(t, "t, 10 degrees", StudentTail(2.228138852, 10), 0.025, 1e-9)
	near(t, "t, 2.5 degrees", StudentTail(3, 2.5), 0.03628804777, 1e-9)
	near(t, "t below", StudentTail(-3, 2.5), 1-0.03628804777, 1e-9)
	near(t, "its quantile", StudentQuantile(0.975, 10), 2.228138852, 1e-7)
	near(t, "the quantile's mirror", StudentQuantile(0.025, 10), -2.228138852, 1e-7)
	lower, _ := NegBinomialTail(2, 5, math.Inf(1))
	near(t, "Poisson", lower, 0.12465201948, 1e-10)
	lower, upper := NegBinomialTail(1, 5, 2)
	near(t, "negative binomial below", lower, 0.19825072886, 1e-10)
	near(t, "negative binomial above", upper, 1-0.19825072886+5.0*2*math.Pow(2.0/7, 2)/7, 1e-10)
	_, upper = NegBinomialTail(12, 5, 2)
	near(t, "negative binomial, far above", upper, 0.07811370291, 1e-10)
	_, upper = NegBinomialTail(40, 3, 1)
	near(t, "geometric", upper, math.Pow(0.75, 40), 1e-14)
	_, upper = BetaBinomialTail(9, 20, 0.2, 30)
	near(t, "beta-binomial above", upper, 0.03702543917, 1e-10)
	lower, _ = BetaBinomialTail(1, 20, 0.2, 30)
	near(t, "beta-binomial below", lower, 0.12876722701, 1e-10)
	_, upper = BetaBinomialTail(15, 20, 0.5, 2)
	near(t, "uniform", upper, 6.0/21, 1e-12)
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}
