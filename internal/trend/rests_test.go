package trend

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ringtrue/ringtrue/internal/trend/sketch"
)

// plainly is a straightforward Breakdown: it adds up the others of each part, and what each two
// days share, from scratch.
func plainly(m Metric, parts []Part) []Difference {
	compared, out := make([]PartCompared, len(parts)), make([]Difference, len(parts))
	for i := range parts {
		var rest Point
		for k := range parts {
			if k != i {
				rest = rest.Add(parts[k].Point)
			}
		}
		compared[i].Against = Compare(m, rest, parts[i].Point)
	}
	e := effectsOf(parts, 0)
	if e != nil && m.Kind != Count {
		plainEffects(e, parts, chanceOf(parts, compared))
		for i := range compared {
			compared[i].Against = compared[i].Against.withDays(m, e, i)
		}
	}
	all := make([]*Difference, len(parts))
	for i := range compared {
		all[i] = &compared[i].Against
	}
	TellApart(all)
	for i := range all {
		out[i] = *all[i]
	}
	return out
}

// plainEffects computes the variance of days and its degrees of freedom from scratch.
func plainEffects(e *dayEffects, parts []Part, chance float64) {
	days := map[int]bool{}
	for _, p := range parts {
		for _, d := range p.Days {
			days[d.Day] = true
		}
	}
	// on returns how many of the part's calls are on a day, and that number times the day's
	// deviation from the part's mean.
	on := func(p Part, day int) (n, by float64) {
		var all, sum float64
		for _, d := range p.Days {
			all += float64(d.N)
			sum += float64(d.N) * d.Value
		}
		for _, d := range p.Days {
			if d.Day == day {
				n += float64(d.N)
				by += float64(d.N) * (d.Value - sum/max(all, 1))
			}
		}
		return n, by
	}
	calls := func(p Part) (n float64) {
		for _, d := range p.Days {
			n += float64(d.N)
		}
		return n
	}
	var seen, usually, free float64
	for d := range days {
		var n, off, usual, left float64
		for _, p := range parts {
			here, by := on(p, d)
			n, off = n+here, off+by
		}
		if n == 0 {
			continue
		}
		for o := range days {
			var taken float64
			for _, p := range parts {
				here, _ := on(p, d)
				there, _ := on(p, o)
				if here > 0 && there > 0 {
					taken += here * there / calls(p)
				}
			}
			taken /= max(n, 1)
			if o == d {
				left = 1 - taken
				taken = left
			}
			usual += taken * taken
		}
		seen += off*off/n - chance*left
		usually += n * usual
		free += left
	}
	e.variance, e.free = max(seen/max(usually, 1e-9), 0), free
	if free < 1 {
		e.variance, e.free = 0, 0
	}
}

// randomParts returns parts on some of twenty days, some on none, and some without calls.
func randomParts(rng *rand.Rand, m Metric) []Part {
	parts := make([]Part, 1+rng.IntN(9))
	for i := range parts {
		first, level := rng.IntN(16), math.Exp(0.3*rng.NormFloat64())
		for day := first; day < min(first+rng.IntN(20), 20); day++ {
			p := Point{N: int64(rng.IntN(60)), Sketch: &sketch.Sketch{}}
			for range p.N {
				v := 0.0
				if rng.IntN(12) > 0 {
					v = level * math.Exp(0.4*rng.NormFloat64())
				}
				p.Sum, p.Squares = p.Sum+v, p.Squares+v*v
				p.Hits += int64(count(v > 1.3))
				_ = p.Sketch.Add(v)
			}
			parts[i].Point = parts[i].Point.Add(p)
			if v, ok := m.Value(p); ok && rng.IntN(9) > 0 {
				parts[i].Days = append(parts[i].Days, Day{Day: day, Value: v, N: p.N})
			}
		}
	}
	return parts
}

func TestBreakdownIsWhatThePlainWayGives(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(8, 4))
	varied := 0
	for _, name := range []string{"calls", "error_rate", "valence", "latency_p95"} {
		m := metric(t, name)
		for range 60 {
			parts := randomParts(rng, m)
			want := plainly(m, parts)
			for i, got := range Breakdown(m, parts) {
				if !sameDifference(got.Against, want[i]) {
					t.Fatalf("%s, part %d of %d:\n%+v, and not\n%+v", name, i, len(parts), got.Against, want[i])
				}
				varied += count(got.Against.P > 0 && got.Against.P < 1)
			}
		}
	}
	if varied < 300 {
		t.Errorf("%d comparisons that say anything are too few", varied)
	}
}

// sameDifference reports whether two differences are equal up to rounding.
func sameDifference(a, b Difference) bool {
	near := func(x, y float64) bool {
		return x == y || math.Abs(x-y) <= 1e-9*max(math.Abs(x), math.Abs(y), 1)
	}
	return near(a.A, b.A) && near(a.B, b.B) && near(a.Delta, b.Delta) && near(a.P, b.P) && near(a.Q, b.Q) && a.NA == b.NA && a.NB == b.NB &&
		near(a.Interval.Low, b.Interval.Low) && near(a.Interval.High, b.Interval.High) && a.Outcome == b.Outcome
}
