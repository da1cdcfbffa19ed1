package trend

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ringtrue/ringtrue/internal/trend/sketch"
)

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// Newcombe (1998), Statistics in Medicine 17: tables of both papers.
func TestIntervalsAgreeWithNewcombe(t *testing.T) {
	for _, c := range []struct {
		share     Share
		low, high float64
	}{
		{Share{81, 263}, 0.2553, 0.3662}, {Share{15, 148}, 0.0624, 0.1605}, {Share{0, 20}, 0, 0.1611}, {Share{1, 29}, 0.0061, 0.1718},
	} {
		w := c.share.Wilson()
		near(t, "low", w.Low, c.low, 5e-5)
		near(t, "high", w.High, c.high, 5e-5)
	}
	for _, c := range []struct {
		b, a      Share
		low, high float64
	}{
		{Share{56, 70}, Share{48, 80}, 0.0524, 0.3339}, {Share{9, 10}, Share{3, 10}, 0.1705, 0.8090},
		{Share{6, 7}, Share{2, 7}, 0.0582, 0.8062}, {Share{5, 56}, Share{0, 29}, -0.0381, 0.1926}, {Share{10, 10}, Share{0, 10}, 0.6075, 1},
	} {
		i := newcombe(c.a, c.b)
		near(t, "low", i.Low, c.low, 5e-5)
		near(t, "high", i.High, c.high, 5e-5)
	}
	if w := (Share{}).Wilson(); w != (Interval{0, 1}) {
		t.Errorf("nothing at all gives %v", w)
	}
}

func TestTestsAgreeWithValuesComputedApart(t *testing.T) {
	near(t, "lady tasting tea", fisherMidP(Share{3, 4}, Share{1, 4}), 0.2571428571, 1e-9)
	near(t, "9 of 10 and 3 of 10", fisherMidP(Share{9, 10}, Share{3, 10}), 0.0102405335, 1e-9)
	near(t, "none of 50 and none of 30", fisherMidP(Share{0, 50}, Share{0, 30}), 1, 0)
	near(t, "1 of 1 and 1 of 1", fisherMidP(Share{1, 1}, Share{1, 1}), 1, 0)
	near(t, "5 of 56 and 0 of 29", fisherMidP(Share{5, 56}, Share{0, 29}), 0.1023952337, 1e-9)
	a := momentsOf(27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4)
	b := momentsOf(27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2, 21.9, 22.1, 22.9, 20.5, 24.4)
	d := compareMeans(a, b, 0)
	near(t, "Welch", d.P, 0.0213780015, 1e-9)
	if d.Outcome != Higher {
		t.Errorf("a difference of p = 0.02 came out as %q", d.Outcome)
	}
	// The results of R's p.adjust with "BH".
	for i, q := range BenjaminiHochberg([]float64{0.01, 0.04, 0.03, 0.005}) {
		near(t, "q", q, []float64{0.02, 0.04, 0.04, 0.02}[i], 1e-12)
	}
}

func momentsOf(values ...float64) (m Moments) {
	for _, v := range values {
		m.N++
		m.Sum += v
		m.Squares += v * v
	}
	return m
}

// Freireich's trial of 6-mercaptopurine (1963), a textbook example of survival
// analysis.
func TestSurvivalAgreesWithTheTextbook(t *testing.T) {
	left := []int64{3, 1, 1, 1, 1, 1, 1}
	ended := []int64{1, 1, 2, 0, 3, 0, 5}
	f := DropOff(InOrder([]string{"6", "7-9", "10-12", "13", "16-20", "22", "23-"}, left, ended), true)
	for i, want := range []float64{0.857, 0.807, 0.753, 0.690, 0.627, 0.538, 0.448} {
		near(t, "staying", f.Leaks[i].Staying, want, 6e-4)
	}
	if first := f.Leaks[0].Reached; first != 21 {
		t.Errorf("%d came to the first place", first)
	}
}

// Intervals and tests must keep their error rates on data without a difference.
func TestComparisonsAreWrongAsOftenAsTheySay(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	const rounds = 1500
	var shares, quantiles, means, covered int
	for range rounds {
		a, b := Share{N: 60}, Share{N: 90}
		var ma, mb Moments
		sa, sb := &sketch.Sketch{}, &sketch.Sketch{}
		for i := range 150 {
			hit := int64(rng.Uint32() >> 31)
			v := math.Exp(rng.NormFloat64())
			if i < 60 {
				a.Hits += hit
				_ = sa.Add(v)
				ma = Moments{ma.N + 1, ma.Sum + v, ma.Squares + v*v}
			} else {
				b.Hits += hit
				_ = sb.Add(v)
				mb = Moments{mb.N + 1, mb.Sum + v, mb.Squares + v*v}
			}
		}
		d := CompareShares(a, b, 0)
		shares += count(d.P < significant)
		covered += count(d.Interval.Holds(0))
		quantiles += count(CompareQuantiles(sa, sb, 0.5, 0, 0, 0).P < significant)
		means += count(compareMeans(ma, mb, 0).P < significant)
	}
	for what, n := range map[string]int{"shares": shares, "quantiles": quantiles, "means": means, "shares outside": rounds - covered} {
		if r := float64(n) / rounds; r > 0.07 || r < 0.015 {
			t.Errorf("%s: %.3f of the comparisons without a difference found one", what, r)
		}
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}
