package trend

import (
	"math"
	"math/rand/v2"
	"testing"
)

// single returns a pair with one result on each side.
func single(a, b int64) SharePair { return SharePair{Share{a, 1}, Share{b, 1}} }

func times(n int, p SharePair) (out []SharePair) {
	for range n {
		out = append(out, p)
	}
	return out
}

// With one result on each side the test is McNemar's: with 1 and 9 changes, its
// mid-p is 2·(P(0) + P(1)/2) of a binomial distribution of 10.
func TestPairsOfOneAreMcNemars(t *testing.T) {
	t.Parallel()
	pairs := append(append(append(times(1, single(0, 1)), times(9, single(1, 0))...), times(20, single(1, 1))...), times(5, single(0, 0))...)
	d := CompareSharePairs(pairs, 0)
	want := 2 * (1 + 10.0/2) / 1024
	if math.Abs(d.P-want) > 1e-12 || d.Outcome != Lower {
		t.Errorf("P %v, want %v; %s", d.P, want, d.Outcome)
	}
	if math.Abs(d.A-29.0/35) > 1e-12 || math.Abs(d.B-21.0/35) > 1e-12 || d.NA != 35 {
		t.Errorf("%+v", d)
	}
	// At the ends of the interval the score statistic is that of 95 %.
	for _, x := range []float64{d.Interval.Low, d.Interval.High} {
		var p, q float64
		for _, pair := range pairs {
			p += float64(pair.A.Hits-pair.B.Hits) / 4
			q += float64(pair.A.Hits*(1-pair.B.Hits)+pair.B.Hits*(1-pair.A.Hits)) / 4
		}
		z := (d.Delta - x) * 35 / 2 / math.Sqrt(x*p+q)
		if math.Abs(math.Abs(z)-1.959964) > 1e-4 {
			t.Errorf("z %v at %v", z, x)
		}
	}
}

// A single pair is a comparison of two shares.
func TestOnePairIsFishers(t *testing.T) {
	t.Parallel()
	a, b := Share{3, 20}, Share{11, 19}
	if got, want := CompareSharePairs([]SharePair{{a, b}}, 0).P, CompareShares(a, b, 0).P; math.Abs(got-want) > 1e-12 {
		t.Errorf("P %v, Fisher's is %v", got, want)
	}
}

func TestPairsThatTellNothing(t *testing.T) {
	t.Parallel()
	for name, pairs := range map[string][]SharePair{
		"none": nil, "one side": {{Share{3, 5}, Share{}}, {Share{}, Share{2, 2}}}, "negative": {{Share{0, -1}, Share{0, 2}}},
	} {
		if d := CompareSharePairs(pairs, 0.05); d.Outcome != TooFew || d.P != 1 {
			t.Errorf("%s: %+v", name, d)
		}
	}
	// Nothing differed, but five scenarios cannot rule out much.
	d := CompareSharePairs(times(5, single(1, 1)), 0.05)
	if d.Outcome != TooFew || d.Interval.Low > -0.3 || d.Interval.High < 0.3 {
		t.Errorf("five alike: %+v", d)
	}
	if d := CompareSharePairs(times(2000, single(1, 1)), 0.05); d.Outcome != Alike {
		t.Errorf("two thousand alike: %+v", d)
	}
}

// Scenarios of very different difficulty: if nothing changed, at most one in
// twenty results is significant; a change is found and lies in its interval.
func TestPairsByPlantedTruth(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 1))
	draw := func(n int64, p float64) (s Share) {
		for range n {
			s.N++
			if rng.Float64() < p {
				s.Hits++
			}
		}
		return s
	}
	for _, c := range []struct {
		scenarios int
		each      int64
		shift     float64
	}{{40, 1, 0}, {30, 3, 0}, {8, 10, 0}, {60, 3, -0.25}, {700, 2, 0}} {
		const rounds = 400
		told, held := 0, 0
		for range rounds {
			pairs, truth := make([]SharePair, c.scenarios), 0.0
			for i := range pairs {
				p := []float64{0.05, 0.5, 0.95, 0.99}[i%4]
				q := min(max(p+c.shift, 0), 1)
				truth += (q - p) / float64(c.scenarios)
				pairs[i] = SharePair{draw(c.each, p), draw(c.each, q)}
			}
			d := CompareSharePairs(pairs, 0)
			if d.Outcome != TooFew {
				told++
			}
			if d.Interval.Holds(truth) {
				held++
			}
		}
		t.Logf("%+v: told %d, held %d of %d", c, told, held, rounds)
		if c.shift == 0 && told > rounds*8/100 || c.shift != 0 && told < rounds*95/100 || held < rounds*92/100 {
			t.Errorf("%+v: told %d and held %d of %d", c, told, held, rounds)
		}
	}
}

