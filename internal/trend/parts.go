package trend

import (
	"cmp"
	"math"
	"slices"

	"github.com/ringtrue/ringtrue/internal/trend/sketch"
)

// Compare compares what two points show of a metric. Counts have nothing to be
// compared by and come out as TooFew.
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

// Add returns the sum of two points, at the time of the first.
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

// Part is one value of a dimension and what its calls show.
type Part struct {
	Name  string
	Point Point
	// Days are what each of its days showed, as far as that is known.
	Days []Day
}

// PartCompared is a part against all other parts together.
type PartCompared struct {
	Part
	// Against is the rest (A) compared with the part (B), told apart from the others (TellApart).
	Against Difference
}

// Breakdown compares each part with all the others together, in the order given.
// Where the days of parts are known the difference is held against how days differ.
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

// rests are, for each of several parts, all the others together.
type rests struct {
	m     Metric
	parts []Part
	// others hold everything but sketches. They are added up from before and behind each part, not
	// taken off the whole: what is left of a great sum of fractions would be rounded as that was.
	others []Point
	// whole is the sketch of all parts, rest has room for that of one part's others: counts are
	// whole numbers, so that taking one off leaves exactly what the others are.
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

// bare is the point without its sketch.
func (p Point) bare() Point {
	p.Sketch = nil
	return p
}

// TellApart fills in the Q of differences that are looked at side by side: telling all with
// a Q below 0.05 is wrong of at most one in twenty of them on average. Their outcomes follow.
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

// BenjaminiHochberg returns the adjusted chances (q-values) of many tests, in the
// order of ps: taking every one with q < x bounds the expected share of false
// ones among them by x.
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
