package trend

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ringtrue/ringtrue/internal/trend/sketch"
)

// lots are values of a dimension that make no difference.
type lots struct {
	metric      string
	parts, days int
	// perDay is the total number of calls per day, calls the number of values per call.
	perDay, calls int
	// byDay and byValue are how much days and values vary, as logarithms.
	byDay, byValue float64
	// part returns the part that a call of a day belongs to.
	part func(rng *rand.Rand, day int) int
}

func (l lots) draw(t *testing.T, rng *rand.Rand) []Part {
	t.Helper()
	m := metric(t, l.metric)
	points := make([]map[int]Point, l.parts)
	for i := range points {
		points[i] = map[int]Point{}
	}
	for day := range l.days {
		odd := math.Exp(l.byDay * rng.NormFloat64())
		for range l.perDay {
			i := l.part(rng, day)
			p := points[i][day]
			if p.Sketch == nil {
				p.Sketch = &sketch.Sketch{}
			}
			p.N++
			for range l.calls {
				v := odd * math.Exp(l.byValue*rng.NormFloat64())
				if m.Kind == Mean {
					p.Sum, p.Squares = p.Sum+v, p.Squares+v*v
				} else if err := p.Sketch.Add(v); err != nil {
					t.Fatal(err)
				}
			}
			points[i][day] = p
		}
	}
	var out []Part
	for i := range points {
		if len(points[i]) > 0 {
			out = append(out, onDays(m, fmt.Sprint(i), points[i]))
		}
	}
	return out
}

func byLot(parts int) func(*rand.Rand, int) int {
	return func(rng *rand.Rand, _ int) int { return rng.IntN(parts) }
}

// mostlyOn gives each part a few days with most of its calls, and a few calls on all others.
func mostlyOn(parts int) func(*rand.Rand, int) int {
	return func(rng *rand.Rand, day int) int {
		if rng.Float64() < 0.3 {
			return rng.IntN(parts)
		}
		return day * 7919 % parts
	}
}

// Costs depend on the length of calls: a value whose fifty calls include a very long one, or none,
// is dearer or cheaper by chance.
func TestCostsFarOutAreNoDifference(t *testing.T) {
	rng, m, wrong := rand.New(rand.NewPCG(9, 1)), metric(t, "cost"), 0
	l := lots{metric: "cost", parts: 30, days: 50, perDay: 30, calls: 1, byDay: 0.1, byValue: 1.2, part: byLot(30)}
	for range 100 {
		n, _ := told(m, l.draw(t, rng)...)
		wrong += count(n > 0)
	}
	if wrong > 12 {
		t.Errorf("%d of 100 breakdowns of costs told of a difference that there is not", wrong)
	}
	found := 0
	l.parts, l.part = 6, byLot(6)
	for range 50 {
		parts := l.draw(t, rng)
		p := &parts[0].Point
		p.Sum, p.Squares = 3*p.Sum, 9*p.Squares
		n, _ := told(m, parts...)
		found += count(n > 0)
	}
	if found < 45 {
		t.Errorf("a value three times as dear was told %d times of 50", found)
	}
}

// The p95 over all days of a part is that of its worst days, which varies more than days do.
func TestQuantilesOfPartsAreHeldAgainstTheirDays(t *testing.T) {
	rng, m := rand.New(rand.NewPCG(9, 2)), metric(t, "latency_p95")
	l := lots{metric: "latency_p95", parts: 12, days: 50, perDay: 40, calls: 5, byDay: 0.4, byValue: 0.5, part: mostlyOn(12)}
	below, all := 0, 0
	for range 60 {
		for _, p := range Breakdown(m, l.draw(t, rng)) {
			below += count(p.Against.P < 0.05)
			all++
		}
	}
	if share := float64(below) / float64(all); share > 0.08 {
		t.Errorf("%.3f of the chances lie below 0.05", share)
	}
}

// A version with nearly all of its calls on one day, and a few calls on many others, has hardly
// been observed on more than one day.
func TestADayWithMostCallsIsOneDay(t *testing.T) {
	rng, m := rand.New(rand.NewPCG(9, 3)), metric(t, "valence")
	l := lots{metric: "valence", parts: 30, days: 50, perDay: 30, calls: 1, byDay: 0.3, byValue: 0.4, part: mostlyOn(30)}
	below, all := 0, 0
	for range 40 {
		parts := l.draw(t, rng)
		for i := range parts[1:] {
			d := CompareDays(m, Stretch{parts[i].Point, parts[i].Days}, Stretch{parts[i+1].Point, parts[i+1].Days})
			below += count(d.P < 0.05)
			all++
		}
	}
	if share := float64(below) / float64(all); share > 0.06 {
		t.Errorf("%.3f of the chances lie below 0.05", share)
	}
}

// A few values that happen to lie close together do not show that two sides are alike, however many
// the other side has.
func TestAFewValuesAreNotToldAlike(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 1))
	side := func(n int64) Point {
		p := Point{N: n, Sketch: &sketch.Sketch{}}
		for range n {
			v := 0.5 + 0.001*rng.NormFloat64()
			p.Sum, p.Squares = p.Sum+v, p.Squares+v*v
			_ = p.Sketch.Add(v)
		}
		return p
	}
	for _, m := range Metrics() {
		if m.Kind != Mean && m.Kind != Quantile {
			continue
		}
		for few := range int64(10) {
			for _, other := range []int64{few, 3000} {
				if d := Compare(m, side(other), side(few)); d.Outcome == Alike {
					t.Errorf("%s of %d and of %d: alike", m.Name, other, few)
				} else if m.Kind == Quantile && !math.IsInf(d.Interval.High-d.Interval.Low, 1) {
					t.Errorf("%s of %d and of %d: between %v", m.Name, other, few, d.Interval)
				}
			}
		}
		if d := Compare(m, side(3000), side(3000)); d.Outcome != Alike {
			t.Errorf("%s of 3000: %s", m.Name, d.Outcome)
		}
	}
}

// Of versions that each came with a day of their own, nothing tells how much of a difference is that
// of the days.
func TestVersionsOfADayEachAreNotToldApart(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 3))
	for _, name := range []string{"latency_p50", "latency_p95", "valence"} {
		daily := lots{
			metric: name, parts: 12, days: 12, perDay: 60, calls: 1, byDay: 0.2, byValue: 0.4,
			part: func(_ *rand.Rand, day int) int { return day },
		}
		for _, p := range Breakdown(metric(t, name), daily.draw(t, rng)) {
			if p.Against.Outcome != TooFew || p.Against.P < 1 {
				t.Fatalf("%s of day %s: %+v", name, p.Name, p.Against)
			}
		}
	}
}