func TestValues(t *testing.T) {
	t.Parallel()
	v := NewValues([]float64{3, 1, math.NaN()}, nil, []float64{2, 2, math.Inf(1)}, []float64{5})
	if v.Calls != 3 || v.Count() != 5 {
		t.Fatalf("%+v", v)
	}
	for q, want := range map[float64]float64{0: 1, 0.5: 2, 0.75: 3, 0.875: 4, 1: 5, -1: 1, 2: 5} {
		if got, ok := v.Quantile(q); !ok || got != want {
			t.Errorf("quantile %v is %v, want %v", q, got, want)
		}
	}
	for x, want := range map[float64]float64{0: 5, 2: 3, 2.5: 2, 5: 0.5, 6: 0} {
		if got := v.Above(x); got != want {
			t.Errorf("%v above %v, want %v", got, x, want)
		}
	}
	if _, ok := (Values{}).Quantile(0.5); ok {
		t.Error("nothing has a median")
	}
	if i := (Values{}).Interval(0.5); !math.IsInf(i.Low, -1) {
		t.Errorf("of nothing: %+v", i)
	}
}

// The interval of a median contains the true value, and a shift is found.
func TestValuesByPlantedTruth(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 9))
	sample := func(calls int, shift float64) Values {
		var all [][]float64
		for range calls {
			own := 0.1 * rng.NormFloat64() // what the values of a call have in common
			one := make([]float64, 5)
			for i := range one {
				one[i] = 0.8 + shift + own + 0.2*rng.NormFloat64()
			}
			all = append(all, one)
		}
		return NewValues(all...)
	}
	const rounds = 300
	held, false1, found := 0, 0, 0
	for range rounds {
		a, b, c := sample(20, 0), sample(20, 0), sample(20, 0.3)
		if a.Interval(0.5).Holds(0.8) {
			held++
		}
		if CompareValues(a, b, 0.5, 0).Outcome != TooFew {
			false1++
		}
		if CompareValues(a, c, 0.5, 0).Outcome == Higher {
			found++
		}
	}
	if held < rounds*93/100 || false1 > rounds*8/100 || found < rounds*97/100 {
		t.Errorf("held %d, false %d, found %d of %d", held, false1, found, rounds)
	}
}

func TestChanges(t *testing.T) {
	t.Parallel()
	if d := CompareChanges([]float64{0.3}, 0); d.Outcome != TooFew {
		t.Errorf("%+v", d)
	}
	if d := CompareChanges([]float64{0.3, 0.3}, 0); d.Outcome != TooFew {
		t.Errorf("two that changed by the same are no proof: %+v", d)
	}
	if d := CompareChanges([]float64{0.3, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3}, 0); d.Outcome != Higher {
		t.Errorf("%+v", d)
	}
	if d := CompareChanges([]float64{0.31, 0.28, 0.33, 0.29, 0.3}, 0); d.Outcome != Higher || !d.Interval.Holds(0.3) || d.Interval.Low < 0.25 {
		t.Errorf("%+v", d)
	}
	if d := CompareChanges([]float64{0.3, -0.28, 0.1, -0.2}, 0); d.Outcome != TooFew {
		t.Errorf("%+v", d)
	}
}

// However few the values are, an interval with both ends given or one holds the quantile in 95 of a
// hundred cases at least. Where all values may well lie on one side of it, that end is not given.
func TestIntervalsOfQuantilesHoldThem(t *testing.T) {
	t.Parallel()
	const rounds = 2000
	rng := rand.New(rand.NewPCG(3, 10))
	for _, q := range []float64{0.5, 0.9, 0.95} {
		for _, n := range []int{1, 2, 5, 6, 10, 20, 36, 60, 72, 200} {
			held := 0
			var last Interval
			for range rounds {
				calls := make([][]float64, n)
				for i := range calls {
					calls[i] = []float64{rng.Float64()}
				}
				if last = NewValues(calls...).Interval(q); last.Holds(q) {
					held++
				}
			}
			if held < rounds*94/100 {
				t.Errorf("of %d values the interval of quantile %v holds it in %d of %d cases", n, q, held, rounds)
			}
			// The chance that all n values lie below the quantile, or above it.
			below, above := math.Pow(q, float64(n)), math.Pow(1-q, float64(n))
			if math.IsInf(last.High, 1) != (below > 0.025) || math.IsInf(last.Low, -1) != (above > 0.025) {
				t.Errorf("of %d values the interval of quantile %v is %v", n, q, last)
			}
		}
	}
}
