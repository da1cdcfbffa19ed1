package trend

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/trend/sketch"
)

func rate(hits, n int64) Point { return Point{N: n, Hits: hits} }

func metric(t *testing.T, name string) Metric {
	t.Helper()
	m, ok := MetricOf(name)
	if !ok {
		t.Fatalf("no metric %q", name)
	}
	return m
}

func TestBreakdownNamesTheOneThatDiffers(t *testing.T) {
	parts := []Part{
		{Name: "v1", Point: rate(50, 1000)}, {Name: "v2", Point: rate(48, 1000)}, {Name: "v3", Point: rate(90, 1000)},
		{Name: "v4", Point: rate(53, 1000)}, {Name: "v5", Point: rate(1, 4)}, {Name: "v6"},
	}
	for i, p := range Breakdown(metric(t, "error_rate"), parts) {
		want := TooFew
		switch p.Name {
		case "v3":
			want = Higher
		case "v1", "v2", "v4":
			want = p.Against.Outcome // lower than a rest that includes v3, or alike
			if p.Against.Outcome == Higher {
				t.Errorf("%s is told to be higher", p.Name)
			}
		}
		if p.Against.Outcome != want {
			t.Errorf("%s: %+v", p.Name, p.Against)
		}
		if p.Name != parts[i].Name || p.Against.Q < p.Against.P {
			t.Errorf("%s: q %v below p %v", p.Name, p.Against.Q, p.Against.P)
		}
	}
}

// Of many parts without a difference, hardly any may be reported.
func TestBreakdownOfManyPartsAlikeTellsNone(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	told := 0
	for range 100 {
		parts := make([]Part, 40)
		for i := range parts {
			for range 200 {
				parts[i].Point.N++
				parts[i].Point.Hits += int64(count(rng.Float64() < 0.1))
			}
		}
		any := false
		for _, p := range Breakdown(metric(t, "error_rate"), parts) {
			any = any || p.Against.Outcome == Higher || p.Against.Outcome == Lower
		}
		told += count(any)
	}
	if told > 10 {
		t.Errorf("%d of 100 breakdowns without a difference told of one", told)
	}
}

// onDays returns a part with the given days.
func onDays(m Metric, name string, days map[int]Point) Part {
	out := Part{Name: name}
	for day := range 60 {
		p, ok := days[day]
		if !ok {
			continue
		}
		out.Point = out.Point.Add(p)
		v, _ := m.Value(p)
		out.Days = append(out.Days, Day{Day: day, Value: v, N: p.N})
	}
	return out
}

// told returns how many parts are reported to differ, and the last difference.
func told(m Metric, parts ...Part) (n int, last Difference) {
	for _, p := range Breakdown(m, parts) {
		n += count(p.Against.Outcome == Higher || p.Against.Outcome == Lower)
		last = p.Against
	}
	return n, last
}

// Consecutive versions have their calls on different days, and days differ: this must be allowed
// for. Values on the same days need no such allowance.
func TestBreakdownHoldsDaysAgainstDays(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 11))
	m := metric(t, "error_rate")
	plain, fair, found, oneDay := 0, 0, 0, 0
	for range 200 {
		days := [5]map[int]Point{{}, {}, {}, {}, {}}
		for day := range 28 {
			odd := math.Exp(0.25 * rng.NormFloat64())
			draw := func(p float64) Point { return rate(int64(math.Round(2000*p*odd)), 2000) }
			days[day/14][day] = draw(0.08)
			days[2+day/14][day] = draw(0.08 + 0.05*float64(day/14))
			if day == 9 {
				days[4][day] = draw(0.08)
			}
		}
		bare := []Part{onDays(m, "1", days[0]), onDays(m, "2", days[1])}
		n, d := told(m, bare...)
		fair += count(n > 0)
		if d.Interval.Low > d.Delta || d.Interval.High < d.Delta {
			t.Fatalf("%+v", d)
		}
		n, _ = told(m, onDays(m, "1", days[2]), onDays(m, "2", days[3]))
		found += count(n > 0)
		n, _ = told(m, bare[0], bare[1], onDays(m, "tried for a day", days[4]))
		oneDay += count(n > 0)
		bare[0].Days, bare[1].Days = nil, nil
		n, _ = told(m, bare...)
		plain += count(n > 0)
	}
	if plain < 100 {
		t.Errorf("the example is none: %d of 200", plain)
	}
	if fair > 20 || oneDay > 24 {
		t.Errorf("%d of 200 versions without a difference are told of, %d with one of a single day", fair, oneDay)
	}
	if found < 190 {
		t.Errorf("%d of 200 versions by five points worse found", found)
	}
	same := [2]map[int]Point{{}, {}}
	for day := range 28 {
		odd := math.Exp(0.25 * rng.NormFloat64())
		same[0][day] = rate(int64(math.Round(160*odd)), 2000)
		same[1][day] = rate(int64(math.Round(184*odd)), 2000)
	}
	a, b := onDays(m, "a", same[0]), onDays(m, "b", same[1])
	_, by := told(m, a, b)
	a.Days, b.Days = nil, nil
	if _, without := told(m, a, b); math.Abs(by.P-without.P) > 0.001 {
		t.Errorf("values of the same days: %v and not %v", by.P, without.P)
	}
}

