package trend

import (
	"cmp"
	"math"
	"slices"
)

// Compare compares what two points show of a metric. Counts have nothing to be
// compared by and come out as TooFew.
func Compare(m Metric, a, b Point) Difference {
	switch m.Kind {
	case Rate:
		return CompareShares(Share{a.Hits, a.N}, Share{b.Hits, b.N}, m.Least)
	case Mean:
		return CompareMeans(Moments{a.N, a.Sum, a.Squares}, Moments{b.N, b.Sum, b.Squares}, m.Least)
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
		both := &Sketch{}
		_ = both.Merge(p.Sketch)
		_ = both.Merge(o.Sketch)
		p.Sketch = both
	}
	return p
}

// Total is the sum of points, at the time of the first.
func Total(points []Point) Point {
	var out Point
	if len(points) > 0 {
		out.At = points[0].At
	}
	sum := &Sketch{}
	for _, p := range points {
		_ = sum.Merge(p.Sketch)
		p.Sketch = nil
		out = Point{At: out.At, N: out.N + p.N, Hits: out.Hits + p.Hits, Sum: out.Sum + p.Sum, Squares: out.Squares + p.Squares}
	}
	if sum.Count() > 0 {
		out.Sketch = sum
	}
	return out
}

// Part is one value of a dimension and what its calls show.
type Part struct {
	Name  string
	Point Point
}

// PartCompared is a part against all other parts together.
type PartCompared struct {
	Part
	// Against is the rest (A) compared with the part (B).
	Against Difference
	// Q is Against.P after Benjamini and Hochberg: telling all parts with a Q below
	// 0.05 is wrong of at most one in twenty of them on average. Outcome follows Q.
	Q float64
}

// Breakdown compares each part with all the others together, in the order given.
func Breakdown(m Metric, parts []Part) []PartCompared {
	n := len(parts)
	// Sums of what stands before and after each part: no sketch is subtracted from.
	after := make([]Point, n+1)
	for i := n - 1; i >= 0; i-- {
		after[i] = after[i+1].Add(parts[i].Point)
	}
	out := make([]PartCompared, n)
	ps := make([]float64, 0, n)
	var before Point
	for i, p := range parts {
		out[i] = PartCompared{Part: p, Against: Compare(m, before.Add(after[i+1]), p.Point)}
		ps = append(ps, out[i].Against.P)
		before = before.Add(p.Point)
	}
	for i, q := range BenjaminiHochberg(ps) {
		out[i].Q = q
		if d := &out[i].Against; q >= significant && (d.Outcome == Higher || d.Outcome == Lower) {
			d.Outcome, d.Reason = TooFew, "among so many parts one looks like this by chance"
		}
	}
	return out
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

// Stratum holds the same kind of calls before and after a change.
type Stratum struct {
	Name string
	A, B Point
}

// CompareMix compares B with A within each stratum and takes the mean of the
// differences, weighted by how much each stratum can tell of both sides (Mantel
// and Haenszel): a change in the mix of calls is then not taken for a change of
// the agent. Strata that only one side has say nothing. A and B of the result are
// the figures of both sides had they the same mix.
func CompareMix(m Metric, strata []Stratum) Difference {
	d := Difference{P: 1, Interval: Interval{math.Inf(-1), math.Inf(1)}}
	var weights, variance, delta, a, b float64
	for _, s := range strata {
		one := Compare(m, s.A, s.B)
		se := standardError(m, s, one)
		if m.Kind == Count || one.NA == 0 || one.NB == 0 || math.IsNaN(se) || math.IsInf(se, 0) {
			continue
		}
		w := float64(s.A.N) * float64(s.B.N) / float64(s.A.N+s.B.N)
		weights += w
		variance += w * w * se * se
		delta += w * (one.B - one.A)
		a += w * one.A
		b += w * one.B
		d.NA += s.A.N
		d.NB += s.B.N
	}
	if weights == 0 {
		return d.settle(m.Least)
	}
	d.A, d.B, delta = a/weights, b/weights, delta/weights
	se := math.Sqrt(variance) / weights
	z := normalQuantile((1 + Confidence) / 2)
	d.Interval = Interval{delta - z*se, delta + z*se}
	if se > 0 {
		d.P = min(2*normalTail(math.Abs(delta)/se), 1)
	}
	return d.settle(m.Least)
}

// standardError is that of the difference within one stratum.
func standardError(m Metric, s Stratum, d Difference) float64 {
	switch m.Kind {
	case Rate:
		// One success and one failure more on each side keep a small stratum without
		// hits from looking sure.
		v := func(p Point) float64 {
			q := (float64(p.Hits) + 1) / (float64(p.N) + 2)
			return q * (1 - q) / float64(p.N)
		}
		return math.Sqrt(v(s.A) + v(s.B))
	case Mean:
		if s.A.N < 2 || s.B.N < 2 {
			return math.NaN()
		}
		a, b := Moments{s.A.N, s.A.Sum, s.A.Squares}, Moments{s.B.N, s.B.Sum, s.B.Squares}
		return math.Sqrt(a.Variance()/float64(a.N) + b.Variance()/float64(b.N))
	default:
		return (d.Interval.High - d.Interval.Low) / (2 * normalQuantile((1+Confidence)/2))
	}
}
