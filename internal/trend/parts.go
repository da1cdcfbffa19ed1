package trend

import (
	"cmp"
	"math"
	"slices"

	"github.com/ringtrue/ringtrue/internal/trend/sketch"
)

// Compare compares the values of two points. Counts cannot be compared, so their Outcome is
// TooFew.
func Compare(m Metric, a, b Point) Difference {
	switch m.Kind {
	case Rate:
		return CompareShares(Share{a.Hits, a.N}, Share{b.Hits, b.N}, m.Least)
	case Mean:
		compare := compareMeans
		if m.FarOut {
			compare = compareFarOut
		}
		return compare(Moments{a.N, a.Sum, a.Squares}, Moments{b.N, b.Sum, b.Squares}, m.Least)
	case Quantile:
		return CompareQuantiles(a.Sketch, b.Sketch, m.Q, a.N, b.N, m.Least)
	default:
		return Difference{A: float64(a.N), B: float64(b.N), NA: a.N, NB: b.N, P: 1, Delta: float64(b.N - a.N), Outcome: TooFew,
			Interval: Interval{math.Inf(-1), math.Inf(1)}, Reason: "numbers of calls are not compared"}
	}
}

// Add returns the sum of two points, with the time of the first.
func (p Point) Add(o Point) Point {
	p.N += o.N
	p.Hits += o.Hits
	p.Sum += o.Sum
	p.Squares += o.Squares
	if o.Sketch.Count() > 0 {
		both := &sketch.Sketch{}
		_ = both.Merge(p.Sketch)
		_ = both.Merge(o.Sketch)
		p.Sketch = both
	}
	return p
}

// Part is one value of a dimension with the data of its calls.
type Part struct {
	Name  string
	Point Point
	// Days are the values of its days, as far as known.
	Days []Day
}

// PartCompared is a part compared with all other parts together.
type PartCompared struct {
	Part
	// Against compares the rest (A) with the part (B), with Q set by TellApart.
	Against Difference
}

// Breakdown compares each part with all others together, in the given order. If the days of
// the parts are known, differences are also judged by how much days differ.
func Breakdown(m Metric, parts []Part) []PartCompared {
	rests := restsOf(m, parts)
	out := make([]PartCompared, len(parts))
	for i, p := range parts {
		out[i] = PartCompared{Part: p, Against: rests.compare(i)}
	}
	if e := effectsOf(parts, chanceOf(parts, out)); e != nil && m.Kind != Count {
		for i := range out {
			out[i].Against = out[i].Against.withDays(m, e, i)
		}
	}
	against := make([]*Difference, len(parts))
	for i := range out {
		against[i] = &out[i].Against
	}
	TellApart(against)
	return out
}

// rests are the sums of all other parts, for each part.
type rests struct {
	m     Metric
	parts []Part
	// others are the sums without sketches. They are added up from the parts before and after each
	// part instead of subtracting it from the total, which would keep the rounding error of a
	// large sum.
	others []Point
	// whole is the sketch of all parts, rest a buffer for that of one part's others. Its counts
	// are integers, so subtracting is exact.
	whole, rest sketch.Sketch
}

func restsOf(m Metric, parts []Part) *rests {
	r := &rests{m: m, parts: parts, others: make([]Point, len(parts))}
	var before, behind Point
	for i := range parts {
		r.others[i] = before
		before = before.Add(parts[i].Point.bare())
		if m.Kind == Quantile {
			_ = r.whole.Merge(parts[i].Point.Sketch)
		}
	}
	for i := range slices.Backward(parts) {
		r.others[i] = r.others[i].Add(behind)
		behind = behind.Add(parts[i].Point.bare())
	}
	return r
}

// compare compares the others (A) with part i (B).
func (r *rests) compare(i int) Difference {
	part, others := &r.parts[i].Point, r.others[i]
	if r.m.Kind != Quantile {
		return Compare(r.m, others, *part)
	}
	r.rest.Rest(&r.whole, part.Sketch)
	return compareQuantiles(sides{&r.rest, part.Sketch, &r.whole}, r.m.Q, others.N, part.N, r.m.Least)
}

// bare returns the point without its sketch.
func (p Point) bare() Point {
	p.Sketch = nil
	return p
}

// TellApart sets the Q of differences that are viewed together. Of all differences with a Q
// below 0.05, on average at most one in twenty is due to chance. It also adjusts their
// outcomes.
func TellApart(all []*Difference) {
	ps := make([]float64, len(all))
	for i, d := range all {
		ps[i] = d.P
	}
	for i, q := range BenjaminiHochberg(ps) {
		d := all[i]
		if d.Q = q; q >= significant && (d.Outcome == Higher || d.Outcome == Lower) {
			d.Outcome, d.Reason = TooFew, "among so many one looks like this by chance"
		}
	}
}

// BenjaminiHochberg returns the adjusted p-values (q-values) of many tests, in the order of
// ps. Among the tests with q < x, the expected share of false positives is at most x.
func BenjaminiHochberg(ps []float64) []float64 {
	order := make([]int, len(ps))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ps[a], ps[b]) })
	out := make([]float64, len(ps))
	least := 1.0
	for k, i := range slices.Backward(order) {
		least = min(least, ps[i]*float64(len(ps))/float64(k+1))
		out[i] = least
	}
	return out
}