// Of two days nothing shows how much days differ: what was tried on one of them is not told from it,
// but what was tried on both is.
func TestTwoDaysDoNotTellVersionsFromDays(t *testing.T) {
	t.Parallel()
	m := metric(t, "error_rate")
	few, many := rate(100, 2000), rate(300, 2000)
	for name, c := range map[string]struct {
		versions []map[int]Point
		told     bool
	}{
		"a version each":               {[]map[int]Point{{0: few}, {1: many}}, false},
		"three on two days":            {[]map[int]Point{{0: few}, {0: few, 1: many}, {1: many}}, false},
		"side by side on both":         {[]map[int]Point{{0: few, 1: few}, {0: many, 1: many}}, true},
		"side by side on the only one": {[]map[int]Point{{0: few}, {0: many}}, true},
	} {
		var parts []Part
		for i, days := range c.versions {
			parts = append(parts, onDays(m, string(rune('a'+i)), days))
		}
		if n, d := told(m, parts...); n > 0 != c.told || !c.told && (d.Outcome != TooFew || !strings.Contains(d.Reason, "different days")) {
			t.Errorf("%s: %d are told, the last: %+v", name, n, d)
		}
	}
}

func TestTooLittleSaysSo(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for what, d := range map[string]Difference{
		"shares":    CompareShares(Share{1, 5}, Share{3, 5}, 0.05),
		"nothing":   CompareShares(Share{}, Share{3, 5}, 0.05),
		"means":     compareMeans(momentsOf(1), momentsOf(2, 3), 0.05),
		"quantiles": CompareQuantiles(sketchOf(t, 1, 2, 3), sketchOf(t, 2, 3, 4), 0.5, 0, 0, 0.1),
		"no sketch": CompareQuantiles(nil, sketchOf(t, 2, 3, 4), 0.5, 0, 0, 0.1),
		"pairs":     ComparePairs([]Pair{{0, 1}, {0, 1}, {0, 1}}, 0.05, rng),
		"days":      CompareDays(metric(t, "error_rate"), stretchOf(metric(t, "error_rate"), []Point{rate(1, 100)}), stretchOf(metric(t, "error_rate"), []Point{rate(50, 100)})),
		"counts":    Compare(metric(t, "calls"), Point{N: 1}, Point{N: 100}),
	} {
		if d.Outcome != TooFew || d.Reason == "" {
			t.Errorf("%s: %+v", what, d)
		}
	}
	if d := CompareShares(Share{100, 10000}, Share{101, 10000}, 0.02); d.Outcome != Alike {
		t.Errorf("a difference that cannot matter: %+v", d)
	}
}

// stretchOf returns a Stretch of days.
func stretchOf(m Metric, days []Point) Stretch {
	var out Stretch
	for _, p := range days {
		out.Whole = out.Whole.Add(p)
		if v, ok := m.Value(p); ok {
			out.Days = append(out.Days, Day{Value: v, N: p.N})
		}
	}
	return out
}

// Days differ from one another: with many calls a day, any two weeks would differ significantly if
// calls were independent.
func TestDaysAreHeldAgainstDays(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	m := metric(t, "error_rate")
	plain, fair, found := 0, 0, 0
	days := func(p float64) []Point {
		out := make([]Point, 10)
		for i := range out {
			q := p * math.Exp(0.3*rng.NormFloat64())
			out[i] = rate(int64(math.Round(4000*q)), 4000)
		}
		return out
	}
	for range 300 {
		a, b := days(0.1), days(0.1)
		plain += count(Compare(m, stretchOf(m, a).Whole, stretchOf(m, b).Whole).P < significant)
		fair += count(CompareDays(m, stretchOf(m, a), stretchOf(m, b)).P < significant)
		found += count(CompareDays(m, stretchOf(m, a), stretchOf(m, days(0.16))).Outcome == Higher)
	}
	if plain < 100 {
		t.Errorf("the example is none: %d of 300", plain)
	}
	if fair > 24 {
		t.Errorf("%d of 300 comparisons without a change found one", fair)
	}
	if found < 250 {
		t.Errorf("%d of 300 changes by six points found", found)
	}
}

func TestPairsFindWhatItemsHaveInCommon(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	var wrong, found, inside int
	for range 200 {
		var same, better []Pair
		for range 30 {
			hard := rng.Float64()
			same = append(same, Pair{hard + 0.1*rng.NormFloat64(), hard + 0.1*rng.NormFloat64()})
			better = append(better, Pair{hard + 0.1*rng.NormFloat64(), hard + 0.12 + 0.1*rng.NormFloat64()})
		}
		d := ComparePairs(same, 0.05, rng)
		wrong += count(d.P < significant)
		inside += count(d.Interval.Holds(0))
		found += count(ComparePairs(better, 0.05, rng).Outcome == Higher)
	}
	if wrong > 20 || inside < 170 || found < 190 {
		t.Errorf("wrong %d, inside %d, found %d of 200", wrong, inside, found)
	}
	a := ComparePairs([]Pair{{1, 2}, {1, 3}, {2, 2}, {0, 2}, {1, 1}, {4, 5}, {2, 4}}, 0, rand.New(rand.NewPCG(1, 2)))
	b := ComparePairs([]Pair{{1, 2}, {1, 3}, {2, 2}, {0, 2}, {1, 1}, {4, 5}, {2, 4}}, 0, rand.New(rand.NewPCG(1, 2)))
	if a != b {
		t.Error("the same seed gives two answers")
	}
}

func TestDropOffNamesThePlantedPlace(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	var missed, named int
	for range 300 {
		for _, planted := range []int{-1, 3} {
			left, ended := make([]int64, 8), make([]int64, 8)
			for range 1500 {
				for turn := range 8 {
					hazard := 0.03
					if turn == planted {
						hazard = 0.12
					}
					if rng.Float64() < hazard {
						left[turn]++
						break
					}
					if rng.Float64() < 0.15 || turn == 7 {
						ended[turn]++
						break
					}
				}
			}
			f := DropOff(InOrder(make([]string, 8), left, ended), true)
			if planted < 0 {
				named += count(f.Steepest >= 0)
			} else {
				missed += count(f.Steepest != planted)
			}
			if f.Leaks[0].Reached != 1500 {
				t.Fatalf("%d callers came to the first turn", f.Leaks[0].Reached)
			}
		}
	}
	if missed > 6 || named > 18 {
		t.Errorf("missed %d of 300, named %d of 300 where there is none", missed, named)
	}
	empty := DropOff(nil, true)
	if empty.Steepest != -1 || empty.Reason == "" {
		t.Errorf("%+v", empty)
	}
	acts := DropOff([]Place{{"asks for the date of birth", 400, 60}, {"says goodbye", 300, 9}, {"looks something up", 2, 2}}, false)
	if acts.Steepest != 0 || acts.Leaks[0].Staying != 0 {
		t.Errorf("%+v", acts)
	}
}

// Rare failures among many calls: four among a value's 170 calls have a probability of one in a
// hundred thousand by the normal distribution, but really one in several hundred.
func TestRareHitsOfManyAreCountedExactly(t *testing.T) {
	a, b := Share{Hits: 4, N: 170}, Share{Hits: 7, N: 2830}
	exact := fisherMidP(a, b)
	if exact < 0.001 || scoreTest(a, b) > exact/20 {
		t.Fatalf("the example is none: %v and %v", exact, scoreTest(a, b))
	}
	misses := func(s Share) Share { return Share{s.N - s.Hits, s.N} }
	for what, d := range map[string]Difference{
		"as they are": CompareShares(a, b, 0), "turned round": CompareShares(b, a, 0),
		"misses": CompareShares(misses(a), misses(b), 0), "misses, turned round": CompareShares(misses(b), misses(a), 0),
	} {
		if math.Abs(d.P-exact) > 1e-9 {
			t.Errorf("%s: %v, exactly %v", what, d.P, exact)
		}
	}
	rng := rand.New(rand.NewPCG(17, 3))
	m, wrong := metric(t, "error_rate"), 0
	for range 400 {
		parts := make([]Part, 20)
		for i := range parts {
			for range 150 {
				parts[i].Point.N++
				parts[i].Point.Hits += int64(count(rng.Float64() < 0.003))
			}
		}
		n, _ := told(m, parts...)
		wrong += count(n > 0)
	}
	if wrong > 30 {
		t.Errorf("%d of 400 breakdowns of rare failures told of a difference that there is not", wrong)
	}
}

func sketchOf(t *testing.T, values ...float64) *sketch.Sketch {
	t.Helper()
	s := &sketch.Sketch{}
	for _, v := range values {
		if err := s.Add(v); err != nil {
			t.Fatal(err)
		}
	}
	return s
}
